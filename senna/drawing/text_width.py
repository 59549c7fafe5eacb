"""Texts as pages, pictures and terminals may show them, and how wide they are there.

That is in pixels, roughly, for fonts that are not known, or in cells of a terminal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar
from unicodedata import combining, east_asian_width

from senna.drawing.parts import LabelRow

N = TypeVar("N", int, float)
_BLANK = re.compile(r"\s+")
# What no page and no terminal should be handed: C0, C1, DEL, halves of surrogate pairs.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")

# Shares of the size of a font, for letters of the usual sans serif fonts.
_SHARES = {
    **dict.fromkeys("iljI.,;:'|!`", 0.3),
    **dict.fromkeys('frt()[]{}-/\\" ', 0.4),
    **dict.fromkeys("mwMW@%", 0.95),
    **dict.fromkeys("ABCDEFGHKLNOPQRSTUVXYZ&+<=>~", 0.72),
}
_USUAL = 0.58


def on_one_line(text: str) -> str:
    """A text with one space for each run of blanks and line ends."""
    return _BLANK.sub(" ", text)


def harmless(text: str) -> str:
    """A text with U+FFFD for control characters and what is no character."""
    return _CONTROL.sub("\ufffd", text)


def pixels(text: str, size: float) -> float:
    """About how wide a text is in a font of some size, in the unit of the size."""
    return size * sum(_SHARES.get(c, _USUAL) if c.isascii() else _share(c) for c in text)


def _share(letter: str) -> float:
    return 0.0 if combining(letter) else 1.0 if east_asian_width(letter) in "WF" else 0.66


def cells(text: str) -> int:
    """How many cells of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 1 + (east_asian_width(c) in "WF") for c in text)


def cut(text: str, room: float, measure: Callable[[str], float] = cells) -> str:
    """As much of a text as fits into `room`, in cells or as it is measured."""
    while text and measure(text) > room:
        text = text[:-1]
    return text


def breaks(widths: Sequence[float], room: float, gap: float = 1) -> list[int]:
    """Before which words a new line begins, the first and the end included."""
    starts, used = [0], 0.0
    for i, width in enumerate(widths):
        if used and used + width > room:
            starts.append(i)
            used = 0
        used += width + gap
    return [*starts, len(widths)] if widths else [0]


def widen(widths: list[N], rows: Sequence[LabelRow], labels: Sequence[Sequence[N]], gap: N) -> None:
    """Make words wide enough for the labels under them: each label's width by row and phrase."""
    for row, row_labels in zip(rows, labels, strict=True):
        for (start, end, _), needed in zip(row.phrases, row_labels, strict=True):
            room = sum(widths[start:end]) + gap * (end - start - 1)
            widths[end - 1] += max(needed - room, 0)
