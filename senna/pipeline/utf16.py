"""Places that count UTF-16 code units, in which characters beyond U+FFFF are two: `offset_unit`."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TextIO

from senna.answers.base import Line
from senna.files import Arriving
from senna.formats.base import Piece, input_of
from senna.pipeline.options import TABULAR, Conversion

_WIDE = re.compile("[\U00010000-\U0010ffff]")


def wide_in(text: str, start: int = 0) -> list[int]:
    """The places of the characters that are two units; the text begins at `start`."""
    return [] if text.isascii() else [start + match.start() for match in _WIDE.finditer(text)]


def in_utf16(line: Line, wide: Sequence[int], before: int = 0) -> Line:
    """A sentence with its places in units.

    `wide` are the places of the text's characters of two units, ascending, but for the first
    `before`.
    """

    def unit(place: int) -> int:
        return place + before + bisect_left(wide, place)

    if not line.tokens:
        return line._replace(start=unit(line.start))
    return line._replace(source=[(unit(start), unit(end)) for start, end in line.places])


def lines_in_utf16(lines: list[Line], piece: Piece, reading: Conversion) -> list[Line]:
    """The sentences of a piece: places are in the input, its row, or the text of a sentence."""
    if reading.input in TABULAR:
        of_rows = {row: wide_in(text) for row, text, _ in piece.content}
        return [in_utf16(line, of_rows[line.row]) for line in lines]
    if input_of(reading.input).offsets:
        return [in_utf16(line, piece.wide, piece.before) for line in lines]
    return [in_utf16(line, wide_in(line.text)) for line in lines]


class Counting(Arriving):
    """Text as it arrives, and the places in it of the characters that are two units."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self.wide, self.size = list[int](), 0

    def read(self, size: int = 1 << 16) -> str:
        text = super().read(size)
        self.wide += wide_in(text, self.size)
        self.size += len(text)
        return text

    def noted(self, pieces: Iterable[Piece]) -> Iterator[Piece]:
        """Pieces of the text with the places that are in them; earlier ones are forgotten."""
        before = 0
        for piece in pieces:
            passed = bisect_left(self.wide, piece.start)
            del self.wide[:passed]
            before += passed
            wide = self.wide[: bisect_left(self.wide, piece.start + piece.size)]
            yield replace(piece, wide=wide, before=before)
