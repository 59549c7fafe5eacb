"""What hidden units make of a weighted sum: twins of `senna.products.units`."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional


class Unit(NamedTuple):
    """A function of sums, and where one of its values lets (almost) no gradient through."""

    function: Callable[[Tensor], Tensor]
    is_flat: Callable[[Tensor], Tensor]


UNITS = {  # by `network.KIND.unit`
    "hardtanh": Unit(functional.hardtanh, lambda y: y.abs() >= 1),
    "tanh": Unit(torch.tanh, lambda y: y.abs() > 0.99),
    "sigmoid": Unit(torch.sigmoid, lambda y: (y - 0.5).abs() > 0.495),
    "relu": Unit(functional.relu, lambda y: y <= 0),
    "cube": Unit(lambda x: x**3, lambda y: y.abs() < 1e-6),
    # Of the sum and its cube (Pei, Ge and Chang 2015).
    "tanh-cube": Unit(lambda x: torch.tanh(x**3 + x), lambda y: y.abs() > 0.99),
}
