"""The optimisers that a configuration may name."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import nn

from senna.config import Training
from senna.training.weights import fan_in_of


class Optimiser(NamedTuple):
    """An optimiser for the layers, and one for the word table, whose gradients are sparse."""

    layers: Any
    words: Any
    by_mean: bool = True  # steps follow the mean loss of a sentence, not the sum
    by_fan_in: bool = False  # each layer's rate is divided by its fan-in (remark 7)


OPTIMISERS = {  # by `train.optimiser`
    "adam": Optimiser(torch.optim.Adam, torch.optim.SparseAdam),
    "sgd": Optimiser(torch.optim.SGD, torch.optim.SGD, by_mean=False, by_fan_in=True),
}


def make_optimisers(
    train: Training, model: nn.Module, words: nn.Parameter
) -> list[torch.optim.Optimizer]:
    """One optimiser for the layers of a model and one for its word table, if it is trained."""
    kind, rate = OPTIMISERS[train.optimiser], train.learning_rate
    groups: list[dict[str, Any]] = []
    if kind.by_fan_in:
        for module in model.modules():
            weights = [p for p in module.parameters(recurse=False) if p is not words]
            if weights:
                groups.append({"params": weights, "lr": rate / fan_in_of(module)})
    else:
        groups.append({"params": [p for p in model.parameters() if p is not words]})
    optimisers = [kind.layers(groups, lr=rate)]
    if words.requires_grad:
        optimisers.append(kind.words([words], lr=rate * train.table_rate))
    return optimisers
