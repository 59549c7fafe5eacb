"""The window network (section 3.3.1): hidden layers, the first ones shared by all tasks."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor, nn
from torch.nn import functional

from senna.inference.networks.settings import WindowConfig
from senna.tasks import TASKS
from senna.training.heads.roles import DistanceScores
from senna.training.layers.batch import Batch, mask_of
from senna.training.layers.weights import Arrays, Probe, linear
from senna.training.networks.base import Network


class HiddenLayer(nn.Module):
    """One hidden layer over a window of words (eqs. 3 to 5)."""

    unit = staticmethod(functional.hardtanh)  # eq. 5

    def __init__(self, size: int, window: int, units: int, dropout: float) -> None:
        super().__init__()
        self.probe = Probe("hardtanh")
        self.linear = nn.Linear(window * size, units)
        self.window, self.dropout = window, nn.Dropout(dropout)

    def forward(self, x: Tensor, inside: Tensor | None = None, *, padded: bool) -> Tensor:
        """(n_sentences, n_steps, size) -> (n_sentences, n_steps, units); inside: see `Probe`.

        With `padded` x already has its margin; else zeros stand beyond the ends.
        """
        half = self.window // 2
        if not padded and half:
            x = functional.pad(x, (0, 0, half, half))
        units = self.unit(self.linear(windows(x, self.window)))
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


class WindowNetwork(Network):
    """Lookup tables, hidden layers and one head per task; without hidden layers it is linear."""

    settings: WindowConfig

    def add_layers(self) -> None:
        settings = self.settings
        n = len(settings.hidden)
        size = settings.hidden[-1] if n else settings.widths[0] * self.inputs.size
        self.shared = self._layers(0, min(settings.shared, n))
        for task, tags in self.names.items():
            layers: nn.Module = self._layers(settings.shared, n)
            if TASKS[task].head == "roles":
                layers = DistanceScores(settings.distance, len(tags))
            self.add_head(task, size, layers)

    def _layers(self, first: int, last: int) -> Layers:
        settings, dropout = self.settings, self.options.train.dropout_hidden
        sizes, widths = (self.inputs.size, *settings.hidden), settings.widths
        layers = (
            HiddenLayer(sizes[i], widths[i], sizes[i + 1], dropout) for i in range(first, last)
        )
        return Layers(layers, first)

    def forward(self, task: str, batch: Batch) -> Tensor:
        margin = self.settings.widths[0] // 2
        x, head = self.dropout(self.inputs(batch, margin)), self.head(task)
        if not self.settings.hidden:
            scores: Tensor = head(windows(x, self.settings.widths[0]), batch)
            return scores
        inside = mask_of(batch.lengths, batch.n_steps)[:, :, None]
        for i, layer in enumerate([*self.shared, *head.layers]):
            x = layer(x if i == 0 else x * inside, inside, padded=i == 0)
        emissions: Tensor = head(x, batch)
        return emissions

    def layer_arrays(self) -> Arrays:
        return self.shared.arrays()


NETWORK = WindowNetwork
