"""Columns: one token per line, a blank line after each sentence (the CoNLL shared tasks' format).

Columns stand apart by a tab or by spaces; those written by a tab, words first, then those of each
task. Only a line feed ends a line (a carriage return before it goes with it): tokens may hold
U+0085, U+2028, no-break spaces, NUL and other control characters, which are data. A line whose
first column is ``-DOCSTART-`` starts a document.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from senna.annotation.predicates import NO_PREDICATE, Predicate
from senna.errors import SennaError, counted
from senna.files import Arriving
from senna.kinds import output_of
from senna.kinds.answer import Answers, Columns, Line
from senna.pipeline.format import Format, Input, Piece, batches
from senna.pipeline.options import Options
from senna.text.tokens import spaced

DOCUMENT_MARK, CONLL2012 = "-DOCSTART-", "#begin document"
LOOKED_AT = 20  # first lines that may show that a file is raw text
JSON = re.compile(r"\ufeff?\s*[{\[]\s*([\"{\[]|$)")
_TREE = re.compile(r"\s*\([^\s()]*\s*\([^\s()]+\s*[^\s]")
_TAG = re.compile(r"O|[BIESLU]-[^\s]+")
DOCUMENT_MARKS = (DOCUMENT_MARK, CONLL2012)  # lines that belong to the sentence after them
_SENTENCE = re.compile(r"""[^\t\n]*\S +\S+ +[^\t\n]*[a-z]{2}[.!?]+["')\u201d]*\s*""")
_BRAT = re.compile(r"[A-Z*#][0-9]*\t[^\t ]+ [0-9]+ [0-9]+")
T = TypeVar("T")
ONE_LINE = 8  # columns at least of a line that has all tokens of a file


class ColumnsSentence(NamedTuple):
    """A sentence of a column file.

    `rows` are the columns of each token, all of one length; `line` is the number of its first line,
    from 1: token i stands on line `line + i`. `mark` are the columns of the document mark that
    stood before it, if one did.
    """

    rows: list[list[str]]
    line: int
    mark: tuple[str, ...] = ()


def read_columns(lines: Iterable[str], *, name: str, start: int = 1) -> Iterator[ColumnsSentence]:
    """The sentences of a column file, one at a time.

    `name` is the file's, for messages, `start` the number of the first line. A line is split at its
    tabs if it has any (cells may then hold spaces or nothing), else at runs of spaces. Lines of
    nothing but spaces and tabs are blank. The number of columns may differ from sentence to
    sentence; within one, SennaError names the line.
    """
    rows: list[list[str]] = []
    first = 0
    document: tuple[str, ...] = ()
    for number, line in enumerate(lines, start):
        if number == 1:
            line = line.removeprefix("\ufeff")  # byte order mark
        line = line.removesuffix("\n").removesuffix("\r")
        blank = not line.strip(" \t")
        row = [] if blank else cells_of(line)
        mark = not blank and row[0] == DOCUMENT_MARK
        if blank or mark:
            if rows:
                yield ColumnsSentence(rows, first, document)
                rows, document = [], ()
            document = tuple(row) if mark else document
            continue
        if not rows:
            first = number
        elif len(row) != len(rows[0]):
            what = f"{counted(len(row), 'column')}, expected {len(rows[0])}"
            remedy = "Every line of a sentence needs as many columns as the first."
            raise SennaError(what, where=f"{name}:{number}", remedy=remedy)
        rows.append(row)
    if rows:
        yield ColumnsSentence(rows, first, document)


def cells_of(line: str) -> list[str]:
    """The cells of a line: at its tabs if it has any, else at runs of spaces."""
    if "\t" in line:
        return line.split("\t")
    # not str.split(): it takes no-break spaces and control characters for separators too
    columns = line.split(" ")
    return [column for column in columns if column] if "" in columns else columns


def marks_of(n: int, predicates: Sequence[Predicate]) -> list[str]:
    """The tags of the task "predicates": S-V for a predicate, O for the `n` tokens' others."""
    places = {predicate.position for predicate in predicates}
    return ["S-V" if i in places else "O" for i in range(n)]


def without_text(lines: Iterable[str], name: str) -> Iterator[str]:
    """The lines; SennaError if the first ones are JSON, brat's annotations or a sentence of text.

    A sentence of raw text has no tab and at least three words, and a full stop or another sign ends
    the last of them. A file of one line with many columns has all its tokens on that line.
    """
    remedy, filled = "Columns have one token per line, with its tags; senna tag takes text.", []
    for number, line in enumerate(lines, start=1):
        if number <= LOOKED_AT:
            filled += [line] * bool(line.strip())
            kind = _kind_of(line, len(filled) == 1)
            if kind:
                raise SennaError(f"this is {kind}, not columns", where=name, remedy=remedy)
        yield line
    if len(filled) == 1 and len(filled[0].split()) >= ONE_LINE:
        raise SennaError("all tokens are on one line", where=name, remedy=remedy)


def _kind_of(line: str, is_first: bool) -> str:
    """The kind of a line that cannot be a token's columns; "" for others."""
    if _SENTENCE.fullmatch(line):
        return "raw text"
    if is_first and JSON.match(line):
        return "JSON"
    return "a file of brat's annotations" if is_first and _BRAT.match(line) else ""


