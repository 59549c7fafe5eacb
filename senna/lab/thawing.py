"""Which layers learn in each phase of a training that begins with trained weights."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from torch import nn

from senna.training.networks.base import Network

Layers = list[list[nn.Parameter]]


def _layers(model: Network, learnt: Sequence[nn.Parameter]) -> Layers:
    """The tables, the first hidden layer, ..., the last one, the heads: what they can learn."""
    hidden: list[nn.Module] = []
    for name, child in model.named_children():
        if name not in ("inputs", "heads"):
            hidden += child if isinstance(child, nn.ModuleList) else [child]
    own = {id(weights) for weights in learnt}
    modules = (model.inputs, *hidden, model.heads)
    layers = ([p for p in module.parameters() if id(p) in own] for module in modules)
    return [layer for layer in layers if layer]


def gradual(model: Network, learnt: Sequence[nn.Parameter], phase: int) -> list[nn.Parameter]:
    """The heads, and in each phase the next layer below."""
    return [*chain.from_iterable(_layers(model, learnt)[::-1][: phase + 1])]


def chained(model: Network, learnt: Sequence[nn.Parameter], phase: int) -> list[nn.Parameter]:
    """The heads, each other layer alone, from the first on, and at last all (Felbo et al. 2017)."""
    layers = _layers(model, learnt)
    return [*chain.from_iterable([layers[-1], *layers[:-1]][phase : phase + 1] or layers)]


THAWING = {"gradual": gradual, "chain": chained}
