"""Columns, separated by tabs: words first, then those of each task."""

from __future__ import annotations

from collections.abc import Sequence

from senna.answers import output_of
from senna.answers.base import Annotation, Columns, Line
from senna.formats.base import Format, Style


def as_columns(
    kept: Sequence[Columns],
    answers: Annotation,
    scheme: str,
    marks: Sequence[Sequence[str]] = (),
) -> str:
    """The columns of each sentence, words first, then those of each task; then a blank line.

    A document mark before a sentence is as wide as its rows: scorers count columns there too.
    """
    outputs = [(output_of(task), of_task) for task, of_task in answers.items()]
    blocks = []
    for i, columns in enumerate(kept):
        added = [output.columns(columns[0], of_task[i], scheme) for output, of_task in outputs]
        rows = zip(*columns, *(column for some in added for column in some), strict=True)
        text = "\n".join(map("\t".join, rows))
        if marks and marks[i]:
            cells = [*marks[i], *["O"] * (len(columns) - len(marks[i]))]
            for (output, _), some in zip(outputs, added, strict=True):
                cells += [output.mark, *["O"] * (len(some) - 1)]
            text = "\t".join(cells) + "\n\n" + text
        blocks.append(text)
    blocks.append("")
    return "\n\n".join(blocks)


def write(lines: Sequence[Line], answers: Annotation, style: Style) -> str:
    """Sentences, a blank line after each."""
    kept = [[line.words] for line in lines]
    if style.offsets:
        for columns, line in zip(kept, lines, strict=True):
            columns += [list(map(str, places)) for places in zip(*line.places, strict=True)]
    return as_columns(kept, answers, style.scheme)


FORMAT = Format(write, offsets=True)
