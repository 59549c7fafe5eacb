"""`senna tag` with plain options, without Typer, whose import takes longer than a sentence.

What is not plain is left to Typer: help, what it refuses, and a user's own defaults.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from senna.cli.defaults import defaults_file
from senna.cli.tag import OPTIONS

FLAGS = {flag: o for o in OPTIONS.values() for flag in (o.flag, o.negation, o.short) if flag}


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
        option = FLAGS.get(argument)
        if argument == "-" or not argument.startswith("-"):
            values.setdefault("files", []).append(argument)
        elif option is None:
            return None
        elif option.kind is bool:
            values[option.name] = argument != option.negation
        elif (text := next(rest, "-")).startswith("-"):
            return None  # an option without its value, or a value that looks like an option
        elif option.kind is list:
            values.setdefault(option.name, []).append(text)
        elif option.choices and text not in option.choices:
            return None
        elif option.kind is not int:
            values[option.name] = option.kind(text)
        elif text in map(str, range(int(option.least or 0), int(option.most or 99) + 1)):
            values[option.name] = int(text)
        else:
            return None
    return values
