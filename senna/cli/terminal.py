"""Terminals: what somebody in front of one sees of the output, and of a program that waits."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterable
from contextlib import nullcontext
from typing import Any, BinaryIO

SLOW = 2.0  # seconds of work before its progress is shown

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


def progress(wanted: bool, size: int | None = None) -> Any:
    """A bar on stderr, if that is a terminal, of slow work alone: of bytes, or of words."""
    if not wanted or sys.stderr is None or not sys.stderr.isatty():
        return nullcontext()
    from tqdm import tqdm

    unit = " words" if size is None else "B"
    return tqdm(total=size, unit=unit, unit_scale=True, delay=SLOW)


def report_waiting(inputs: Iterable[str | None], command: str, what: str) -> None:
    """A line on stderr where somebody at a terminal might think that the program hangs."""
    if "-" in inputs and sys.stdin and sys.stdin.isatty() and sys.stderr:
        end = "Ctrl-Z and Enter" if sys.platform == "win32" else "Ctrl-D"
        help_ = f"senna {command} --help"
        sys.stderr.write(f"senna: waiting for {what}, ended by {end}; {help_} tells more\n")
