"""CSV: texts in a column of a table; phrases and roles as rows (see `senna.formats.spans`)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from senna.answers.base import Line
from senna.files import Arriving
from senna.formats.base import LINES, Format, Input, Piece, Reading, as_lines
from senna.formats.spans import has_spans, names, rows_of
from senna.text.records import Record, read_csv, together

CHARACTERS = 1 << 16  # of the rows of a table in a piece, about


def _cut_csv(source: Arriving, name: str, reading: Reading) -> Iterator[Piece]:
    lines = (line for block in source.lines() for line in block)
    return pieces(read_csv(lines, reading.column, reading.keep, name=name))


def pieces(records: Iterable[Record]) -> Iterator[Piece]:
    """Rows of a table, some in a piece."""
    for held in together(records, lambda record: len(record[1]), CHARACTERS, LINES):
        yield Piece(0, sum(len(text) for _, text, _ in held), held)


def rows(piece: Piece, reading: Reading) -> list[Line]:
    return [
        line._replace(row=row, opens=i == 0, kept=dict(zip(reading.keep, kept, strict=True)))
        for row, text, kept in piece.content
        for i, line in enumerate(as_lines(text, reading.split(text)))
    ]


def _quoted(cells: Iterable[list[str]]) -> str:
    """Rows of CSV, in which a cell keeps its line ends."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(cells)
    return text.getvalue()


CSV = Input(rows, cut=_cut_csv)
FORMAT = Format(
    lambda line, answers, style: _quoted(rows_of(line, answers)),
    tasks=("ner",),
    shows=has_spans,
    head=lambda style: _quoted([names(style)]),
)
