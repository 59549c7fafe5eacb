"""JSON lines of doccano: each sentence, with its spans of characters."""

from __future__ import annotations

import json

from senna.answers.base import Answers, Line
from senna.formats.base import Format, Style
from senna.formats.spans import has_spans, phrases_of


def spans_in(line: Line, answers: Answers) -> list[tuple[int, int, str]]:
    """Start, end and label of the spans of a sentence, in characters of its text."""
    places = line.tokens.places
    return [
        (places[first][0] - line.start, places[last - 1][1] - line.start, label)
        for first, last, label in phrases_of(answers)
    ]


def _sentence(line: Line, answers: Answers, style: Style) -> str:
    record = {"text": line.text, "label": spans_in(line, answers)}
    return json.dumps(record, ensure_ascii=False) + "\n"


FORMAT = Format(_sentence, tasks=("ner",), shows=has_spans)
