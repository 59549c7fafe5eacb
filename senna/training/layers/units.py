"""Where hidden units of all kinds are flat, and where training looks at them."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn


def _is_still(state: Tensor) -> Tensor:
    """Where the state of a cell is at its bounds, or is 0 since a gate is shut."""
    return (state.abs() < 0.005) | (state.abs() > 0.99)


def _is_at_bounds(y: Tensor) -> Tensor:
    """Where tanh is."""
    return y.abs() > 0.99


# Where units let (almost) no gradient through: their values; sums of gated linear units, whose
# second half are the gates; states of the cells of recurrent and recursive networks.
FLAT: dict[str, Callable[[Tensor], Tensor]] = {
    "hardtanh": lambda y: y.abs() >= 1,
    "relu": lambda y: y <= 0,
    "gated": lambda sums: torch.sigmoid(sums.chunk(2, -1)[1]) < 0.005,
    "cube": lambda y: y.abs() < 1e-6,
    "step": lambda y: torch.zeros_like(y, dtype=torch.bool),  # it has the gradient of tanh
    **dict.fromkeys(("elman", "standard", "matrix-vector", "tensor"), _is_at_bounds),
    **dict.fromkeys(("gru", "lstm", "lstm-sum"), _is_still),
    "irnn": lambda y: y <= 0,
    "scrn": lambda y: (y - 0.5).abs() > 0.495,  # of the fast units; slow ones are linear
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
