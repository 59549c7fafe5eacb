"""Columns: one token per line, a blank line after each sentence (the CoNLL shared tasks' format).

Columns stand apart by a tab or by spaces; those written by a tab, words first, then those of each
task. Only a line feed ends a line (a carriage return before it goes with it): tokens may hold
U+0085, U+2028, no-break spaces, NUL and other control characters, which are data. A line whose
first column is ``-DOCSTART-`` starts a document.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from senna.annotation.columns import DOCUMENT_MARK, JSON, LOOKED_AT, cells_of
from senna.annotation.predicates import NO_PREDICATE
from senna.errors import SennaError, counted
from senna.kinds import output_of
from senna.kinds.answer import Answers, Columns, Line
from senna.pipeline.format import Format, of_blocks
from senna.pipeline.options import Options
from senna.text.tokens import spaced

_SENTENCE = re.compile(r"""[^\t\n]*\S +\S+ +[^\t\n]*[a-z]{2}[.!?]+["')\u201d]*\s*""")
_BRAT = re.compile(r"[A-Z*#][0-9]*\t[^\t ]+ [0-9]+ [0-9]+")
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


INPUTS = {
    "columns": of_blocks(
        lambda: read_columns,
        _line,
        _second_column,
        "one token per line, the word first; all columns are kept",
    )
}
FORMATS = {"columns": Format(_sentence, about="tab-separated columns", offsets=True)}
