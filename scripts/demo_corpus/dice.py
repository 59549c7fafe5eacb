"""Random choices that come out alike on every version of Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import TypeVar

Item = TypeVar("Item")


class Dice:
    """Draws that use ``random()`` alone: Python promises its sequence for a seed, no other's."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed).random

    def chance(self, probability: float) -> bool:
        return self._random() < probability

    def pick(self, items: Sequence[Item]) -> Item:
        return items[int(self._random() * len(items))]

    def between(self, low: int, high: int) -> int:
        """A whole number, both ends included."""
        return low + int(self._random() * (high - low + 1))

    def weighted(self, weights: Mapping[Item, float]) -> Item:
        """A key, as often as its weight says."""
        left = self._random() * sum(weights.values())
        for item, weight in weights.items():
            left -= weight
            if left < 0:
                return item
        return next(reversed(list(weights)))

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        return sorted(items, key=lambda _: self._random())
