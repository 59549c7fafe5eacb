"""The settings of the sentence network."""

from __future__ import annotations

from dataclasses import dataclass

from senna.products.units import UNITS
from senna.toml import FAR, SIZE, choice, number

HEADS: tuple[str, ...] = ("tags", "roles", "labels")  # of the kinds that it carries


@dataclass(frozen=True)
class SentenceConfig:
    """A convolution, its maximum over the sentence, a hidden layer (section 3.3.2)."""

    width: int = number(5, 1, FAR, odd=True, stored=True)  # words that the convolution sees
    units: int = number(300, 1, SIZE, stored=True)  # what it gives
    # units of the hidden layer; 0: none, tags are scored by the maxima (section 6.6)
    hidden: int = number(300, 0, SIZE, stored=True)
    distance: int = number(30, 1, FAR)  # farther words count as so far away
    distance_size: int = number(5, 1, SIZE)  # numbers per distance
    unit: str = choice("hardtanh", *UNITS, needs="hidden")  # what hidden units make of a sum

    @property
    def size(self) -> int:
        """Of what the heads see of a word."""
        return self.hidden or self.units


SETTINGS = SentenceConfig
