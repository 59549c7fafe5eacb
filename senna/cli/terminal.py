"""Terminals: the output as a user sees it, progress bars, and a note while senna waits."""

from __future__ import annotations

import io
import math
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import IO, TYPE_CHECKING, Any, BinaryIO

from senna.errors import SennaError, counted

if TYPE_CHECKING:
    from senna.pipeline.format import Piece

COMPLETING = "_SENNA_COMPLETE"  # set where a shell asks what may come next
SLOW = 2.0  # seconds of work before its progress is shown
LONG = 10.0  # seconds of a run that ends with a sentence
BETWEEN = 30.0  # seconds between two lines of progress in a file

# Control characters in UTF-8, but tabs and ends of lines; and escape sequences for colours.
_CONTROL = re.compile(rb"\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]")
_COLOUR = re.compile(rb"(\x1b\[[0-9;]*m)")


class Terminal(io.BufferedIOBase):
    """A terminal's bytes, with control characters written as escapes, for example \\x1b.

    `colours`: escape sequences for colours pass, as the writer's own.
    """

    colours = False

    def __init__(self, terminal: BinaryIO) -> None:
        self._terminal = terminal

    def write(self, data: bytes) -> int:  # type: ignore[override]
        """Write whole characters."""
        parts = _COLOUR.split(data) if self.colours else [data]
        parts[::2] = (
            _CONTROL.sub(lambda sign: repr(sign[0].decode())[1:-1].encode(), part)
            for part in parts[::2]
        )
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


def note(line: str) -> None:
    """Print a line of the program on stderr, in one piece, as other processes may print too."""
    if sys.stderr is not None:
        sys.stderr.write(f"senna: {line}\n")


class Lines:
    """Progress for a log: a line on stderr every 30 seconds, none for what is faster."""

    def __init__(self, size: int | None, unit: str) -> None:
        self.total, self.unit, self.n = size, unit, 0
        self.began = self.told = time.monotonic()

    def update(self, n: int = 1) -> None:
        """Count what has been done."""
        self.n += n
        now = time.monotonic()
        if now - self.told >= BETWEEN and self.n < (self.total or math.inf):
            self.told = now
            share = f" ({self.n / self.total:.0%})" if self.total else ""
            note(f"{self.n:,} {self.unit}{share} after {now - self.began:.0f} s")
            sys.stderr.flush()


def progress(wanted: bool, size: int | None = None, unit: str = "characters") -> Any:
    """A bar on stderr, of slow work alone, of bytes or of words; lines if it is no terminal."""
    if not wanted or sys.stderr is None:
        return nullcontext(SimpleNamespace(update=lambda n=1: None, total=None, n=0))
    if not sys.stderr.isatty():
        return nullcontext(Lines(size, "words" if size is None else unit))
    from tqdm import tqdm

    unit = " words" if size is None else "B"
    return tqdm(total=size, unit=unit, unit_scale=True, delay=SLOW)


def report_waiting(inputs: Iterable[str | None], command: str, what: str) -> None:
    """Say on stderr that the program waits for input, if the user is at a terminal."""
    if "-" in inputs and sys.stdin and sys.stdin.isatty():
        end = "Ctrl-Z and Enter" if sys.platform == "win32" else "Ctrl-D"
        help_ = f"senna {command} --help"
        note(f"reading {what} from the terminal; press {end} to finish (see {help_})")


def report_no_kernel() -> None:
    """Say on stderr that the compiled kernel is missing, unless $SENNA_KERNEL leaves it out."""
    from senna.inference.kernel.library import missing

    if why := missing():
        note(why)


@contextmanager
def writing(output: Path | None, folder: Path | None, format: str) -> Iterator[Any]:
    """Where the output goes; a file appears whole or not at all, compressed as its name says."""
    from senna.pipeline.format import format_of

    if (into := format_of(format).into) is not None:
        yield into(folder)
    elif output is None:
        if sys.stdout is None:
            raise SennaError("standard output is closed", remedy="Name a file with --output.")
        if isinstance(sys.stdout.buffer, Terminal):
            sys.stdout.buffer.colours = format == "ansi"
        yield sys.stdout.buffer
    else:
        from senna.atomic import replacing_or_device

        with replacing_or_device(output) as out:
            yield out


@contextmanager
def progress_of(inputs: list[str], out: IO[bytes], quiet: bool) -> Iterator[Callable[[Piece], int]]:
    """Progress on stderr, if the output does not go to the terminal; of slow work alone.

    A function moves it by a tagged piece, and returns the piece's number of words, which are shown
    where the size of the input is not known.
    """
    from senna.files import PACKED
    from senna.pipeline.format import n_words

    compressed = (*PACKED, ".parquet")  # such a file's size does not tell how much text there is
    typed = "-" in inputs and sys.stdin is not None and sys.stdin.isatty()
    known = all(os.path.isfile(f) and not f.endswith(compressed) for f in inputs)
    size = sum(map(os.path.getsize, inputs)) if known else None
    with progress(not (quiet or typed or out.isatty()), size) as bar:

        def move(piece: Piece) -> int:
            words = n_words(piece.content)
            # Sizes of pieces are rough.
            bar.update(min(piece.size, bar.total - bar.n) if bar.total else words)
            return words

        yield move
        if bar.total:
            bar.update(bar.total - bar.n)


class Done:
    """The files and the words of a run so far; `remedy`: how to go on after Ctrl-C."""

    files = words = left = 0
    remedy = ""

    def count(self, words: int) -> None:
        """Add words."""
        self.words += words


@contextmanager
def summing(quiet: bool) -> Iterator[Done]:
    """Counts for a sentence on stderr at the end of a long run, or of one with several files."""
    done, began = Done(), time.monotonic()
    end = "stopped after"
    try:
        yield done
        end = "tagged"
    except KeyboardInterrupt:
        raise
    except BaseException:
        quiet = True
        raise
    finally:
        seconds = time.monotonic() - began
        if not quiet and (done.files or done.left or seconds >= LONG):
            n, whole = done.files + done.left, end == "tagged"
            files = f"{done.files:,} of {counted(n, 'file')}, " if n else ""
            left = f"; {counted(done.left, 'file')} left as before" if done.left and whole else ""
            remedy = "" if whole else f" {done.remedy}"
            line = f"{end} {files}{counted(done.words, 'word')} in {seconds:.0f} s{left}.{remedy}"
            note(line.rstrip())
