"""A stream of text to a stream of tags: read in pieces, tag each, write in order.

A piece holds whole sentences and is tagged by itself, here or in another process, so memory
does not grow with the input and the output is the same for any number of processes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from senna.errors import SennaError
from senna.files import Arriving, open_text
from senna.infer.output import Line, as_columns, as_json
from senna.infer.pipeline import Annotation, Given, Pipeline
from senna.pool import in_order
from senna.text import columns
from senna.text.roles import Listed, read_predicates

# The tokenizer's patterns take time to compile: text that is tokenised already does not wait.
if TYPE_CHECKING:
    from senna.text.tokenizer import Token

T = TypeVar("T")
LINES = 256  # lines, or sentences of columns, a piece


@dataclass(frozen=True)
class Options:
    """How input is read and output written."""

    input: str = "text"
    format: str = "columns"
    scheme: str = "iobes"
    offsets: bool = False
    convention: str = "modern"
    line_breaks: str = "auto"


@dataclass(frozen=True)
class Piece:
    """Some of the input: raw text, lines, or sentences of columns.

    `start` is its offset in the input, `size` its length, roughly, both in characters.
    `predicates` are those of its sentences, where a file lists them.
    """

    start: int
    size: int
    content: Any
    predicates: list[Listed] | None = None


# --------------------------------------------------------------------------- reading


def read_files(files: Sequence[str], errors: str, options: Options) -> Iterator[Piece]:
    """The pieces of all files ("-": standard input); one that is missing is told first of all."""
    for file in files:
        if file != "-" and not os.path.exists(file):
            open_text(file).close()
    for file in files:
        with open_text(file, errors) as stream:
            yield from read_pieces(stream, "<stdin>" if file == "-" else file, options)


def read_pieces(stream: TextIO, name: str, options: Options) -> Iterator[Piece]:
    """Cut the input into pieces of whole sentences; where it pauses none is held back."""
    source = Arriving(stream)
    if options.input == "text":
        yield from (Piece(start, len(text), text) for start, text in _segments(source, options))
    elif options.input == "columns":
        for found in _batches(source, _sentences(source, name)):
            yield Piece(0, sum(len(s.rows) * len(s.rows[0]) * 4 for s in found), found)
    else:
        start = 0
        for lines in _batches(source, source.lines()):
            if start == 0 and lines[0].startswith("\ufeff"):  # byte order mark
                lines[0], start = lines[0][1:], 1
            size = sum(map(len, lines))
            yield Piece(start, size, lines)
            start += size


def _segments(source: Arriving, options: Options) -> Iterator[tuple[int, str]]:
    from senna.text import sentences

    return sentences.segments(
        source, convention=options.convention, line_breaks=options.line_breaks
    )


def _batches(source: Arriving, blocks: Iterator[list[T]]) -> Iterator[list[T]]:
    """What is in the blocks, `LINES` of it at a time, or fewer where the source pauses."""
    held: list[T] = []
    for block in blocks:
        held += block
        while len(held) >= LINES or (held and source.pausing):
            yield held[:LINES]
            del held[:LINES]
    if held:
        yield held


def _sentences(source: Arriving, name: str) -> Iterator[list[columns.ColumnsSentence]]:
    """The sentences of columns that are whole with each block."""
    lines: list[str] = []
    done = 1
    for block in source.lines():
        known = len(lines)
        lines += block
        n = columns.whole_sentences(lines, known)
        yield list(columns.read_columns(lines[:n], name=name, start=done))
        done += n
        del lines[:n]
    yield list(columns.read_columns(lines, name=name, start=done))


def with_predicates(pieces: Iterator[Piece], file: str, options: Options) -> Iterator[Piece]:
    """Pieces with the predicates that a file lists for their sentences, in order."""
    mend = "It needs one entry for each sentence of the input."
    with open_text(file) as stream:
        listed = read_predicates(stream, name=file)
        for piece in pieces:
            lines = piece.content
            if options.input != "columns":
                lines = [line for line in lines if line.strip(" \t\r\n\ufeff")]
            own = list(islice(listed, len(lines)))
            if len(own) < len(lines):
                what = "ends before the input does: too few sentences"
                raise SennaError(what, where=file, mend=mend)
            yield replace(piece, predicates=own)
        rest = next(listed, None)
    if rest is not None:
        raise SennaError("the input has no more sentences", where=rest.where, mend=mend)


def tokens_of(piece: Piece, options: Options) -> list[list[Token]]:
    """The sentences of a piece of text, lines or tokens, with offsets into the whole input."""
    from senna.text import sentences
    from senna.text.tokenizer import tokenize

    if options.input == "text":
        found = sentences.split(piece.content, options.convention, options.line_breaks)
        return shifted(found, piece.start)
    start, made = piece.start, []
    for line in piece.content:
        tokens = words_of(line) if options.input == "tokens" else tokenize(line, options.convention)
        if tokens:
            made += shifted([tokens], start)
        start += len(line)
    return made


def words_of(line: str) -> list[Token]:
    """The words of a tokenised line: what stands between spaces and tabs."""
    words = spaced(line.rstrip("\r\n").replace("\t", " ").split(" "))
    return [word for word in words if word.text]


def spaced(words: Sequence[str]) -> list[Token]:
    """Words with their offsets where one space parts them."""
    from senna.text.tokenizer import Token

    tokens, place = [], 0
    for word in words:
        tokens.append(Token(word, place, place + len(word)))
        place += len(word) + 1
    return tokens


def shifted(found: list[list[Token]], start: int) -> list[list[Token]]:
    """Tokens with their offsets moved by `start`."""
    from senna.text.tokenizer import Token

    if not start:
        return found
    return [[Token(t.text, t.start + start, t.end + start) for t in tokens] for tokens in found]


# --------------------------------------------------------------------------- tagging


def tag_piece(pipeline: Pipeline, piece: Piece, options: Options) -> str:
    """Tag one piece and write it."""
    if options.input == "columns":
        return tag_rows(pipeline, piece, options)
    if options.input == "tokens" and options.format == "columns" and not options.offsets:
        # The short way for tokenised text: no Token objects.
        lines = (line.rstrip("\r\n").replace("\t", " ").split(" ") for line in piece.content)
        forms = [own for line in lines if (own := [word for word in line if word])]
        return as_columns(
            [[own] for own in forms], annotate(pipeline, forms, piece), options.scheme
        )
    tokens = tokens_of(piece, options)
    found = annotate(pipeline, [[t.text for t in line] for line in tokens], piece)
    if options.format == "jsonl":
        source, begin = "".join(piece.content), piece.start
        texts = (source[own[0].start - begin : own[-1].end - begin] for own in tokens)
        written = [Line(text, own[0].start, own) for text, own in zip(texts, tokens, strict=True)]
        return as_json(written, found, options.scheme)
    kept = [[[t.text for t in line]] for line in tokens]
    if options.offsets:
        for row, own in zip(kept, tokens, strict=True):
            row += [[str(t.start) for t in own], [str(t.end) for t in own]]
    return as_columns(kept, found, options.scheme)


def tag_rows(pipeline: Pipeline, piece: Piece, options: Options) -> str:
    """Tag sentences of columns; their columns and document marks are kept, the tags follow."""
    read: list[columns.ColumnsSentence] = piece.content
    rows = [sentence.rows for sentence in read]
    forms = [[row[0] for row in sentence] for sentence in rows]
    found = annotate(pipeline, forms, piece, pos_column(pipeline, rows))
    if options.format == "jsonl":
        lines = [Line(" ".join(line), 0, spaced(line)) for line in forms]
        return as_json(lines, found, options.scheme)
    kept = [[list(column) for column in zip(*sentence, strict=True)] for sentence in rows]
    return as_columns(kept, found, options.scheme, [sentence.mark for sentence in read])


def annotate(
    pipeline: Pipeline, forms: list[list[str]], piece: Piece, given: Given = MappingProxyType({})
) -> Annotation:
    """What is found in a piece's sentences."""
    if piece.predicates is None:
        return pipeline.annotate(forms, given)
    if len(piece.predicates) != len(forms):
        mend = "A line of blanks only is no sentence."
        raise SennaError("lines without tokens", where=piece.predicates[0].where, mend=mend)
    places = [own.of(line) for own, line in zip(piece.predicates, forms, strict=True)]
    return pipeline.annotate(forms, given, places)


def pos_column(pipeline: Pipeline, rows: list[list[list[str]]]) -> Given:
    """The second column, where there is one, for a pipeline that wants it."""
    if not pipeline.needs_pos_column or min(len(sentence[0]) for sentence in rows) < 2:
        return {}
    return {"pos": [[row[1] for row in sentence] for sentence in rows]}


def tag_pieces(
    load: Callable[[], Pipeline], pieces: Iterator[Piece], options: Options, jobs: int
) -> Generator[tuple[Piece, str], None, None]:
    """Tag pieces here, or in `jobs` processes; results come in the order of the input."""
    return in_order(partial(_tagger, load, options), pieces, jobs)


def _tagger(load: Callable[[], Pipeline], options: Options) -> Callable[[Piece], str]:
    return partial(tag_piece, load(), options=options)
