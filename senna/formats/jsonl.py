"""One JSON object per sentence and line: text, tokens with offsets, answers of each task."""

from __future__ import annotations

from json.encoder import encode_basestring

from senna.document.serialise import record_of, to_json
from senna.kinds.answer import Answers, Line
from senna.pipeline.format import Format
from senna.pipeline.options import Options

NO_TOKENS = '"tokens": []'  # in no string of JSON, where a quote has a backslash before it


def _sentence(line: Line, answers: Answers, options: Options) -> str:
    """A sentence; for speed its tokens, which are most of it, are written without their objects."""
    text = to_json(record_of(line, answers, options.scheme, tokens=False))
    before, tokens, after = text.partition(NO_TOKENS)
    n = len(line.words)
    cells = ['{"text": ', "", ', "start": ', "", ', "end": ', "", "}, "] * n
    cells[1::7] = map(encode_basestring, line.words)
    for i, places in enumerate(zip(*line.places, strict=True)):
        cells[3 + 2 * i :: 7] = map(str, places)
    cells[-1:] = ["}"] * (n > 0)
    return before + tokens[:-1] + "".join(cells) + "]" + after + "\n"


FORMATS = {"jsonl": Format(_sentence, about="one JSON object per sentence", offsets=True)}
