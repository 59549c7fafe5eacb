"""Pictures, a file per sentence: see `senna.drawing.svg`."""

from __future__ import annotations

from collections.abc import Sequence

from senna.answers.base import Annotation, Line
from senna.drawing.parts import parts_of
from senna.drawing.svg import drawing
from senna.formats.base import Format, Style

END = "</svg>\n"  # of each picture


def write(lines: Sequence[Line], answers: Annotation, style: Style) -> str:
    """The pictures of sentences, one after another."""
    return "".join(
        drawing(parts_of(line.words, {task: of_task[i] for task, of_task in answers.items()}))
        for i, line in enumerate(lines)
    )


FORMAT = Format(write, file_end=END)
