"""One JSON object per sentence and line: text, tokens with offsets, answers of each task."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from senna.answers import output_of
from senna.answers.base import Annotation, Line, Record
from senna.formats.base import Format, Style


def records(
    lines: Sequence[Line], answers: Annotation, scheme: str, flat: bool = False
) -> Iterator[Record]:
    """The record of each sentence; `flat`: nothing in it is nested as deep as it likes."""
    outputs = [(task, output_of(task), of_task) for task, of_task in answers.items()]
    for i, line in enumerate(lines):
        placed = zip(line.words, line.places, strict=True)
        tokens = [{"text": word, "start": start, "end": end} for word, (start, end) in placed]
        begin = line.source[0][0] if line.source else line.start
        record: Record = {"file": line.file} if line.file else {}
        record |= {"row": line.row} if line.row else {}
        record |= {"line": line.line} if line.line else {}
        record |= {"columns": dict(line.kept)} if line.kept else {}
        record |= {"text": line.text, "start": begin, "tokens": tokens, "tags": {}, "spans": {}}
        for task, output, of_task in outputs:
            output.write(record, task, line, of_task[i], scheme)
            if flat:
                output.flatten(record, of_task[i])
        yield record


def as_json(lines: Sequence[Line], answers: Annotation, scheme: str) -> str:
    """The records as lines of JSON."""
    every = records(lines, answers, scheme)
    return "".join(f"{to_json(record)}\n" for record in every)


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


def write(lines: Sequence[Line], answers: Annotation, style: Style) -> str:
    """See `Format`."""
    return as_json(lines, answers, style.scheme)


FORMAT = Format(write, offsets=True)
