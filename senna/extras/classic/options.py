"""The options of the original program, taken from left to right."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from senna.errors import SennaError

ORIGINAL_TASKS = ("pos", "chk", "ner", "srl", "psg")  # in the order of their columns

HELP = """\

Stands in for SENNA 3.0: POS, CHK, NER, SRL, PSG

Usage: senna classic [options] < text > tags

The input has one sentence per line. Without a task, all tasks are printed.

Display options:
  -verbose         report on stderr what is loaded
  -notokentags     leave out the column of tokens
  -offsettags      add a column with the start and end of each token, in bytes
  -iobtags         IOB2 tags instead of IOBES (chunks, names, roles)
  -brackettags     brackets instead of IOBES (chunks, names, roles)

Data options:
  -path DIR/       a folder with the original's hash/ and data/; default: senna's models

Input options:
  -usrtokens       the tokens are separated by spaces

SRL options:
  -posvbs          verbs are the words whose part of speech starts with V
  -usrvbs FILE     FILE lists the verbs: one token per line, - if it is not a verb,
                   a blank line after each sentence

Tagging options:
  -pos -chk -ner   parts of speech, chunks, names
  -srl -psg        roles of verbs, parse trees

Stand-ins for the original's executables:
  --install DIR    write them into the folder DIR
"""


class FatalError(SennaError):
    """An error in the words of the original."""


class StrayArgumentError(SennaError):
    """An argument that is not an option."""


@dataclass
class Options:
    """Options of the command line; `tasks` are those named, none for all of them."""

    tasks: tuple[str, ...] = ()
    path: str = ""
    scheme: str = "iobes"  # or iob, bracket
    tokens: bool = True
    offsets: bool = False
    user_tokens: bool = False
    pos_verbs: bool = False
    verbs_file: str = ""
    verbose: bool = False
    help: bool = False


def parse(arguments: Sequence[str]) -> Options:
    """The options; a file of verbs is tried as soon as it is named.

    Raises StrayArgumentError, and FatalError for a missing value or file.
    """
    options = Options()
    rest, named, schemes = iter(arguments), set(), set()
    for argument in rest:
        if argument in _SWITCHES:
            setattr(options, *_SWITCHES[argument])
        elif argument in ("-iobtags", "-brackettags"):
            schemes.add(argument)
        elif argument == "-path":
            options.path = _value(rest, "please provide a path for the -path option")
        elif argument == "-usrvbs":
            wanted = "please provide a filename for the -usrvbs option"
            options.verbs_file = _value(rest, wanted)
            opened(options.verbs_file).close()
        elif argument[:1] == "-" and argument[1:] in ORIGINAL_TASKS:
            named.add(argument[1:])
        else:
            raise StrayArgumentError(f"invalid argument: {argument}")
    options.tasks = tuple(task for task in ORIGINAL_TASKS if task in named)
    if schemes:
        options.scheme = "iob" if "-iobtags" in schemes else "bracket"
    return options


_SWITCHES = {
    "-verbose": ("verbose", True),
    "-notokentags": ("tokens", False),
    "-offsettags": ("offsets", True),
    "-usrtokens": ("user_tokens", True),
    "-posvbs": ("pos_verbs", True),
    "-h": ("help", True),
}  # fmt: skip


def _value(rest: Iterator[str], missing: str) -> str:
    value = next(rest, None)
    if value is None:
        raise FatalError(missing)
    return value


def opened(path: str, *, regular: bool = False) -> BinaryIO:
    """A file opened for reading; FatalError where it cannot be, or is not a `regular` file."""
    try:
        if regular and not stat.S_ISREG(os.stat(path).st_mode):  # a device may have no end
            raise OSError
        return open(path, "rb")
    except (OSError, ValueError):
        raise FatalError(f"unable to open file <{path}>") from None
