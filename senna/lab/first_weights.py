"""More first weights than `senna.training.layers.weights` has."""

from __future__ import annotations

import math

from torch import nn

from senna.training.layers.weights import fan_in_of

Layer = nn.Linear | nn.Embedding


def variance(layer: Layer) -> None:
    """A variance of 1/sqrt(fan-in), as remark 7 of Collobert et al. 2011 has it to the letter."""
    bound = math.sqrt(3) * fan_in_of(layer) ** -0.25
    nn.init.uniform_(layer.weight, -bound, bound)


def xavier(layer: Layer) -> None:
    """Up to sqrt(6 / (fan-in + fan-out)); of tables, sqrt(6 / size) (Glorot and Bengio 2010)."""
    n = layer.weight.shape[1]  # of a table: numbers per entry
    if isinstance(layer, nn.Linear):
        n = fan_in_of(layer) + layer.out_features
    nn.init.uniform_(layer.weight, -math.sqrt(6 / n), math.sqrt(6 / n))


def he(layer: Layer) -> None:
    """Normal, of a deviation of sqrt(2 / fan-in), for ReLU (He et al. 2015, eq. 10)."""
    if isinstance(layer, nn.Linear):
        nn.init.normal_(layer.weight, 0, math.sqrt(2 / fan_in_of(layer)))
    else:
        xavier(layer)


FIRST_WEIGHTS = {"variance": variance, "xavier": xavier, "he": he}  # by `network.initial`
