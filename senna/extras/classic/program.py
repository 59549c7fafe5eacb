"""The program: lines in, columns out, each as soon as it can be."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any, Protocol

from senna.errors import SennaError
from senna.extras.classic.lines import Found, Verbs, Word, arriving, written
from senna.extras.classic.options import HELP, FatalError, Options, StrayArgumentError, parse
from senna.files import forget_output, standard_input

FAULT = 255


class Tagger(Protocol):
    """The tagger: the original's data, or the package's models."""

    tasks: tuple[str, ...]
    # As the original did: lines without words leave no line, and an empty line is a verb. Else
    # they leave an empty one, for callers that count, and empty lines tell that a list is wrong.
    exact: bool

    def words(self, line: bytes) -> list[Word]: ...

    def tag(
        self, sentences: Sequence[Sequence[Word]], verbs: Sequence[Sequence[int]] | None
    ) -> list[Found]: ...


def main() -> None:
    """Run as a program of its own, which the stand-ins do: it starts sooner than all of senna."""
    # Set before NumPy loads: one thread per process.
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    try:
        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # the reader has gone
        forget_output()
        sys.exit(141)


def run(arguments: Sequence[str]) -> int:
    """Tag standard input as the arguments say; returns the exit code, 255 for any fault."""
    try:
        out = _standard_output()
        try:
            options = parse(arguments)
        except StrayArgumentError as error:
            out.write(f"{error.what}\n{HELP}".encode("utf-8", "surrogateescape"))
            return FAULT
        if options.help:
            out.write(HELP.encode())
        else:
            _tag_lines(_tagger(options), options, out)
        out.flush()
    except SennaError as error:
        _tell(f"FATAL ERROR: {error.what if isinstance(error, FatalError) else error}")
        return FAULT
    except BrokenPipeError:
        raise
    except OSError as error:  # a full disk
        _tell(f"FATAL ERROR: {error.strerror}")
        forget_output()
        return FAULT
    return 0


def _tagger(options: Options) -> Tagger:
    """The original's data where the path has them, else our models."""
    path = options.path
    if path and not path.endswith(("/", os.sep)):
        path += "/"

    def say(text: str) -> None:
        if options.verbose:
            _tell(f"[{text}]")

    if os.path.isdir(path + "hash") or (path and not os.path.isdir(path)):
        from senna.lab.original.tagger import Original

        return Original(path, options, say, _warn)
    from senna.extras.classic.package_models import PackageModels

    return PackageModels(options, say)


def _tag_lines(tagger: Tagger, options: Options, out: Any) -> None:
    verbs = None
    if options.verbs_file and "srl" in tagger.tasks:
        verbs = Verbs(options.verbs_file, lax=tagger.exact)
    blank = b"" if tagger.exact else b"\n"
    for lines in arriving(_standard_input()):
        # A fault in the list of verbs shows after what comes before it.
        for part in [[line] for line in lines] if verbs else [lines]:
            sentences = [tagger.words(line) for line in part]
            kept = [words for words in sentences if words]
            places = [verbs.of(len(words)) for words in kept] if verbs else None
            results = iter(tagger.tag(kept, places))
            for words in sentences:
                out.write(written(words, next(results), options) if words else blank)
        out.flush()


def _standard_output() -> Any:
    if sys.stdout is None:
        raise FatalError("standard output is closed")
    return sys.stdout.buffer


def _standard_input() -> Any:
    if sys.stdin is None or sys.stdin.closed:
        raise FatalError("standard input is closed")
    return standard_input()


def _warn(text: str) -> None:
    _tell(f"WARNING: {text}")


def _tell(text: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(f"{text}\n")
