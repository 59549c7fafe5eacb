"""The table of input formats: how each is cut into pieces, and a piece into sentences.

A format is one record in `INPUTS`. The command's help reads this table, so that what a format
needs is imported in its functions: the tokenizer's patterns alone take time to compile.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from senna.files import Arriving
from senna.text import columns
from senna.text.columns import ColumnsSentence

if TYPE_CHECKING:
    from senna.answers.base import Line
    from senna.text.conll2012 import Conll2012Sentence
    from senna.text.conllu import ConlluSentence
    from senna.text.markup import Page
    from senna.text.records import Record
    from senna.text.roles import Listed
    from senna.text.tokenizer import Token

T = TypeVar("T")
LINES = 256  # lines, sentences of columns or rows of a table, a piece
CHARACTERS = 1 << 16  # of the rows of a table in a piece; a longer row is one by itself


@dataclass(frozen=True)
class Piece:
    """Some of the input, which holds whole sentences; its format says what `content` is.

    `start` is its offset in the input, `size` its length, roughly, both in characters. `file` is
    where it is from, if that has a name, and `opens` whether it is the first of it. `predicates`
    are those of its sentences, where a file lists them.
    """

    start: int
    size: int
    content: Any
    line: int = 1  # of the input, from 1, with which it begins
    file: str = ""
    opens: bool = False
    predicates: list[Listed] | None = None


class Reading(Protocol):
    """The options that readers heed: see `senna.pipeline.options`."""

    @property
    def convention(self) -> str: ...
    @property
    def line_breaks(self) -> str: ...
    @property
    def unit(self) -> str: ...
    @property
    def column(self) -> str: ...
    @property
    def keep(self) -> Sequence[str]: ...
    def split(self, text: str) -> list[list[Token]]: ...
    def run(self) -> list[str]: ...


class Input(NamedTuple):
    """An input format.

    `cut` makes pieces of an open text, whose name is for messages; `load`, in its place, of a file
    that is not text. `lines` are the sentences of a piece. `sentences` are those of its content
    where the format separates them; without it text is split. `pos` is the part-of-speech column
    of some of them, or nothing. `columns` are those that `--format columns` writes before the tags
    (words first), and document marks; without it the words alone, or with their offsets.
    """

    about: str  # for help
    lines: Callable[[Piece, Reading], list[Line]]
    cut: Callable[[Arriving, str, Reading], Iterator[Piece]] | None = None
    load: Callable[[str, Reading], Iterator[Piece]] | None = None
    sentences: Callable[[Any], Sequence[Any]] | None = None
    pos: Callable[[Any], list[list[str]]] = lambda content: []
    columns: Callable[[Any], tuple[list[list[list[str]]], list[Sequence[str]]]] | None = None
    offsets: bool = True  # whether its tokens have places in the input
    documents: bool = True  # whether sentences that follow one another belong together


def as_lines(text: str, sentences: list[list[Token]], start: int = 0) -> list[Line]:
    """Sentences of a text that begins at the offset `start`."""
    from senna.answers.base import Line

    places = ((sentence[0].start, sentence[-1].end, sentence) for sentence in sentences)
    return [Line(text[i - start : k - start], i, sentence) for i, k, sentence in places]


# --------------------------------------------------------------------------- raw text


def _cut_text(source: Arriving, name: str, reading: Reading) -> Iterator[Piece]:
    line = 1
    for start, text in _segments(source, reading):
        yield Piece(start, len(text), text, line)
        line += text.count("\n")


def _text(piece: Piece, reading: Reading) -> list[Line]:
    lines = as_lines(piece.content, _moved(reading.split(piece.content), piece.start), piece.start)
    return _numbered(lines, piece.content, piece)


def _numbered(lines: list[Line], text: str, piece: Piece) -> list[Line]:
    """The sentences of a text with the numbers of the lines on which they start."""
    number, place = piece.line, 0
    numbered = []
    for line in lines:
        start = line.start - piece.start
        number += text.count("\n", place, start)
        place = start
        numbered.append(line._replace(line=number))
    return numbered


def _segments(source: io.StringIO | Arriving, reading: Reading) -> Iterator[tuple[int, str]]:
    from senna.text import sentences

    return sentences.segments(
        source, convention=reading.convention, line_breaks=reading.line_breaks
    )


def _moved(sentences: list[list[Token]], start: int) -> list[list[Token]]:
    """Tokens with their offsets moved by `start`."""
    from senna.text.tokenizer import Token

    if not start:
        return sentences
    return [[Token(t.text, t.start + start, t.end + start) for t in tokens] for tokens in sentences]


def _cut_page(source: Arriving, name: str, reading: Reading) -> Iterator[Piece]:
    """A page, which is read as a whole: pieces of its text."""
    from senna.text.markup import read_page

    page = read_page("".join(iter(source.read, "")))
    whole = [(0, page.text)] if page.text.strip() else []
    parts = _segments(io.StringIO(page.text, newline=""), reading)
    for start, text in whole if reading.unit == "document" else parts:
        part = page.part(start, start + len(text))
        yield Piece(part.starts[0], part.ends[-1] - part.starts[0], part)


def _page(piece: Piece, reading: Reading) -> list[Line]:
    page: Page = piece.content
    return [
        line._replace(source=[page.place(token.start, token.end) for token in line.tokens])
        for line in as_lines(page.text, reading.split(page.text))
    ]


def _cut_csv(source: Arriving, name: str, reading: Reading) -> Iterator[Piece]:
    from senna.text.records import read_csv

    lines = (line for block in source.lines() for line in block)
    return _together(read_csv(lines, reading.column, reading.keep, name=name))


def _load_parquet(file: str, reading: Reading) -> Iterator[Piece]:
    from senna.text.records import read_parquet

    return _together(read_parquet(file, reading.column, reading.keep))


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


def _rows(piece: Piece, reading: Reading) -> list[Line]:
    return [
        line._replace(row=row, opens=i == 0, kept=dict(zip(reading.keep, kept, strict=True)))
        for row, text, kept in piece.content
        for i, line in enumerate(as_lines(text, reading.split(text)))
    ]


# --------------------------------------------------------------------------- one sentence per line


def _cut_lines(source: Arriving, name: str, reading: Reading) -> Iterator[Piece]:
    start, number = 0, 1
    for lines in _batches(source, source.lines()):
        if start == 0 and lines[0].startswith("\ufeff"):  # byte order mark
            lines[0], start = lines[0][1:], 1
        size = sum(map(len, lines))
        yield Piece(start, size, lines, number)
        start += size
        number += len(lines)


def _lines(piece: Piece, reading: Reading) -> list[Line]:
    from senna.text.tokenizer import tokenize

    return _by_line(piece, lambda line: tokenize(line, reading.convention))


def _tokens(piece: Piece, reading: Reading) -> list[Line]:
    from senna.text.tokenizer import words_of

    return _by_line(piece, words_of)


def _by_line(piece: Piece, split: Callable[[str], list[Token]]) -> list[Line]:
    start, sentences = piece.start, []
    for line in piece.content:
        if tokens := split(line):
            sentences += _moved([tokens], start)
        start += len(line)
    text = "".join(piece.content)
    return _numbered(as_lines(text, sentences, piece.start), text, piece)


def _not_blank(lines: list[str]) -> list[str]:
    return [line for line in lines if line.strip(" \t\r\n\ufeff")]


def _words(lines: list[str]) -> tuple[list[list[list[str]]], list[Sequence[str]]]:
    """The words of tokenised lines, without their offsets."""
    split = (line.rstrip("\r\n").replace("\t", " ").split(" ") for line in lines)
    forms = ([word for word in line if word] for line in split)
    return [[words] for words in forms if words], []


# --------------------------------------------------------------------------- one token per line


def _cut_columns(source: Arriving, name: str, reading: Reading) -> Iterator[Piece]:
    for batch in _batches(source, _whole(source, name, columns.read_columns)):
        yield Piece(0, sum(len(s.rows) * len(s.rows[0]) * 4 for s in batch), batch)


def _cut_conllu(source: Arriving, name: str, reading: Reading) -> Iterator[Piece]:
    from senna.text.conllu import EMPTY, HEAD, checked_arcs, read_conllu

    made = "dep" in reading.run()  # trees that are found anew replace those of the input
    for batch in _batches(source, _whole(source, name, read_conllu)):
        for sentence in batch:
            if not made and any(row[HEAD] != EMPTY for row in sentence.words):
                checked_arcs(sentence, name)
        yield Piece(0, sum(len(sentence.rows) * 40 for sentence in batch), batch)


def _cut_conll2012(source: Arriving, name: str, reading: Reading) -> Iterator[Piece]:
    from senna.text.conll2012 import read_conll2012

    for batch in _batches(source, _whole(source, name, read_conll2012)):
        yield Piece(0, sum(len(sentence.rows) * 60 for sentence in batch), batch)


def _columns(piece: Piece, reading: Reading) -> list[Line]:
    from senna.text.tokenizer import spaced

    sentences: list[ColumnsSentence] = piece.content
    return [
        line._replace(opens=bool(sentence.mark), line=sentence.line)
        for sentence in sentences
        for words in [[row[0] for row in sentence.rows]]
        for line in as_lines(" ".join(words), [spaced(words)])
    ]


def _conll2012(piece: Piece, reading: Reading) -> list[Line]:
    from senna.text.tokenizer import spaced

    sentences: list[Conll2012Sentence] = piece.content
    return [
        line._replace(opens=sentence.opens_document, line=sentence.line)
        for sentence in sentences
        for line in as_lines(" ".join(sentence.forms), [spaced(sentence.forms)])
    ]


def _kept_columns(
    sentences: list[ColumnsSentence],
) -> tuple[list[list[list[str]]], list[Sequence[str]]]:
    kept = [list(map(list, zip(*sentence.rows, strict=True))) for sentence in sentences]
    return kept, [sentence.mark for sentence in sentences]


def _second_column(sentences: list[ColumnsSentence]) -> list[list[str]]:
    if min(len(sentence.rows[0]) for sentence in sentences) < 2:
        return []
    return [[row[1] for row in sentence.rows] for sentence in sentences]


def _conllu(piece: Piece, reading: Reading) -> list[Line]:
    from senna.answers.base import Line
    from senna.text.conllu import FORM
    from senna.text.tokenizer import Token

    lines: list[Line] = []
    sentences: list[ConlluSentence] = piece.content
    for sentence in sentences:
        text, places = sentence.surface()
        pairs = zip(sentence.words, places, strict=True)
        tokens = [Token(row[FORM], start, end) for row, (start, end) in pairs]
        line = Line(text, 0, tokens, opens=sentence.opens_document, given=sentence)
        lines.append(line._replace(line=sentence.line))
    return lines


def _xpos(sentences: list[ConlluSentence]) -> list[list[str]]:
    from senna.text.conllu import XPOS

    return [[row[XPOS] for row in sentence.words] for sentence in sentences]


def n_words(content: Any) -> int:
    """How many words the content of a piece has, roughly, for those who wait."""
    if isinstance(content, list):
        return sum(map(n_words, content))
    rows = getattr(content, "rows", None)
    if rows is not None:
        return len(rows)
    if isinstance(content, str):
        return len(content.split())
    return len((content.text if hasattr(content, "text") else content[1]).split())


# --------------------------------------------------------------------------- batches


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


def _whole(source: Arriving, name: str, read: Callable[..., Iterator[T]]) -> Iterator[list[T]]:
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


# --------------------------------------------------------------------------- the table

INPUTS = {
    "text": Input("raw text", _text, cut=_cut_text),
    "html": Input("a web page (its visible text)", _page, cut=_cut_page),
    "lines": Input(
        "one sentence per line", _lines, cut=_cut_lines, sentences=_not_blank, documents=False
    ),
    "tokens": Input(
        "one sentence per line, words separated by spaces",
        _tokens,
        cut=_cut_lines,
        sentences=_not_blank,
        columns=_words,
        documents=False,
    ),
    "columns": Input(
        "one token per line, the word first; all columns are kept",
        _columns,
        cut=_cut_columns,
        sentences=list,
        pos=_second_column,
        columns=_kept_columns,
        offsets=False,
    ),
    "conllu": Input("CoNLL-U", _conllu, cut=_cut_conllu, sentences=list, pos=_xpos, offsets=False),
    "conll2012": Input(
        "CoNLL-2012",
        _conll2012,
        cut=_cut_conll2012,
        sentences=list,
        pos=lambda sentences: [sentence.pos for sentence in sentences],
        offsets=False,
    ),
    "csv": Input("a column of raw text (see --column)", _rows, cut=_cut_csv),
    "parquet": Input("the same", _rows, load=_load_parquet),
}
