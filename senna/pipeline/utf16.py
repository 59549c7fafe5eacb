"""Places that count UTF-16 code units, in which characters beyond U+FFFF are two: `offset_unit`."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from senna.answers.base import Line
from senna.formats.base import Piece, input_of, wide_in
from senna.formats.html import Page
from senna.pipeline.options import TABULAR, Conversion


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


def counted(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Pieces of a text with the places of their characters of two units, and how many came before.

    Those of a page have all places in its source already.
    """
    before = 0
    for piece in pieces:
        if isinstance(piece.content, Page):
            yield piece
        else:
            wide = wide_in("".join(piece.content), piece.start)
            yield replace(piece, wide=wide, before=before)
            before += len(wide)
