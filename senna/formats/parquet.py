"""Parquet: texts in a column; a row per sentence, here as a line of JSON (see `senna.parquet`)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from senna.answers.base import Annotation, Line
from senna.formats.base import Format, Input, Piece, Reading, Style
from senna.formats.csv import rows, together
from senna.formats.jsonl import records
from senna.text.records import read_parquet


def _load_parquet(file: str, reading: Reading) -> Iterator[Piece]:
    return together(read_parquet(file, reading.column, reading.keep))


def write(lines: Sequence[Line], answers: Annotation, style: Style) -> str:
    """Lines of JSON, in which trees are texts."""
    every = records(lines, answers, style.scheme, flat=True)
    return "".join(json.dumps(record) + "\n" for record in every)


FORMAT = Format(write, offsets=True)
PARQUET = Input(rows, load=_load_parquet)
