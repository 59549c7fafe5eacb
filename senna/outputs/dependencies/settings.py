"""The settings of what the task of dependency trees has above the encoder."""

from __future__ import annotations

from dataclasses import dataclass

from senna.toml import SIZE, choice, number


@dataclass(frozen=True)
class DependencyConfig:
    """What the task of dependency trees has above the encoder."""

    units: int = number(200, 1, 256)  # of a word and of its head, for the score of their arc
    relations: int = number(200, 1, SIZE)  # of the layer below the relations
    # the head of each word among all words, or the whole tree among all trees
    loss: str = choice("heads", "heads", "trees")


SETTINGS = DependencyConfig
