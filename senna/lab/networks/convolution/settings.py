"""The settings of the convolution network."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from senna.products.workspace import Ints
from senna.toml import FAR, SIZE, number

HEADS: tuple[str, ...] = ("labels",)  # of the kinds that it carries


@dataclass(frozen=True)
class ConvolutionConfig:
    """Filters over some neighbouring words, ReLU, pooled over the sentence (Goldberg 2015, 9)."""

    widths: tuple[int, ...] = number((2, 3, 4, 5), 1, FAR, stored=True, distinct=True)  # words
    units: int = number(100, 1, SIZE, stored=True)  # filters of each width k
    # n - k + 1 places in n words, or n + k - 1, with zeros beyond the ends; at least one
    wide: bool = False
    # hierarchical pooling: for each number, the largest of so many neighbouring places and further
    # filters of each width over what they give
    pools: tuple[int, ...] = number((), 2, FAR, empty=True)

    def places(self, lengths: Ints, width: int) -> Ints:
        """In how many places a filter stands in sentences, none of them empty."""
        return lengths + width - 1 if self.wide else np.maximum(lengths - width + 1, 1)


SETTINGS = ConvolutionConfig
