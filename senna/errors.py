"""The only error class that senna raises for users."""

from __future__ import annotations

from typing import Any

# Characters that terminals obey, as ESC, and those that end lines.
_CONTROL = {code: repr(chr(code))[1:-1] for code in (*range(0x20), *range(0x7F, 0xA0))}


def plain(text: str) -> str:
    """Text on one line that a terminal only shows: control characters are written as escapes."""
    return text.translate(_CONTROL)


class SennaError(Exception):
    """A problem that the user can solve: bad input, a wrong option, a damaged file.

    `what` is the problem, `where` the place (``file:line``), `mend` the remedy. The message is one
    line with all three; the command line prints it and exits with 2.
    """

    def __init__(self, what: str, *, where: str = "", mend: str = "") -> None:
        self.what, self.where, self.mend = what, where, mend
        place = f"{where}: " if where else ""
        stop = "" if what.endswith((".", "?", "!")) else "."
        advice = f"{stop} {mend}" if mend else ""
        # Whatever the input held: a file name or tag may hold a line feed, or worse.
        super().__init__(plain(f"{place}{what}{advice}"))

    def of_command(self) -> str:
        """The message as the command line shows it."""
        return str(self)

    def __reduce__(self) -> Any:
        """Its class, message and fields: classes below it are made from other arguments."""
        return _restored, (type(self), str(self), self.__dict__)


def _restored(kind: type[SennaError], message: str, fields: dict[str, Any]) -> SennaError:
    error = kind.__new__(kind, message)
    error.__dict__.update(fields)
    return error
