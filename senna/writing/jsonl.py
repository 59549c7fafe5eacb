"""One JSON object per sentence and line: text, tokens with offsets, answers of each task."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from senna.outputs import output_of
from senna.outputs.base import Annotation, Line, Record
from senna.writing.output import Format, Style


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
        record |= {"text": line.text, "start": begin, "tokens": tokens, "tags": {}, "spans": {}}
        for task, output, of_task in outputs:
            output.write(record, task, line, of_task[i], scheme)
            if flat:
                output.flatten(record, of_task[i])
        yield record


def as_json(lines: Sequence[Line], answers: Annotation, scheme: str) -> str:
    """The records as lines of JSON."""
    import json

    every = records(lines, answers, scheme)
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in every)


def write(lines: Sequence[Line], answers: Annotation, style: Style) -> str:
    """See `Format`."""
    return as_json(lines, answers, style.scheme)


FORMAT = Format(write, offsets=True)
