"""Activations of hidden units: twins of `senna.products.units`.

Beside it is where units of all kinds are flat, and where training looks at them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor, nn
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


def _is_still(state: Tensor) -> Tensor:
    """Where the state of a cell is at its bounds, or is 0 since a gate is shut."""
    return (state.abs() < 0.005) | (state.abs() > 0.99)


# Where units let (almost) no gradient through: values of those above; sums of gated linear units,
# whose second half are the gates; states of the cells of recurrent and recursive networks.
FLAT: dict[str, Callable[[Tensor], Tensor]] = {
    **{name: unit.is_flat for name, unit in UNITS.items()},
    "gated": lambda sums: torch.sigmoid(sums.chunk(2, -1)[1]) < 0.005,
    **dict.fromkeys(
        ("elman", "standard", "labels", "untied", "matrix-vector", "tensor"), UNITS["tanh"].is_flat
    ),
    **dict.fromkeys(("gru", "lstm", "lstm-sum"), _is_still),
    "irnn": UNITS["relu"].is_flat,
    "scrn": UNITS["sigmoid"].is_flat,  # of the fast units; slow ones are linear
}


class Probe(nn.Module):
    """Gives hidden units back as they are; `senna.training.trainer` looks at them here."""

    def __init__(self, kind: str) -> None:
        """kind: of the units, see `FLAT`."""
        super().__init__()
        self.kind = kind

    def forward(self, units: Tensor, inside: Tensor | None = None) -> Tensor:
        """units (..., n_units); inside (..., 1), where words are; None: there is no padding."""
        return units
