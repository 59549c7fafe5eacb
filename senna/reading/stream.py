"""A stream of text to a stream of tags: read in pieces, tag each, write in order.

A piece holds whole sentences and is tagged by itself, here or in another process, so memory
does not grow with the input and the output is the same for any number of processes.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from senna.errors import SennaError
from senna.files import Arriving, open_text
from senna.infer.pipeline import Given, Pipeline
from senna.outputs.base import Annotation, Line
from senna.pool import in_order
from senna.text import columns
from senna.text.choices import TEXTS
from senna.text.roles import Listed, read_predicates
from senna.writing.columns import as_columns
from senna.writing.output import Style, format_of

# The tokenizer's patterns take time to compile: text that is tokenised already does not wait.
if TYPE_CHECKING:
    from senna.text.conllu import ConlluSentence
    from senna.text.markup import Page
    from senna.text.records import Record
    from senna.text.tokenizer import Token

T = TypeVar("T")
LINES = 256  # lines, sentences of columns or rows of a table, a piece
CHARACTERS = 1 << 16  # of the rows of a table in a piece; a longer row is one by itself
RAW = (*TEXTS, "csv", "parquet")  # input that is not cut into sentences yet


@dataclass(frozen=True)
class Options:
    """How input is read and output written."""

    input: str = "text"
    format: str = "columns"
    scheme: str = "iobes"
    offsets: bool = False
    convention: str = "modern"
    line_breaks: str = "auto"
    column: str = "text"  # of a table

    @property
    def style(self) -> Style:
        """What is chosen of the format."""
        return Style(self.scheme, self.offsets)


@dataclass(frozen=True)
class Piece:
    """Some of the input: raw text, a page, lines, sentences in columns, CoNLL-U, rows of a table.

    `start` is its offset in the input, `size` its length, roughly, both in characters. `file` is
    where it is from, if that has a name, and `opens` whether it is the first of it. `predicates`
    are those of its sentences, where a file lists them.
    """

    start: int
    size: int
    content: Any
    file: str = ""
    opens: bool = False
    predicates: list[Listed] | None = None


# --------------------------------------------------------------------------- reading


def read_files(files: Sequence[str], errors: str, options: Options) -> Iterator[Piece]:
    """The pieces of all files ("-": standard input); one that is missing is told first of all."""
    for file in files:
        if file != "-" and not os.path.exists(file):
            open_text(file).close()
    for file in files:
        if options.input == "parquet":
            pieces = _tables(file, options)
        else:
            pieces = _read_text(file, errors, options)
        opens, named = True, file if file != "-" else ""
        for piece in pieces:
            yield replace(piece, file=named, opens=opens)
            opens = False


def _read_text(file: str, errors: str, options: Options) -> Iterator[Piece]:
    with open_text(file, errors) as stream:
        yield from read_pieces(stream, "<stdin>" if file == "-" else file, options)


def read_pieces(stream: TextIO, name: str, options: Options) -> Iterator[Piece]:
    """Cut the input into pieces of whole sentences; where it pauses none is held back."""
    source = Arriving(stream)
    if options.input == "text":
        yield from (Piece(start, len(text), text) for start, text in _segments(source, options))
    elif options.input == "html":
        yield from _pages(source, options)
    elif options.input == "columns":
        for found in _batches(source, _sentences(source, name, columns.read_columns)):
            yield Piece(0, sum(len(s.rows) * len(s.rows[0]) * 4 for s in found), found)
    elif options.input == "conllu":
        from senna.text.conllu import read_conllu

        for read in _batches(source, _sentences(source, name, read_conllu)):
            yield Piece(0, sum(len(own.rows) * 40 for own in read), read)
    elif options.input == "csv":
        from senna.text.records import read_csv

        every = (line for block in source.lines() for line in block)
        yield from _together(read_csv(every, options.column, name=name))
    else:
        start = 0
        for lines in _batches(source, source.lines()):
            if start == 0 and lines[0].startswith("\ufeff"):  # byte order mark
                lines[0], start = lines[0][1:], 1
            size = sum(map(len, lines))
            yield Piece(start, size, lines)
            start += size


def _tables(file: str, options: Options) -> Iterator[Piece]:
    from senna.text.records import read_parquet

    return _together(read_parquet(file, options.column))


def _together(records: Iterable[Record]) -> Iterator[Piece]:
    """Rows of a table, some in a piece."""
    held: list[Record] = []
    size = 0
    for record in records:
        if held and (len(held) == LINES or size + len(record[1]) > CHARACTERS):
            yield Piece(0, size, held)
            held, size = [], 0
        held.append(record)
        size += len(record[1])
    if held:
        yield Piece(0, size, held)


def _pages(source: Arriving, options: Options) -> Iterator[Piece]:
    """A page, which is read as a whole: pieces of its text."""
    from senna.text.markup import read_page

    page = read_page("".join(iter(source.read, "")))
    for start, text in _segments(io.StringIO(page.text, newline=""), options):
        part = page.part(start, start + len(text))
        yield Piece(part.starts[0], part.ends[-1] - part.starts[0], part)


def _segments(source: TextIO | Arriving, options: Options) -> Iterator[tuple[int, str]]:
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


def _sentences(source: Arriving, name: str, read: Callable[..., Iterator[T]]) -> Iterator[list[T]]:
    """The sentences, as `read` has them, that are whole with each block."""
    lines: list[str] = []
    done = 1
    for block in source.lines():
        known = len(lines)
        lines += block
        n = columns.whole_sentences(lines, known)
        yield list(read(lines[:n], name=name, start=done))
        done += n
        del lines[:n]
    yield list(read(lines, name=name, start=done))


def with_predicates(pieces: Iterator[Piece], file: str, options: Options) -> Iterator[Piece]:
    """Pieces with the predicates that a file lists for their sentences, in order."""
    mend = "It needs one entry for each sentence of the input."
    with open_text(file) as stream:
        listed = read_predicates(stream, name=file)
        for piece in pieces:
            lines = piece.content
            if options.input in ("lines", "tokens"):
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
    if options.format == "columns":
        if options.input == "columns":
            return tag_rows(pipeline, piece, options)
        if options.input == "tokens" and not options.offsets:
            # The short way for tokenised text: no Token objects.
            split = (line.rstrip("\r\n").replace("\t", " ").split(" ") for line in piece.content)
            forms = [own for line in split if (own := [word for word in line if word])]
            kept = [[own] for own in forms]
            return as_columns(kept, annotate(pipeline, forms, piece), options.scheme)
    lines = lines_of(piece, options)
    given = given_of(pipeline, piece, options)
    found = annotate(pipeline, [line.words for line in lines], piece, given)
    return format_of(options.format).write(lines, found, options.style)


def lines_of(piece: Piece, options: Options) -> list[Line]:
    """The sentences of a piece, and where they are from."""
    if options.input in ("csv", "parquet"):
        found = [line for record in piece.content for line in _lines_of_row(record, options)]
    elif options.input == "html":
        found = _lines_of_page(piece.content, options)
    elif options.input == "columns":
        read: list[columns.ColumnsSentence] = piece.content
        words = [[row[0] for row in sentence.rows] for sentence in read]
        found = [Line(" ".join(own), 0, spaced(own)) for own in words]
        marks = [bool(sentence.mark) for sentence in read]
        found = [line._replace(opens=mark) for line, mark in zip(found, marks, strict=True)]
    elif options.input == "conllu":
        found = [_line_of_conllu(sentence) for sentence in piece.content]
    else:
        source, begin = "".join(piece.content), piece.start
        tokens = tokens_of(piece, options)
        texts = (source[own[0].start - begin : own[-1].end - begin] for own in tokens)
        found = [Line(text, own[0].start, own) for text, own in zip(texts, tokens, strict=True)]
    if piece.opens and found:
        found[0] = found[0]._replace(opens=True)
    return [line._replace(file=piece.file) for line in found] if piece.file else found


def _lines_of_row(record: Record, options: Options) -> list[Line]:
    row, text = record
    found = _lines_of_text(text, options)
    return [line._replace(row=row, opens=i == 0) for i, line in enumerate(found)]


def _lines_of_page(page: Page, options: Options) -> list[Line]:
    found = _lines_of_text(page.text, options)
    return [
        line._replace(source=[page.place(token.start, token.end) for token in line.tokens])
        for line in found
    ]


def _lines_of_text(text: str, options: Options) -> list[Line]:
    from senna.text import sentences

    found = sentences.split(text, options.convention, options.line_breaks)
    return [Line(text[own[0].start : own[-1].end], own[0].start, own) for own in found]


def _line_of_conllu(sentence: ConlluSentence) -> Line:
    from senna.text.conllu import FORM
    from senna.text.tokenizer import Token

    text, places = sentence.surface()
    pairs = zip(sentence.words, places, strict=True)
    tokens = [Token(row[FORM], start, end) for row, (start, end) in pairs]
    return Line(text, 0, tokens, opens=sentence.opens_document, given=sentence)


def tag_rows(pipeline: Pipeline, piece: Piece, options: Options) -> str:
    """Tag sentences of columns; their columns and document marks are kept, the tags follow."""
    read: list[columns.ColumnsSentence] = piece.content
    rows = [sentence.rows for sentence in read]
    forms = [[row[0] for row in sentence] for sentence in rows]
    found = annotate(pipeline, forms, piece, given_of(pipeline, piece, options))
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


def given_of(pipeline: Pipeline, piece: Piece, options: Options) -> Given:
    """The input's own parts of speech, where it has them, for a pipeline that wants them."""
    if not pipeline.needs_pos_column:
        return {}
    if options.input == "conllu":
        from senna.text.conllu import XPOS

        return {"pos": [[row[XPOS] for row in own.words] for own in piece.content]}
    if options.input == "columns" and min(len(own.rows[0]) for own in piece.content) > 1:
        return {"pos": [[row[1] for row in own.rows] for own in piece.content]}
    return {}


def tag_pieces(
    load: Callable[[], Pipeline], pieces: Iterator[Piece], options: Options, jobs: int
) -> Generator[tuple[Piece, str], None, None]:
    """Tag pieces here, or in `jobs` processes; results come in the order of the input."""
    return in_order(partial(_tagger, load, options), pieces, jobs)


def _tagger(load: Callable[[], Pipeline], options: Options) -> Callable[[Piece], str]:
    return partial(tag_piece, load(), options=options)
