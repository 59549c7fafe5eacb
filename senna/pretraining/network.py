"""The network of a run: its objective, its first weights, and those that it starts from."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from senna.pretraining.config import Pretraining
from senna.pretraining.lookup_table import LookupTable, Noise
from senna.pretraining.objectives import (
    Bilinear,
    Cbow,
    Likelihood,
    Objective,
    Positional,
    Ranking,
    SkipGram,
)
from senna.pretraining.recurrent import Recurrent

OBJECTIVES: dict[str, type[Objective]] = {
    "ranking": Ranking,
    "likelihood": Likelihood,
    "bilinear": Bilinear,
    "recurrent": Recurrent,
    "skipgram": SkipGram,
    "positional": Positional,
    "cbow": Cbow,
}
Weights = dict[str, Tensor]


def make_model(
    config: Pretraining, counts: NDArray[np.int64], clusters: Any, device: torch.device
) -> Objective:
    """The network of a configuration with random weights, for words of some counts.

    clusters: of the words, for a softmax of classes or of a tree.
    """
    words = LookupTable(first_values(config, len(counts)).to(device))
    noise = Noise(counts, config.noise, device)
    return OBJECTIVES[config.objective](config, words, noise, clusters).to(device)


def first_values(config: Pretraining, n: int) -> Tensor:
    """Random vectors of n words, (n, dimension) (Goldberg 2016, section 5.2.1)."""
    size = config.dimension
    if config.first == "normal":
        return torch.randn(n, size) * config.deviation
    largest = 0.5 / size if config.first == "word2vec" else math.sqrt(6 / size)
    return (torch.rand(n, size) * 2 - 1) * largest


def tensors_of(model: Objective) -> Weights:
    """The weights of a network, and the sums that its tables' rates fall by, by name."""
    tensors: Weights = {f"layer.{name}": value for name, value in model.named_parameters()}
    for name, table in model.tables.items():
        tensors |= {f"table.{name}": table.weight, f"squares.{name}": table.squares}
    return tensors


def start_from(model: Objective, weights: Weights) -> None:
    """Copy what both have of each table, and of layers that read vectors of one shape."""
    tensors = tensors_of(model)
    both = [(name, tensors[name], value) for name, value in weights.items() if name in tensors]
    fits = all(
        target.shape[1:] == value.shape[1:]
        for name, target, value in both
        if name.startswith("layer.")
    )
    for name, target, value in both:
        if fits or not name.startswith("layer."):
            common = tuple(map(slice, map(min, target.shape, value.shape)))
            target.data[common] = value[common].to(target.device)


def copies_of(model: Objective) -> Weights:
    """Copies of the same, in the processor's memory."""
    return {name: value.detach().clone().cpu() for name, value in tensors_of(model).items()}
