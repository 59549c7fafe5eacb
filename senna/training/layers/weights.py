"""Weights of layers: their fan-in, first values, and the arrays of a model folder."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from senna import registry

Arrays = dict[str, NDArray[np.float32]]  # by name; weights of layers as (inputs, outputs)


class Linear(nn.Linear):
    """A linear layer that states its fan-in, where that is not the number of its inputs.

    Of a layer that is computed in parts, each part has the fan-in of the whole.
    """

    def __init__(self, n_in: int, n_out: int, bias: bool = True, fan_in: int | None = None) -> None:
        super().__init__(n_in, n_out, bias)
        self.fan_in = fan_in or n_in


def fan_in_of(layer: nn.Module) -> int:
    """The inputs of one unit, as a layer may state; 1 for a lookup table (remark 7)."""
    inputs = layer.in_features if isinstance(layer, nn.Linear) else 1
    return int(getattr(layer, "fan_in", inputs))


def small(layer: nn.Linear | nn.Embedding) -> None:
    """Uniform first weights with a mean of 0.

    Those of layers have a standard deviation of 1/sqrt(fan-in), which remark 7 probably means;
    lookup tables are as word vectors are.
    """
    linear = isinstance(layer, nn.Linear)
    bound = math.sqrt(3) * fan_in_of(layer) ** -0.5 if linear else 0.2
    nn.init.uniform_(layer.weight, -bound, bound)


FIRST_WEIGHTS = {"small": small}  # by `network.initial`


def initialise(model: nn.Module, initial: str = "small") -> None:
    """Set the first weights of layers and lookup tables; biases are 0."""
    first = registry.FIRST_WEIGHTS[initial]
    for module in model.modules():
        if isinstance(module, nn.Linear):
            first(module)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding) and module.weight.requires_grad:
            first(module)
            if module.padding_idx is not None:
                nn.init.zeros_(module.weight[module.padding_idx])
    for module in model.modules():  # after their parts
        first_weights = getattr(module, "first_weights", None)
        if first_weights is not None:
            first_weights()


def regularised(model: nn.Module) -> list[nn.Parameter]:
    """The matrices that `train.l2` keeps small: not biases, and not lookup tables."""
    layers = [module for module in model.modules() if not isinstance(module, nn.Embedding)]
    weights = [p for layer in layers for p in layer.parameters(recurse=False)]
    words = getattr(getattr(model, "inputs", None), "word", None)
    return [p for p in weights if p.ndim > 1 and p is not words]


def array_of(tensor: Tensor) -> NDArray[np.float32]:
    """A copy of a tensor's numbers."""
    return view_of(tensor).copy()


def view_of(tensor: Tensor) -> NDArray[np.float32]:
    """A tensor's numbers; in the processor's memory they are the tensor's own, not a copy.

    Modules name their weights so, in `arrays`: what is written into an array is in the module.
    """
    array: NDArray[np.float32] = tensor.detach().cpu().numpy().astype(np.float32, copy=False)
    return array


def linear(name: str, layer: nn.Linear) -> Arrays:
    """The weights of a linear layer, and its bias if it has one."""
    arrays = {f"{name}.weight": view_of(layer.weight).T}
    if layer.bias is not None:
        arrays[f"{name}.bias"] = view_of(layer.bias)
    return arrays


class Probe(nn.Module):
    """Gives hidden units back as they are; `senna.lab.training` looks at them here."""

    def __init__(self, kind: str) -> None:
        """kind: of the units, see `senna.lab.training`."""
        super().__init__()
        self.kind = kind

    def forward(self, units: Tensor, inside: Tensor | None = None) -> Tensor:
        """units (..., n_units); inside (..., 1), where words are; None: there is no padding."""
        return units
