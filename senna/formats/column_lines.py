"""Lines of columns as sentences: one token per line, a blank line after each sentence.

Columns stand apart by a tab or by spaces. Only a line feed ends a line (a carriage return before it
goes with it): tokens may hold U+0085, U+2028, no-break spaces, NUL and other control characters,
which are data. A line whose first column is ``-DOCSTART-`` starts a document.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from senna.annotation.columns import DOCUMENT_MARK, JSON, LOOKED_AT, cells_of
from senna.errors import SennaError, counted

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
