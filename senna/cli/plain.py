"""`senna tag` with plain options, without Typer, whose import takes longer than a sentence.

What is not plain is left to Typer: help, what it refuses, and a user's own defaults.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from senna.cli.defaults import defaults_file
from senna.pipeline.options import Conversion, Option, options_of

FLAGS = {"--quiet": "quiet", "-q": "quiet"}
VALUES: dict[str, tuple[str, Callable[[str], Any]]] = {
    "--output": ("output", Path),
    "-o": ("output", Path),
}
SEVERAL: dict[str, str] = {}  # that may be repeated
CHOICES: dict[str, Option] = {}
for option in options_of(Conversion).values():
    if option.choices:
        CHOICES[option.flag] = option
    elif option.kind is str:
        VALUES[option.flag] = option.name, str
    elif option.kind is list:
        SEVERAL[option.flag] = option.name
    elif option.kind is bool:
        FLAGS[option.flag] = option.name
        if option.default is None:
            FLAGS[f"--no-{option.flag.removeprefix('--')}"] = option.name


def tag_values(arguments: Sequence[str]) -> dict[str, Any] | None:
    """The parameters of `tag_command`, by name; None if they are not plain.

    >>> tag_values(["--task", "pos", "--scores", "letter.txt"])
    {'tasks': 'pos', 'scores': True, 'files': ['letter.txt']}
    """
    if defaults_file():
        return None
    values: dict[str, Any] = {}
    rest = iter(arguments)
    for argument in rest:
        if argument in FLAGS:
            values[FLAGS[argument]] = not argument.startswith("--no-")
        elif argument == "-" or not argument.startswith("-"):
            values.setdefault("files", []).append(argument)
        elif (value := next(rest, "-")).startswith("-"):
            return None  # an option without its value, or a value that looks like an option
        elif argument in CHOICES and value in CHOICES[argument].choices:
            values[CHOICES[argument].name] = value
        elif argument in SEVERAL:
            values.setdefault(SEVERAL[argument], []).append(value)
        elif argument in VALUES:
            name, kind = VALUES[argument]
            values[name] = kind(value)
        elif argument == "--jobs" and value in map(str, range(1, 100)):
            values["jobs"] = int(value)
        else:
            return None
    return values
