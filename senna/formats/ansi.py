"""For people at a terminal: see `senna.drawing.terminal`. Colours unless $NO_COLOR is set.

Lines are as wide as the terminal, or as $COLUMNS says.
"""

from __future__ import annotations

import os
import shutil

from senna.answers.base import Answers, Line
from senna.drawing.parts import parts_of
from senna.drawing.terminal import drawn
from senna.formats.base import Format, Style


def _sentence(line: Line, answers: Answers, style: Style) -> str:
    """Rows under the words, then a blank line."""
    plain = bool(os.environ.get("NO_COLOR"))

    def paint(text: str, code: int) -> str:
        return text if plain or not text else f"\x1b[{code}m{text}\x1b[0m"

    rows = drawn(parts_of(line.words, answers), shutil.get_terminal_size().columns, paint)
    return "".join(f"{row}\n" for row in rows) + "\n"


FORMAT = Format(_sentence)
