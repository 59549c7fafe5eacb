"""`senna tag`: text in, tags out."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from senna.cli.options import choice
from senna.errors import SennaError
from senna.text.choices import CONVENTIONS, FORMATS, INPUTS, LINE_BREAKS
from senna.text.schemes import SCHEMES

if TYPE_CHECKING:
    from senna.infer.stream import Options, Piece, Work

EXAMPLE = "Example: senna tag < data/sample.txt > tagged.txt"


def tag_command(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE", help="Input; - is stdin.")
    ] = None,
    task: Annotated[
        str, typer.Option(metavar="LIST", help="Tasks, as pos,ner. Default: all that ship.")
    ] = "",
    input_: Annotated[
        str,
        choice(
            INPUTS,
            "--input",
            help="text: raw; lines: a sentence a line; tokens: the same, words parted by spaces; "
            "columns: word first, all columns kept.",
        ),
    ] = "text",
    format_: Annotated[
        str,
        choice(FORMATS, "--format", help="Tab-separated columns, or a JSON object a sentence."),
    ] = "columns",
    scheme: Annotated[str, choice(SCHEMES, help="How phrases are written.")] = "iobes",
    predicates: Annotated[
        str,
        typer.Option(
            metavar="auto|pos|FILE|DIR",
            help="For srl: found by our model; all verbs; as FILE lists; found by DIR's model.",
        ),
    ] = "auto",
    offsets: Annotated[
        bool, typer.Option("--offsets", help="Add each token's start and end, in characters.")
    ] = False,
    model: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Your own model.", show_default=False)
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", show_default=False)
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, metavar="N", help="Processes.")] = 1,
    line_breaks: Annotated[
        str,
        choice(
            LINE_BREAKS,
            help="What a single line break in raw text is: a sentence's end, or a space.",
        ),
    ] = "auto",
    convention: Annotated[
        str,
        choice(
            CONVENTIONS,
            help="modern cuts hyphenated words, as our models expect; classic does not.",
        ),
    ] = "modern",
    errors: Annotated[
        str,
        choice(("strict", "replace"), help="Invalid UTF-8: stop and say where, or write U+FFFD."),
    ] = "strict",
) -> None:
    """Tag text: parts of speech, chunks, entities, semantic roles.

    One token a line with a column a task, a blank line after each sentence. For srl: the word
    where it is a predicate, then a column of roles a predicate.

    A list of predicates has a line a sentence: their numbers, from 1. Or it is a column: a line a
    token, - where it is none, and a blank line after each sentence.
    """
    from senna.infer.pipeline import finder_of
    from senna.infer.stream import Options, Work

    if offsets and input_ == "columns":
        raise SennaError("columns have no offsets", where="--offsets")
    options = Options(input_, format_, scheme, offsets, convention, line_breaks)
    tasks = [name.strip() for name in task.split(",") if name.strip()] or None
    finder, listed = finder_of(predicates)
    if listed and input_ == "text":
        what = "a list of predicates needs sentences that are told apart already"
        mend = "Give --input tokens, lines or columns."
        raise SennaError(what, where="--predicates", mend=mend)
    work = Work(tasks, model, options, finder)
    inputs = files or ["-"]
    if output is None:
        _run(work, inputs, listed, sys.stdout.buffer, jobs, errors)
    elif output.exists() and not output.is_file():
        # A device or a pipe: it must stay what it is.
        with _opened(output, output) as out:
            _run(work, inputs, listed, out, jobs, errors, str(output))
    else:
        _replace(work, inputs, listed, output.resolve(), jobs, errors)


def _replace(
    work: Work, inputs: list[str], listed: str, output: Path, jobs: int, errors: str
) -> None:
    """Write a temporary file beside its place; only when it is whole does it go there."""
    temporary = output.with_name(f"{output.name}.{os.getpid()}.tmp")
    try:
        with _opened(temporary, output) as out:
            _run(work, inputs, listed, out, jobs, errors, str(output))
        os.replace(temporary, output)
    finally:
        temporary.unlink(missing_ok=True)


def _opened(path: Path, shown: Path) -> IO[bytes]:
    try:
        return path.open("wb", buffering=0)
    except OSError as error:
        raise SennaError(f"cannot write: {error.strerror}", where=str(shown)) from None


def _run(
    work: Work,
    inputs: list[str],
    listed: str,
    out: IO[bytes],
    jobs: int,
    errors: str,
    name: str = "<stdout>",
) -> None:
    """Read, tag and write piece by piece."""
    from senna.infer.stream import tag_pieces

    pieces = _pieces(inputs, errors, work.options)
    if listed:
        pieces = _with_predicates(pieces, listed, work.options)
    with _progress(inputs, out) as bar:
        for piece, text in tag_pieces(work, pieces, jobs):
            # A surrogate can only have come from the input's own escapes: let it out.
            _write(out, text.encode("utf-8", "surrogatepass"), name)
            if bar is not None:
                bar.update(piece.size)


def _pieces(inputs: list[str], errors: str, options: Options) -> Iterator[Piece]:
    """The pieces of all files; one that is missing is told before the first is tagged."""
    from senna.files import open_text
    from senna.infer.stream import read_pieces

    for file in inputs:
        if file != "-" and not os.path.exists(file):
            open_text(file).close()
    for file in inputs:
        with open_text(file, errors) as stream:
            yield from read_pieces(stream, "<stdin>" if file == "-" else file, options)


def _with_predicates(pieces: Iterator[Piece], file: str, options: Options) -> Iterator[Piece]:
    """The pieces with the predicates that a file lists for their sentences."""
    from senna.files import open_text
    from senna.infer.stream import with_predicates
    from senna.text.roles import read_predicates

    with open_text(file) as lines:
        yield from with_predicates(pieces, read_predicates(lines, name=file), options, file)


def _write(out: IO[bytes], data: bytes, name: str) -> None:
    rest = memoryview(data)
    try:
        while rest:  # a file without a buffer may take a part only
            rest = rest[out.write(rest) :]
        out.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise SennaError(f"cannot write: {error.strerror}", where=name) from None


def _progress(inputs: list[str], out: IO[bytes]) -> Any:
    """A bar on stderr when files of some size go to a file."""
    plain = all(os.path.isfile(f) and not f.endswith((".gz", ".xz", ".bz2")) for f in inputs)
    size = sum(os.path.getsize(f) for f in inputs if os.path.isfile(f))
    if size <= 1_000_000 or out.isatty() or not sys.stderr.isatty():
        return nullcontext()
    from tqdm import tqdm

    return tqdm(total=size if plain else None, unit="B", unit_scale=True)
