"""The `senna` program: how it begins, and how errors reach the terminal."""

from __future__ import annotations

import io
import os
import sys
import warnings
from typing import NoReturn

# One thread per process: set before NumPy loads. Tags then do not depend on the machine's cores,
# and --jobs is what uses them.
if len(sys.argv) > 1 and sys.argv[1] not in ("train", "pretrain", "ensemble", "lm"):
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("MKL_NUM_THREADS", "1")

from senna.cli.terminal import COMPLETING, Terminal, note
from senna.errors import SennaError, plain
from senna.files import wait_for


def main() -> None:
    """Run the program; errors that the user can fix print one line on stderr and exit with 2."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        wait_for(sys.stdout)
        binary = sys.stdout.buffer
        if isinstance(binary, io.RawIOBase):  # with PYTHONUNBUFFERED, whose write() may be partial
            binary = io.BufferedWriter(binary)
        if sys.stdout.isatty():
            sys.stdout = io.TextIOWrapper(Terminal(binary), line_buffering=True)
        elif binary is not sys.stdout.buffer:
            sys.stdout, _former = io.TextIOWrapper(binary), sys.stdout  # would close the file
        # The same bytes everywhere, Windows too; a path may be no UTF-8.
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
    warnings.showwarning = lambda message, *_: note(f"warning: {message}")
    try:
        _run(sys.argv[1:])
    except SennaError as error:
        _end(2, error.line)
    except BrokenPipeError:  # the reader has gone (`senna tag | head`): nothing more to say
        _end(141)
    except OSError as error:  # standard output on a full disk
        _end(2, plain(f"{error.filename or '<stdout>'}: {error.strerror}"))
    except SystemExit as end:
        if not isinstance(end.__context__, BrokenPipeError):
            raise
        _end(141)  # Typer's answer to the same


def _run(arguments: list[str]) -> None:
    if arguments[:1] == ["tag"] and COMPLETING not in os.environ:
        from senna.cli.tag import tag_command, tag_values

        values = tag_values(arguments[1:])
        if values is not None:
            tag_command(**values)
            return
    from senna.cli.app import run

    run()


def _end(code: int, line: str = "") -> NoReturn:
    """Tell why, and forget output that cannot be written: Python would try again, and complain."""
    if line:
        note(line)
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        from senna.files import forget_output

        forget_output()
    sys.exit(code)


if __name__ == "__main__":
    main()
