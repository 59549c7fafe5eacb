"""Weights of layers: their fan-in, first values, and the arrays of a model folder."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

Arrays = dict[str, NDArray[np.float32]]  # by name; weights of layers as (inputs, outputs)


class Linear(nn.Linear):
    """A linear layer that states its fan-in, where that is not the number of its inputs.

    Of a layer that is computed in parts, each part has the fan-in of the whole.
    """

    def __init__(self, n_in: int, n_out: int, bias: bool = True, fan_in: int | None = None) -> None:
        super().__init__(n_in, n_out, bias)
        self.fan_in = fan_in or n_in


def fan_in_of(layer: nn.Module) -> int:
    """The inputs of one unit; 1 for a lookup table (remark 7)."""
    if isinstance(layer, Linear):
        return layer.fan_in
    return layer.in_features if isinstance(layer, nn.Linear) else 1


def initialise(model: nn.Module, initial: str) -> None:
    """Centred uniform weights by fan-in (remark 7).

    The remark's variance of 1/sqrt(fan-in) is taken to the letter with ``variance``;
    ``deviation`` has a standard deviation of 1/sqrt(fan-in), which is what was probably meant;
    ``small`` is the same with small values in the tables, as word vectors have.
    """
    table = 0.2 if initial == "small" else math.sqrt(3)
    for module in model.modules():
        if isinstance(module, nn.Linear):
            n = fan_in_of(module)
            bound = math.sqrt(3) * (n**-0.25 if initial == "variance" else n**-0.5)
            nn.init.uniform_(module.weight, -bound, bound)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            nn.init.uniform_(module.weight, -table, table)
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
    """A tensor's numbers."""
    array: NDArray[np.float32] = tensor.detach().cpu().numpy().astype(np.float32)
    return array


def linear(name: str, layer: nn.Linear) -> Arrays:
    """The weights of a linear layer, and its bias if it has one."""
    arrays = {f"{name}.weight": array_of(layer.weight).T}
    if layer.bias is not None:
        arrays[f"{name}.bias"] = array_of(layer.bias)
    return arrays
