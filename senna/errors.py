"""The only error class that senna raises for users."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# Characters that terminals obey, as ESC, and those that end lines.
_CONTROL = {code: repr(chr(code))[1:-1] for code in (*range(0x20), *range(0x7F, 0xA0))}
# Options of the command whose arguments in Python have other names; in commands options stay.
_ARGUMENTS = {"from": "start_from", "name": "out", "nbest": "n_best", "set": "settings"}
_OPTION = (
    r"(`[^`]*`|\bsenna [a-z-]+ [^.,;)]*)"  # a command
    r"|(?<![\w-])--([a-z][a-z-]*)(?: (\w[\w.]+=[^\s)]*[^\s).,;]))?"  # an option, a setting after it
)


def plain(text: str) -> str:
    """Text on one line that a terminal only shows: control characters are written as escapes."""
    return text.translate(_CONTROL)


def as_arguments(text: str) -> str:
    """A message with arguments of a Python call in the place of options: n_best, not --nbest."""

    def argument(found: re.Match[str]) -> str:
        command, option, setting = found.groups()
        if command:
            return str(command)
        name = _ARGUMENTS.get(option) or option.replace("-", "_")
        return f'{name}=["{setting}"]' if setting else str(name)

    return re.sub(_OPTION, argument, text)


class SennaError(Exception):
    """A problem that the user can solve: bad input, a wrong option, a damaged file.

    `what` is the problem, `where` the place (``file:line``), `remedy` how to fix it, in the words
    of the command. The message is one line with all three. In Python it speaks of arguments; the
    command line prints it with its options, and exits with 2.
    """

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        self.what, self.where, self.remedy = what, where, remedy
        place = f"{where}: " if where else ""
        stop = "" if what.endswith((".", "?", "!")) else "."
        advice = f"{stop} {remedy}" if remedy else ""
        # As the command line shows it. A file name or tag may hold a line feed, or worse.
        self.line = plain(f"{place}{what}{advice}")
        super().__init__(as_arguments(self.line))

    def __reduce__(self) -> Any:
        """Its class, message and fields: classes below it are made from other arguments."""
        return _restored, (type(self), str(self), self.__dict__)


def no_sentences(where: str) -> SennaError:
    """The error for a file of gold sentences that has none."""
    return SennaError("the file has no sentences", where=where, remedy="Is it the right file?")


@contextmanager
def located(where: str) -> Iterator[None]:
    """Errors of what is done within get this place; "" leaves the place that they have."""
    try:
        yield
    except SennaError as error:
        raise SennaError(error.what, where=where or error.where, remedy=error.remedy) from None


def _restored(kind: type[SennaError], message: str, fields: dict[str, Any]) -> SennaError:
    error = kind.__new__(kind, message)
    error.__dict__.update(fields)
    return error


def counted(n: int, name: str) -> str:
    """A number of things, for example "1 column" or "2 columns"."""
    return f"{n:,} {name}{'s' * (n != 1)}"
