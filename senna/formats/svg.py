"""Pictures, a file per sentence: see `senna.drawing.svg`."""

from __future__ import annotations

from senna.drawing.parts import parts_of
from senna.drawing.svg import drawing
from senna.formats.base import Format

FORMAT = Format(
    lambda line, answers, style: drawing(parts_of(line.words, answers)), file_end="</svg>\n"
)
