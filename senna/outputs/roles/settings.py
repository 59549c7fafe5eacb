"""What a network's settings say of the layers of roles above its encoder."""

from __future__ import annotations

from typing import Protocol


class PairSettings(Protocol):
    """Settings of the units of a word and a predicate together."""

    @property
    def pair(self) -> int:
        """How many units a word and a predicate have together."""

    @property
    def distance(self) -> int:
        """Words that are farther from the predicate count as this far away."""

    @property
    def width(self) -> int:
        """How many words each convolution for a predicate sees."""

    @property
    def pair_dilations(self) -> tuple[int, ...]:
        """How far apart the words are that each of these convolutions sees."""
