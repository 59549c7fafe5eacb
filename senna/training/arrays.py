"""Weights as the arrays of a model folder."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

Arrays = dict[str, NDArray[np.float32]]  # by name; weights of layers as (inputs, outputs)


def array_of(tensor: Tensor) -> NDArray[np.float32]:
    """A tensor's numbers."""
    found: NDArray[np.float32] = tensor.detach().cpu().numpy().astype(np.float32)
    return found


def linear(name: str, layer: nn.Linear) -> Arrays:
    """The weights of a linear layer, and its bias if it has one."""
    arrays = {f"{name}.weight": array_of(layer.weight).T}
    if layer.bias is not None:
        arrays[f"{name}.bias"] = array_of(layer.bias)
    return arrays
