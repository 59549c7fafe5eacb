"""Which layers of a network that begins from a model learn in an epoch (`train.thaw`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from torch import nn

from senna.config import Training
from senna.training.networks.base import Network

Layer = list[nn.Parameter]


def gradual(layers: list[Layer], phase: int) -> list[Layer]:
    """The topmost layer, and in each phase the next one below as well."""
    return layers[::-1][: phase + 1]


def chain(layers: list[Layer], phase: int) -> list[Layer]:
    """The topmost layer, each other layer alone from the first on, then all (Felbo et al. 2017)."""
    *others, top = layers
    return [top, *others][phase : phase + 1] or layers


THAWING: dict[str, Callable[[list[Layer], int], list[Layer]]] = {  # by `train.thawing`
    "gradual": gradual,
    "chain": chain,
}


def thaw(model: Network, train: Training, epoch: int, learnt: Sequence[nn.Parameter]) -> None:
    """Let only those layers learn whose turn it is in an epoch; epochs count from 0.

    learnt: the parameters that learn at all.
    """
    layers = list(_layers(model, {id(weights) for weights in learnt}))
    chosen = THAWING[train.thawing](layers, epoch // train.thaw)
    warm = {id(weights) for layer in chosen for weights in layer}
    for weights in learnt:
        weights.requires_grad_(id(weights) in warm)


def _layers(model: Network, learnt: set[int]) -> Iterator[Layer]:
    """The tables, the first hidden layer, ..., the last one, the heads: what they can learn."""
    hidden: list[nn.Module] = []
    for name, child in model.named_children():
        if name not in ("inputs", "heads"):
            hidden += child if isinstance(child, nn.ModuleList) else [child]
    for module in (model.inputs, *hidden, model.heads):
        layer = [weights for weights in module.parameters() if id(weights) in learnt]
        if layer:
            yield layer
