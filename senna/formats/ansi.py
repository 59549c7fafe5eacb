"""For people at a terminal: see `senna.drawing.terminal`. Colours unless $NO_COLOR is set.

Lines are as wide as the terminal, or as $COLUMNS says.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence

from senna.answers.base import Annotation, Line
from senna.drawing.parts import parts_of
from senna.drawing.terminal import drawn
from senna.formats.base import Format, Style


def write(lines: Sequence[Line], answers: Annotation, style: Style) -> str:
    """Sentences, a blank line after each."""
    paint = _plain if os.environ.get("NO_COLOR") else _painted
    width = shutil.get_terminal_size().columns
    drawings = []
    for i, line in enumerate(lines):
        parts = parts_of(line.words, {task: of_task[i] for task, of_task in answers.items()})
        drawings.append("".join(f"{row}\n" for row in drawn(parts, width, paint)) + "\n")
    return "".join(drawings)


def _painted(text: str, code: int) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if text else ""


def _plain(text: str, code: int) -> str:
    return text


FORMAT = Format(write)
