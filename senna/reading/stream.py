"""A stream of text to a stream of tags: read in pieces, tag each, write in order.

A piece holds whole sentences and is tagged by itself, here or in another process, so memory
does not grow with the input and the output is the same for any number of processes.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TextIO

from senna.errors import SennaError
from senna.files import Arriving, open_text
from senna.infer.pipeline import Pipeline
from senna.outputs.base import Annotation, Line
from senna.pool import in_order
from senna.reading.formats import INPUTS, Piece
from senna.reading.texts import Reading
from senna.text.roles import read_predicates
from senna.writing.columns import as_columns
from senna.writing.output import Style, format_of


def read_files(files: Sequence[str], errors: str, reading: Reading) -> Iterator[Piece]:
    """The pieces of all files ("-": standard input); a missing one is an error before the first."""
    for file in files:
        if file != "-" and not os.path.exists(file):
            if " " in file.strip():
                mend = f"For a text: echo {shlex.quote(file)} | senna tag"
                raise SennaError("no such file", where=file, mend=mend)
            open_text(file).close()
    load = INPUTS[reading.input].load
    for file in files:
        pieces = load(file, reading) if load else _read_text(file, errors, reading)
        opens, named = True, file if file != "-" else ""
        for piece in pieces:
            yield replace(piece, file=named, opens=opens)
            opens = False


def _read_text(file: str, errors: str, reading: Reading) -> Iterator[Piece]:
    with open_text(file, errors) as stream:
        yield from read_pieces(stream, "<stdin>" if file == "-" else file, reading)


def read_pieces(stream: TextIO, name: str, reading: Reading) -> Iterator[Piece]:
    """Cut the input into pieces of whole sentences; where it pauses none is held back."""
    cut = INPUTS[reading.input].cut
    assert cut is not None
    yield from cut(Arriving(stream), name, reading)


def with_predicates(pieces: Iterator[Piece], file: str, reading: Reading) -> Iterator[Piece]:
    """Pieces with the predicates that a file lists for their sentences, in order."""
    sentences = INPUTS[reading.input].sentences
    if sentences is None:
        names = [name for name, known in INPUTS.items() if known.sentences]
        what = "a list of predicates needs sentences that are separated already"
        mend = f"Give --input {', '.join(names)}."
        raise SennaError(what, where="--predicates", mend=mend)
    return _with_predicates(pieces, file, sentences)


def _with_predicates(
    pieces: Iterator[Piece], file: str, sentences: Callable[[object], Sequence[object]]
) -> Iterator[Piece]:
    mend = "It needs one entry for each sentence of the input."
    with open_text(file) as stream:
        entries = read_predicates(stream, name=file)
        for piece in pieces:
            needed = len(sentences(piece.content))
            listed = list(islice(entries, needed))
            if len(listed) < needed:
                what = "ends before the input does: too few sentences"
                raise SennaError(what, where=file, mend=mend)
            yield replace(piece, predicates=listed)
        rest = next(entries, None)
    if rest is not None:
        raise SennaError("the input has no more sentences", where=rest.where, mend=mend)


def lines_of(piece: Piece, reading: Reading) -> list[Line]:
    """The sentences of a piece, and where they are from."""
    lines = INPUTS[reading.input].lines(piece, reading)
    if piece.opens and lines:
        lines[0] = lines[0]._replace(opens=True)
    return [line._replace(file=piece.file) for line in lines] if piece.file else lines


def tag_piece(
    pipeline: Pipeline,
    piece: Piece,
    reading: Reading,
    format: str = "columns",
    style: Style = Style(),  # noqa: B008
) -> str:
    """Tag one piece and write it in an output format."""
    keep = INPUTS[reading.input].columns
    if keep and format == "columns" and not style.offsets:
        kept, marks = keep(piece.content)
        annotation = _annotate(pipeline, [columns[0] for columns in kept], piece, reading)
        return as_columns(kept, annotation, style.scheme, marks)
    lines = lines_of(piece, reading)
    annotation = _annotate(pipeline, [line.words for line in lines], piece, reading)
    return format_of(format).write(lines, annotation, style)


def _annotate(
    pipeline: Pipeline, forms: list[list[str]], piece: Piece, reading: Reading
) -> Annotation:
    """What is found in a piece's sentences, with what the input itself says of them."""
    pos = INPUTS[reading.input].pos(piece.content) if pipeline.needs_pos_column else None
    given = {"pos": pos} if pos else {}
    if piece.predicates is None:
        return pipeline.annotate(forms, given)
    if len(piece.predicates) != len(forms):
        mend = "A line of blanks only is no sentence."
        raise SennaError("lines without tokens", where=piece.predicates[0].where, mend=mend)
    places = [entry.of(words) for entry, words in zip(piece.predicates, forms, strict=True)]
    return pipeline.annotate(forms, given, places)


def tag_pieces(
    pieces: Iterator[Piece],
    reading: Reading,
    format: str,
    style: Style,
    jobs: int,
) -> Generator[tuple[Piece, str], None, None]:
    """Tag pieces here, or in `jobs` processes; results come in the order of the input."""
    return in_order(partial(_tagger, reading, format, style), pieces, jobs)


def _tagger(reading: Reading, format: str, style: Style) -> Callable[[Piece], str]:
    return partial(tag_piece, reading.pipeline(), reading=reading, format=format, style=style)
