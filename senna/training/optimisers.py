"""The optimisers that a configuration may name."""

from __future__ import annotations

from collections.abc import Iterable
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


def clip_gradients(parameters: Iterable[nn.Parameter], most: float) -> None:
    """Scale all gradients, the word table's sparse one too, to a norm of at most `most`."""
    values = []
    for parameter in parameters:
        if parameter.grad is not None and parameter.grad.is_sparse:
            parameter.grad = parameter.grad.coalesce()
            values.append(parameter.grad._values())
        elif parameter.grad is not None:
            values.append(parameter.grad)
    norm = torch.stack([torch.linalg.vector_norm(value) for value in values]).norm()
    share = (most / (norm + 1e-6)).clamp(max=1.0)
    for value in values:
        value.mul_(share)


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
