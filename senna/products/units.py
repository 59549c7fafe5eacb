"""Activations of hidden units (eq. 5, and other choices), the same bits everywhere."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from senna.products.exact import LEVELS, Floats, Weights, product, sigmoid, tanh


def _hard_tanh(x: Floats) -> None:
    np.clip(x, -1.0, 1.0, out=x)


def _relu(x: Floats) -> None:
    np.maximum(x, 0.0, out=x)


def _cube(x: Floats) -> None:
    x *= x * x


def _tanh_cube(x: Floats) -> None:
    x += x * x * x
    tanh(x, x)


UNITS: dict[str, Callable[[Floats], None]] = {  # by `network.KIND.unit`; in place
    "hardtanh": _hard_tanh,
    "tanh": lambda x: tanh(x, x),
    "sigmoid": lambda x: sigmoid(x, x),
    "relu": _relu,
    "cube": _cube,
    "tanh-cube": _tanh_cube,
}


class Units:
    """Values of hidden units, and their products: each row is brought to whole numbers there."""

    scale: float = 1.0  # what stands for a value of 1

    def __init__(self, unit: str) -> None:
        self.apply = UNITS[unit]

    def product(self, x: Floats, weights: Weights, out: Floats | None = None) -> Floats:
        """Values x (n, n_in) @ weights (n_in, n_out), into `out` if given."""
        return product(x, weights, out)


class WholeUnits(Units):
    """Those of HardTanh, which lie between -1 and 1: whole numbers up to `LEVELS` throughout."""

    scale = LEVELS

    def __init__(self) -> None:
        self.apply = _whole_hard_tanh

    def product(self, x: Floats, weights: Weights, out: Floats | None = None) -> Floats:
        return weights.apply(x, out)


def _whole_hard_tanh(x: Floats) -> None:
    np.clip(x, -LEVELS, LEVELS, out=x)
    np.rint(x, out=x)


def units_of(unit: str) -> Units:
    """The hidden units of a name in `UNITS`."""
    return WholeUnits() if unit == "hardtanh" else Units(unit)
