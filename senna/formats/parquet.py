"""What a row of Parquet has of a sentence, as a line of JSON: see `senna.parquet`."""

from __future__ import annotations

import json
from collections.abc import Sequence

from senna.answers.base import Annotation, Line
from senna.formats.base import Format, Style
from senna.formats.jsonl import records


def write(lines: Sequence[Line], answers: Annotation, style: Style) -> str:
    """Lines of JSON, in which trees are texts."""
    every = records(lines, answers, style.scheme, flat=True)
    return "".join(json.dumps(record) + "\n" for record in every)


FORMAT = Format(write, offsets=True)
