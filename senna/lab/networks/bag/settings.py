"""The settings of the bag of words."""

from __future__ import annotations

from dataclasses import dataclass

from senna.toml import SIZE, choice, number

HEADS: tuple[str, ...] = ("labels",)  # of the kinds that it carries


@dataclass(frozen=True)
class BagConfig:
    """One hidden layer of ReLU above the features of all words together (Goldberg 2015, 3)."""

    sum: str = choice("mean", "mean", "sum")  # of the words
    # "tf-idf": each word counts by its inverse document frequency in training, each time it comes
    weights: str = choice("alike", "alike", "tf-idf")
    units: int = number(200, 1, SIZE, stored=True)  # of the hidden layer


SETTINGS = BagConfig
