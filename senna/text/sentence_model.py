"""Whether a sentence ends at a gap of which the rules are not sure: a logistic regression.

Its features are hashed, and its weights are whole numbers, a byte each: every machine adds up the
same sum. `recipe/train_boundaries.py` learns them, with what the rules say as a feature.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from senna.text.tokenizer import Chunk

N_ROWS = 1 << 14  # weights
WEIGHTS = Path(__file__).with_suffix(".bin")
_SHAPES = str.maketrans(
    {
        **dict.fromkeys("abcdefghijklmnopqrstuvwxyz", "x"),
        **dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "X"),
        **dict.fromkeys("0123456789", "0"),
    }
)


class Gap(NamedTuple):
    """White space between two chunks of a paragraph, from `end` to `start`; what is around it."""

    end: int
    start: int
    sentence: Sequence[str]  # the words up to the gap, at least one
    before: Chunk
    after: Chunk
    string: str  # the text of `after`
    following: str  # first character of the chunk behind `after`, or nothing
    ruled: bool = False  # whether a sentence ends here by the rules


def ends(gap: Gap, bias: int = 0) -> bool:
    """Whether a sentence ends at a gap; a bias counts as a weight."""
    known = weights()
    return sum([known[row] for row in rows(gap)]) + bias > 0


def rows(gap: Gap) -> list[int]:
    """The rows of the weights of a gap's features."""
    return list(map(row, features(gap)))


def row(feature: str) -> int:
    """The row of a feature's weight; features may share one."""
    return zlib.crc32(feature.encode("utf-8", "surrogatepass")) % N_ROWS


@cache
def weights() -> memoryview:
    """The weights (SIZE,), from -128 to 127."""
    return memoryview(WEIGHTS.read_bytes()).cast("b")


def features(gap: Gap) -> list[str]:
    """The names of a gap's features."""
    ruled, sentence, after, following = gap.ruled, gap.sentence, gap.after, gap.following
    n = len(sentence)
    left, right = sentence[-1], after.texts[0]
    earlier = sentence[-2] if n > 1 else ""
    second = after.texts[1] if len(after.texts) > 1 else following
    left_shape, right_shape = left[-4:].translate(_SHAPES), right[:4].translate(_SHAPES)
    last, begins = gap.before.last, right_shape[:2]
    length = min(n, 4) if n < 5 else 5 + min(3, n // 10)
    return [
        f"0{ruled}",
        f"1{ruled}{last} {after.opens}",
        f"2{ruled}{last} {begins}",
        f"3{left.lower()}",
        f"4{right.lower()}",
        f"5{left_shape} {right_shape}",
        f"6{length}{last} {begins}",
        f"7{earlier.lower()}",
        f"8{right_shape} {second[:4].translate(_SHAPES)}",
        f"9{left[-1]}{right[0].lower()}",
    ]
