"""The settings of heads: what tasks have above the encoder."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from senna.settings import FAR, SIZE, choice, number, text

# Names of pooling that give one number for each unit.
PLAIN = ("mean", "max", "last", "ends")
_NUMBERED = re.compile(r"([2-9])-(max|regions)")


def several(name: str) -> tuple[int, str]:
    """How many numbers per unit a kind of pooling gives, and its name without that number."""
    numbered = _NUMBERED.fullmatch(name)
    return (int(numbered[1]), numbered[2]) if numbered else (1, name)


def _is_pooling(name: str) -> bool:
    return name in PLAIN or several(name)[0] > 1


@dataclass(frozen=True)
class LabelConfig:
    """Settings of the head of labels."""

    # of each unit, over the words of a sentence; several stand side by side: "mean", "max", "2-max"
    # to "9-max" (the largest ones, in their order), "2-regions" to "9-regions" (the largest in each
    # part of the sentence). Of recurrent networks also "last", the state after the last word, and
    # "ends", that of each of two directions
    pooling: tuple[str, ...] = text(
        ("mean", "max"),
        _is_pooling,
        f"is not one of {', '.join(PLAIN)}, 2-max, 2-regions",
        distinct=True,
    )

    @property
    def width(self) -> int:
        """Numbers that all pooling together gives for each unit."""
        return sum(several(name)[0] for name in self.pooling)


@dataclass(frozen=True)
class DependencyConfig:
    """Settings of the head of dependency trees."""

    units: int = number(200, 1, 256)  # of a word and of its head, for the score of their arc
    relations: int = number(200, 1, SIZE)  # of the layer below the relations
    # the head of each word among all words, or the whole tree among all trees
    loss: str = choice("heads", "heads", "trees")


WIDTH = 3  # nodes that each convolution of the parser by levels sees


@dataclass(frozen=True)
class TreeConfig:
    """Settings of the head of trees."""

    # scores of spans and the best tree by them, or levels of constituents, from the words up
    parser: str = choice("spans", "spans", "levels")
    units: int = number(200, 1, 256)  # of a span's first and of its last word
    labels: int = number(200, 1, SIZE)  # of the layer below the labels
    node: int = number(160, 1, SIZE)  # units of a node, a constituent or word
    # how far apart the nodes are that each of its convolutions sees
    node_dilations: tuple[int, ...] = number((1, 2), 1, FAR, empty=True, stored=True)


# By kind of head: the name of its table in `network`, and the class of that.
SETTINGS: dict[str, tuple[str, type[Any]]] = {
    "trees": ("tree", TreeConfig),
    "dependencies": ("dependencies", DependencyConfig),
    "labels": ("label", LabelConfig),
}
