"""The settings of heads: what tasks have above the encoder."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any

from senna.settings import FAR, SIZE, choice, number, text

# Names of pooling that give one number for each unit.
PLAIN = ("mean", "max", "last", "ends")
_NUMBERED = re.compile(r"([2-9])-(max|regions)")


def several(name: str) -> tuple[int, str]:
    """How many numbers per unit a kind of pooling gives, and its name without that number."""
    numbered = _NUMBERED.fullmatch(name)
    return (int(numbered[1]), numbered[2]) if numbered else (1, name)


_KNOWN = f"is not one of {', '.join(PLAIN)}, 2-max, 2-regions"
_POOLING = text(lambda name: name in PLAIN or several(name)[0] > 1, _KNOWN, distinct=True)


@dataclass(frozen=True)
class LabelConfig:
    """Settings of the head of labels."""

    # of each unit, over the words of a sentence; several stand side by side: "mean", "max", "2-max"
    # to "9-max" (the largest ones, in their order), "2-regions" to "9-regions" (the largest in each
    # part of the sentence). Of recurrent networks also "last", the state after the last word, and
    # "ends", that of each of two directions
    pooling: Annotated[tuple[str, ...], _POOLING] = ("mean", "max")

    @property
    def width(self) -> int:
        """Numbers that all pooling together gives for each unit."""
        return sum(several(name)[0] for name in self.pooling)


@dataclass(frozen=True)
class DependencyConfig:
    """Settings of the head of dependency trees."""

    units: Annotated[int, number(1, 256)] = (
        200  # of a word and of its head, for the score of their arc
    )
    relations: Annotated[int, number(1, SIZE)] = 200  # of the layer below the relations
    # the head of each word among all words, or the whole tree among all trees
    loss: Annotated[str, choice("heads", "trees")] = "heads"


@dataclass(frozen=True)
class TreeConfig:
    """Settings of the head of trees."""

    # scores of spans and the best tree by them, or levels of constituents, from the words up
    parser: Annotated[str, choice("spans", "levels")] = "spans"
    units: Annotated[int, number(1, 256)] = 200  # of a span's first and of its last word
    labels: Annotated[int, number(1, SIZE)] = 200  # of the layer below the labels
    node: Annotated[int, number(1, SIZE)] = 160  # units of a node, a constituent or word
    # how far apart the nodes are that each of its convolutions sees
    node_dilations: Annotated[tuple[int, ...], number(1, FAR, empty=True, stored=True)] = (1, 2)


# By kind of head: the name of its table in `network`, and the class of that.
SETTINGS: dict[str, tuple[str, type[Any]]] = {
    "trees": ("tree", TreeConfig),
    "dependencies": ("dependencies", DependencyConfig),
    "labels": ("label", LabelConfig),
}
