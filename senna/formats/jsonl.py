"""One JSON object per sentence and line: text, tokens with offsets, answers of each task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from senna.decoding.requests import DIGITS, Scored
from senna.kinds import output_of
from senna.kinds.answer import Annotation, Answers, Line, Record, of_sentence
from senna.kinds.tags.answer import in_scheme
from senna.pipeline.format import Format, Style

NO_TOKENS = '"tokens": []'  # in no string of JSON, where a quote has a backslash before it


def record_of(
    line: Line, answers: Answers, scheme: str, flat: bool = False, tokens: bool = True
) -> Record:
    """The record of a sentence; `flat`: nothing in it is nested as deep as it likes.

    tokens: whether its list of tokens is filled.
    """
    placed = zip(line.words, line.places, strict=True) if tokens else ()
    rows = [{"text": word, "start": start, "end": end} for word, (start, end) in placed]
    begin = line.source[0][0] if line.source else line.start
    record: Record = {"file": line.file} if line.file else {}
    record |= {"row": line.row} if line.row else {}
    record |= {"line": line.line} if line.line else {}
    record |= {"columns": dict(line.kept)} if line.kept else {}
    record |= {"text": line.text, "start": begin, "tokens": rows, "tags": {}, "spans": {}}
    for task, answer in answers.items():
        output = output_of(task)
        output.write(record, task, line, answer, scheme)
        if (scores := output.scores(answer)) is not None:
            record.setdefault("scores", {})[task] = _rounded(scores)
        if isinstance(answer, Scored) and answer.n_best > 1:
            paths = [
                {
                    "score": _rounded(path.score),
                    "tags": in_scheme(path.tags, scheme if output.is_iobes else ""),
                }
                for path in answer.paths
            ]
            record.setdefault("nbest", {})[task] = paths
        if flat and output.gives == "trees":
            record["tree"] = str(answer)
    return record


def _rounded(scores: Any) -> Any:
    return list(map(_rounded, scores)) if isinstance(scores, list) else round(scores, DIGITS)


def records(
    lines: Sequence[Line], answers: Annotation, scheme: str, flat: bool = False
) -> list[Record]:
    """The records of sentences."""
    return [record_of(line, of_sentence(answers, i), scheme, flat) for i, line in enumerate(lines)]


def to_json(value: Any) -> str:
    """A value as JSON on one line, however deep: the trees in it may be deeper than Python's stack.

    Raises TypeError for values that JSON does not have.
    """
    import json

    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:
        pass
    parts: list[str] = []
    waiting: list[tuple[str, Any]] = [("", value)]  # values, each with what stands before it
    while waiting:
        before, item = waiting.pop()
        parts.append(before)
        if item is _END:
            continue
        if isinstance(item, dict) and item:
            rows = [(json.dumps({key: 0}, ensure_ascii=False)[1:-2], v) for key, v in item.items()]
            ends = "{}"
        elif isinstance(item, (list, tuple)) and item:
            rows, ends = [("", v) for v in item], "[]"
        else:
            parts.append(json.dumps(item, ensure_ascii=False))
            continue
        waiting.append((ends[1], _END))
        waiting += [(f", {key}", v) for key, v in reversed(rows[1:])]
        waiting.append((ends[0] + rows[0][0], rows[0][1]))
    return "".join(parts)


_END = object()  # in place of a value: a bracket is closed


def _sentence(line: Line, answers: Answers, style: Style) -> str:
    """A sentence; for speed its tokens, which are most of it, are written without their objects."""
    from json.encoder import encode_basestring

    text = to_json(record_of(line, answers, style.scheme, tokens=False))
    before, tokens, after = text.partition(NO_TOKENS)
    n = len(line.words)
    cells = ['{"text": ', "", ', "start": ', "", ', "end": ', "", "}, "] * n
    cells[1::7] = map(encode_basestring, line.words)
    for i, places in enumerate(zip(*line.places, strict=True)):
        cells[3 + 2 * i :: 7] = map(str, places)
    cells[-1:] = ["}"] * (n > 0)
    return before + tokens[:-1] + "".join(cells) + "]" + after + "\n"


FORMATS = {"jsonl": Format(_sentence, about="one JSON object per sentence", offsets=True)}
