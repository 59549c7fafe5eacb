"""Hidden layers over windows of words (section 3.3.1)."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor, nn
from torch.nn import functional

from senna.training.layers.units import UNITS, Probe
from senna.training.layers.weights import Arrays, linear


class HiddenLayer(nn.Module):
    """One hidden layer over a window of words (eqs. 3 to 5)."""

    def __init__(
        self, size: int, window: int, units: int, dropout: float, unit: str = "hardtanh"
    ) -> None:
        super().__init__()
        self.function, self.probe = UNITS[unit].function, Probe(unit)
        self.linear = nn.Linear(window * size, units)
        self.window, self.dropout = window, nn.Dropout(dropout)

    def forward(self, x: Tensor, inside: Tensor | None = None, *, padded: bool) -> Tensor:
        """(n_sentences, n_steps, size) -> (n_sentences, n_steps, units); inside: see `Probe`.

        With `padded` x already has its margin; else zeros stand beyond the ends.
        """
        half = self.window // 2
        if not padded and half:
            x = functional.pad(x, (0, 0, half, half))
        units = self.function(self.linear(windows(x, self.window)))
        hidden: Tensor = self.dropout(self.probe(units, inside))
        return hidden


def windows(x: Tensor, width: int) -> Tensor:
    """The words around each word side by side, (n_sentences, n_steps, width * size).

    x (n_sentences, n_steps + width - 1, size) has its margin.
    """
    n = x.shape[1] - width + 1
    return torch.cat([x[:, i : i + n] for i in range(width)], dim=2) if width > 1 else x


class Layers(nn.ModuleList):
    """Hidden layers one after the other, numbered from `first` on."""

    def __init__(self, layers: Iterable[HiddenLayer], first: int) -> None:
        super().__init__(layers)
        self.first = first

    def arrays(self, task: str = "") -> Arrays:
        """Their weights: layer-I, or TASK.layer-I."""
        arrays: Arrays = {}
        for i, layer in enumerate(self, self.first):
            assert isinstance(layer, HiddenLayer)
            arrays |= linear(f"{task}.layer-{i}" if task else f"layer-{i}", layer.linear)
        return arrays
