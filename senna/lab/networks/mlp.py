"""A window network of any hidden units, all of whose layers are shared by the tasks.

The network of section 3.3.1 with another function than HardTanh (Goldberg 2015, section 4): an MLP
over the words around each word.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from senna.lab.networks.settings import MlpConfig
from senna.training.layers.batch import Batch, mask_of
from senna.training.layers.weights import Arrays, Probe
from senna.training.networks.base import Network
from senna.training.networks.window import HiddenLayer, Layers


def step(x: Tensor) -> Tensor:
    """1 above 0, else -1; the gradient is that of tanh, as a step has none."""
    smooth = torch.tanh(x)
    return smooth + (torch.where(x > 0, 1.0, -1.0) - smooth).detach()


# By `network.mlp.unit`: the function, and the kind of units by which training knows flat ones.
UNITS: dict[str, tuple[Any, str]] = {
    "hardtanh": (functional.hardtanh, "hardtanh"),
    "tanh": (torch.tanh, "elman"),
    "sigmoid": (torch.sigmoid, "scrn"),
    "relu": (functional.relu, "relu"),
    "step": (step, "step"),
    "cube": (lambda x: x**3, "cube"),  # Chen and Manning 2014
    # Of length 1, against saturation (Goldberg 2015, section 6.3).
    "tanh-normalised": (lambda x: functional.normalize(torch.tanh(x), dim=-1), "elman"),
    "tanh-cube": (lambda x: torch.tanh(x**3 + x), "elman"),  # Pei, Ge and Chang 2015
}


class MlpNetwork(Network):
    """Lookup tables, hidden layers over windows, and one head per task."""

    settings: MlpConfig

    def add_layers(self) -> None:
        settings, dropout = self.settings, self.options.train.dropout_hidden
        sizes = (self.inputs.size, *settings.hidden)
        layers = [
            HiddenLayer(size, settings.widths[i] if i < len(settings.widths) else 1, units, dropout)
            for i, (size, units) in enumerate(zip(sizes, settings.hidden, strict=False))
        ]
        for layer in layers:
            layer.unit, kind = UNITS[settings.unit]
            layer.probe = Probe(kind)
        self.layers = Layers(layers, 0)
        self.add_heads_above(settings.hidden[-1])

    def encode(self, batch: Batch) -> Tensor:
        """The last hidden layer of each word, (n_sentences, n_steps, units)."""
        x: Tensor = self.dropout(self.inputs(batch, self.settings.widths[0] // 2))
        inside = mask_of(batch.lengths, batch.n_steps)[:, :, None]
        for i, layer in enumerate(self.layers):
            x = layer(x if i == 0 else x * inside, inside, padded=i == 0)
        return x

    def layer_arrays(self) -> Arrays:
        return self.layers.arrays()


NETWORK = MlpNetwork
