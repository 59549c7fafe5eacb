"""Gated convolutions over the words of sentences."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from senna.training.layers.weights import Arrays, Probe, linear, view_of


class GatedLayer(nn.Module):
    """One residual layer; `factorise` makes its weights a product of two matrices."""

    def __init__(self, units: int, width: int, dilation: int, dropout: float) -> None:
        super().__init__()
        self.width, self.dilation = width, dilation
        self.down: nn.Linear | None = None
        self.up = nn.Linear(width * units, 2 * units)
        self.probe, self.dropout = Probe("gated"), nn.Dropout(dropout)

    def forward(self, x: Tensor, inside: Tensor) -> Tensor:
        """x (n_sentences, n_steps, units); inside (n_sentences, n_steps, 1), where words are."""
        n, reach = x.shape[1], self.width // 2 * self.dilation
        normal = functional.layer_norm(x, x.shape[2:]) * inside
        padded = functional.pad(normal, (0, 0, reach, reach))
        shifts = [i * self.dilation for i in range(self.width)]
        y = torch.cat([padded[:, shift : shift + n] for shift in shifts], dim=2)
        if self.down is not None:
            y = self.down(y)
        more: Tensor = self.dropout(functional.glu(self.probe(self.up(y), inside), dim=2))
        return x + more

    def factorise(self, down: NDArray[np.float32], up: NDArray[np.float32]) -> None:
        """Put the product of down (n_in, rank) and up (rank, n_out) in place of the weights."""
        (n_in, rank), (_, n_out) = down.shape, up.shape
        before, bias = self.up.weight, self.up.bias
        self.down = nn.Linear(n_in, rank, bias=False)
        self.down.weight = nn.Parameter(torch.from_numpy(down.T).to(before))
        self.up = nn.Linear(rank, n_out)
        self.up.weight, self.up.bias = nn.Parameter(torch.from_numpy(up.T).to(before)), bias

    @property
    def first(self) -> nn.Linear:
        """The matrix by which windows are multiplied: the first factor, or all weights."""
        return self.up if self.down is None else self.down

    def product(self) -> NDArray[np.float32]:
        """The weights (n_in, n_out), of two factors their product."""
        up = view_of(self.up.weight).T
        return up if self.down is None else view_of(self.down.weight).T @ up

    def arrays(self, name: str) -> Arrays:
        """Its weights, by their names in the model folder."""
        if self.down is None:
            return linear(name, self.up)
        return linear(f"{name}.down", self.down) | {
            f"{name}.up.weight": view_of(self.up.weight).T,
            f"{name}.bias": view_of(self.up.bias),
        }


def arrays_of(name: str, layers: Any) -> Arrays:
    arrays: Arrays = {}
    for i, layer in enumerate(layers):
        arrays |= layer.arrays(f"{name}-{i}")
    return arrays