def markup_of(text: str) -> str:
    """The kind of a file that is not running text: columns, JSON, trees; "" for text.

    The input format that reads it stands first, if there is one, for example "conllu".
    """
    lines = [line for line in text.split("\n", LOOKED_AT)[:LOOKED_AT] if line.strip()]
    if not lines:
        return ""
    if JSON.match(lines[0]):
        return "jsonl JSON" if lines[0].lstrip("\ufeff ").startswith("{") else " JSON"
    if _TREE.match(lines[0]):
        return " bracketed trees"
    if lines[0].lower().startswith(("<!doctype html", "<html")):
        return "html HTML"
    if lines[0].startswith(DOCUMENT_MARKS):
        form = "columns" if lines[0].startswith(DOCUMENT_MARK) else "conll2012"
        return f"{form} columns"
    comment = lines[0].startswith("# ")
    rows = [line.rstrip("\r").split("\t") for line in lines if not (comment and line[0] == "#")]
    widths = {len(row) for row in rows}
    several = len(widths) == 1 and widths != {1} and (len(rows) > 1 or len(rows[0]) > 2)
    if several and not any(" " in row[0] for row in rows):
        return "conllu CoNLL-U" if widths == {10} and comment else "columns columns"
    cells = [cells_of(line.rstrip("\r")) for line in lines]
    tagged = all(len(row) > 1 and _TAG.fullmatch(row[-1]) for row in cells)
    return "columns columns" if tagged and len({len(row) for row in cells}) == 1 else ""


def whole_sentences(lines: Sequence[str], known: int = 0) -> int:
    """How many of the first lines of a longer text surely hold whole sentences, with their marks.

    The first `known` lines were already searched for the end of a sentence.
    """
    for i in range(len(lines) - 1, max(known, 1) - 1, -1):
        before, line = (text.removesuffix("\n").removesuffix("\r") for text in lines[i - 1 : i + 1])
        marked = any(mark in before for mark in DOCUMENT_MARKS)
        if not line.strip(" \t") and before.strip(" \t") and not marked:
            return i + 1
    return 0


def _line(sentence: ColumnsSentence) -> Line:
    rows, line, mark = sentence
    words = [row[0] for row in rows]
    text, opens = " ".join(words), bool(mark)
    return Line(text, 0, spaced(words), opens=opens, line=line, columns=rows, mark=mark)


def _second_column(sentences: list[ColumnsSentence]) -> list[list[str]]:
    if min(len(sentence.rows[0]) for sentence in sentences) < 2:
        return []
    return [[row[1] for row in sentence.rows] for sentence in sentences]


# In a task's first column where a document mark stands, by what its answers are; O in others.
MARKS = {"tags": "-X-", "lemmas": "-X-", "phrases": "O", "roles": NO_PREDICATE, "trees": "*"}


def as_columns(kept: Columns, answers: Answers, scheme: str, mark: Sequence[str] = ()) -> str:
    """The columns of a sentence, words first, then those of each task; then a blank line.

    A document mark before it is as wide as its rows: scorers count columns there too.
    """
    columns, row = list(kept), [*mark, *["O"] * (len(kept) - len(mark))]
    for task, answer in answers.items():
        output = output_of(task)
        added = output.columns(kept[0], answer, scheme)
        columns += added
        row += [MARKS.get(output.kind, "_"), *["O"] * (len(added) - 1)]
    rows = map("\t".join, zip(*columns, strict=True))
    return ("\t".join(row) + "\n\n") * bool(mark) + "\n".join(rows) + "\n\n"


def _sentence(line: Line, answers: Answers, options: Options) -> str:
    if options.offsets:
        places = [list(map(str, column)) for column in zip(*line.places, strict=True)]
        return as_columns([line.words, *places], answers, options.scheme)
    kept = [list(column) for column in zip(*line.columns, strict=True)] or [line.words]
    return as_columns(kept, answers, options.scheme, line.mark)


def of_blocks(
    reader: Callable[[], Callable[..., Iterator[Any]]],
    line: Callable[[Any], Line],
    pos: Callable[[Any], list[list[str]]],
    about: str,
) -> Input:
    """An input format of lines of cells, with a blank line after each sentence.

    `reader` gives a function that reads the sentences, which have `rows`, of some lines of one
    file after another; `line` makes one of them a `Line`.
    """

    def cut(source: Arriving, name: str, options: Options) -> Iterator[Piece]:
        for batch in batches(source, _whole(source, name, reader())):
            yield Piece(0, sum(len(s.rows) * len(s.rows[0]) * 4 for s in batch), batch)

    def lines(piece: Piece, options: Options) -> list[Line]:
        return list(map(line, piece.content))

    return Input(lines, about, cut, sentences=list, pos=pos, offsets=False)


def _whole(source: Arriving, name: str, read: Callable[..., Iterator[T]]) -> Iterator[list[T]]:
    """The sentences, as `read` has them, that are whole with each block."""
    lines: list[str] = []
    done = 1
    for block in source.lines():
        known = len(lines)
        lines += block
        n = whole_sentences(lines, known)
        yield list(read(lines[:n], name=name, start=done))
        done += n
        del lines[:n]
    yield list(read(lines, name=name, start=done))


INPUTS = {
    "columns": of_blocks(
        lambda: read_columns,
        _line,
        _second_column,
        "one token per line, the word first; all columns are kept",
    )
}
FORMATS = {"columns": Format(_sentence, about="tab-separated columns", offsets=True)}
