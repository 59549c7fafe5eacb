"""`senna tag` with plain options, without Typer, whose import takes longer than a sentence.

What is not plain is left to Typer: help, what it refuses, and a user's own defaults.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

from senna.cli.defaults import defaults_file
from senna.reading.formats import INPUTS
from senna.text import CONVENTIONS, LINE_BREAKS, SPLITS
from senna.text.schemes import SCHEMES
from senna.writing import FORMATS

FLAGS = {
    "--offsets": "offsets",
    "--scores": "scores",
    "--force": "force",
    "--memory": "memory",
    "--no-memory": "memory",
    "--quiet": "quiet",
    "-q": "quiet",
}
CHOICES: dict[str, tuple[str, Collection[str]]] = {
    "--input": ("input_", INPUTS),
    "--format": ("format_", FORMATS),
    "--scheme": ("scheme", SCHEMES),
    "--line-breaks": ("line_breaks", LINE_BREAKS),
    "--unit": ("unit", SPLITS),
    "--convention": ("convention", CONVENTIONS),
}
VALUES: dict[str, tuple[str, Callable[[str], Any]]] = {
    "--task": ("task", str),
    "--predicates": ("predicates", str),
    "--model": ("model", str),
    "--column": ("column", str),
    "--output": ("output", Path),
    "-o": ("output", Path),
}


def tag_values(arguments: Sequence[str]) -> dict[str, Any] | None:
    """The parameters of `tag_command`, by name; None if they are not plain.

    >>> tag_values(["--task", "pos", "--scores", "letter.txt"])
    {'task': 'pos', 'scores': True, 'files': ['letter.txt']}
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
        elif argument in CHOICES and value in CHOICES[argument][1]:
            values[CHOICES[argument][0]] = value
        elif argument in VALUES:
            name, kind = VALUES[argument]
            values[name] = kind(value)
        elif argument == "--jobs" and value in map(str, range(1, 100)):
            values["jobs"] = int(value)
        else:
            return None
    return values
