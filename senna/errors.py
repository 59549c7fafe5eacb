"""The only error class that senna raises for users."""

from __future__ import annotations


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
        # One line, whatever the input held: a file name or tag may hold a line feed.
        super().__init__(f"{place}{what}{advice}".replace("\n", "\\n").replace("\r", "\\r"))
