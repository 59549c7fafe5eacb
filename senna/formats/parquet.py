"""Parquet: texts in a column; a row per sentence, here as a line of JSON (see `senna.parquet`)."""

from __future__ import annotations

import json
from collections.abc import Iterator

from senna.answers.base import Answers, Line
from senna.formats.base import Format, Input, Piece, Reading, Style
from senna.formats.csv import pieces, rows
from senna.formats.jsonl import record_of
from senna.text.records import read_parquet


def _load_parquet(file: str, reading: Reading) -> Iterator[Piece]:
    return pieces(read_parquet(file, reading.column, reading.keep))


def _sentence(line: Line, answers: Answers, style: Style) -> str:
    """A line of JSON, in which trees are texts."""
    return json.dumps(record_of(line, answers, style.scheme, flat=True)) + "\n"


FORMAT = Format(_sentence, offsets=True)
PARQUET = Input(rows, load=_load_parquet)
