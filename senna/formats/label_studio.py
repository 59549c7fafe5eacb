"""Tasks of Label Studio: each sentence, with its spans as predictions.

The names are those of its template for names: `label` of `text`. Places count UTF-16 units.
"""

from __future__ import annotations

import json

from senna.answers.base import Answers, Line
from senna.formats.base import Format, Style
from senna.formats.doccano import spans_in
from senna.formats.spans import has_spans


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _sentence(line: Line, answers: Answers, style: Style) -> str:
    result = [
        {
            "id": f"{start}-{end}-{label}",
            "from_name": "label",
            "to_name": "text",
            "type": "labels",
            "value": {
                "start": _units(line.text[:start]),
                "end": _units(line.text[:end]),
                "text": line.text[start:end],
                "labels": [label],
            },
        }
        for start, end, label in spans_in(line, answers)
    ]
    predictions = [{"model_version": "senna", "result": result}]
    record = {"data": {"text": line.text}, "predictions": predictions}
    return json.dumps(record, ensure_ascii=False)


FORMAT = Format(_sentence, tasks=("ner",), shows=has_spans, head="[\n", between=",\n", foot="\n]\n")
