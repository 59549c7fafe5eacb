"""Standard output where it is a terminal: it shows what the input holds, and obeys none of it."""

from __future__ import annotations

import io
import re
from typing import BinaryIO

# Control characters in UTF-8, but tabs and ends of lines; and escape sequences for colours.
_CONTROL = re.compile(rb"\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]")
_COLOUR = re.compile(rb"(\x1b\[[0-9;]*m)")


class Terminal(io.BufferedIOBase):
    """A terminal's bytes, with control characters of the input written as escapes, as \\x1b.

    `colours`: escape sequences for colours pass, as the writer's own.
    """

    colours = False

    def __init__(self, terminal: BinaryIO) -> None:
        self._terminal = terminal

    def write(self, data: bytes) -> int:  # type: ignore[override]
        """Write whole characters."""
        parts = _COLOUR.split(data) if self.colours else [data]
        parts[::2] = (_CONTROL.sub(_escape, part) for part in parts[::2])
        self._terminal.write(b"".join(parts))
        return len(data)

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._terminal.fileno()

    def flush(self) -> None:
        self._terminal.flush()


def _escape(match: re.Match[bytes]) -> bytes:
    return repr(match[0].decode())[1:-1].encode()
