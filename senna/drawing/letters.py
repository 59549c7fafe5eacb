"""How wide texts are: in pixels, roughly, for fonts that are not known; in cells of a terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar
from unicodedata import combining, east_asian_width

from senna.answers.base import LabelRow

N = TypeVar("N", int, float)

# Shares of the size of a font, for letters of the usual sans serif fonts.
_SHARES = {
    **dict.fromkeys("iljI.,;:'|!`", 0.3),
    **dict.fromkeys('frt()[]{}-/\\" ', 0.4),
    **dict.fromkeys("mwMW@%", 0.95),
    **dict.fromkeys("ABCDEFGHKLNOPQRSTUVXYZ&+<=>~", 0.72),
}
_USUAL = 0.58


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
