"""Convolutions over the words of a sentence, of several widths side by side, for its label.

A filter is linear, so what each word gives in each of its places is computed once and then summed
(Goldberg 2015, "A Primer on Neural Network Models", section 9).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from senna.config import Config
from senna.training.examples.batches import Batch
from senna.training.heads import LabelHead
from senna.training.lookup import Inputs
from senna.training.losses.criteria import mask_of
from senna.training.network import Network
from senna.training.networks.window import Layers
from senna.training.weights import Arrays, Linear, linear


class ConvolutionNetwork(Network):
    """Lookup tables, filters of each width, and pooling."""

    HEADS = ("labels",)

    def __init__(
        self, config: Config, inputs: Inputs, names: dict[str, list[str]], n_labels: int = 0
    ) -> None:
        super().__init__(config, inputs, names, n_labels)
        self.settings = config.network.convolution
        units = self.settings.units
        self.filters = nn.ModuleList(
            Linear(inputs.size, width * units, fan_in=width * inputs.size)
            for width in self.settings.widths
        )
        for task in names:
            self.add_head(task, Layers([], 0), units * len(self.settings.widths))

    def forward(self, task: str, batch: Batch) -> Tensor:
        x = self.dropout(self.inputs(batch))
        inside = mask_of(batch.lengths, x.shape[1])[:, :, None]
        inputs = []
        for width, filters in zip(self.settings.widths, self.filters, strict=True):
            margin = width - 1
            y = (filters(x) * inside).unflatten(2, (width, self.settings.units))
            padded = functional.pad(y, (0, 0, 0, 0, margin, margin))
            n = x.shape[1] + margin
            sums = torch.stack([padded[:, k : k + n, k] for k in range(width)]).sum(0).relu()
            lengths = self.settings.places(batch.lengths.cpu().numpy(), width)
            sums = sums if self.settings.wide else sums[:, margin:]
            inputs.append((sums, torch.from_numpy(lengths).to(x.device)))
        head = self.head(task)
        assert isinstance(head, LabelHead)
        return head.of_inputs(inputs)

    def layer_arrays(self) -> Arrays:
        layers: Any = self.filters
        parts = [linear("layer-0", filters) for filters in layers]
        return {name: np.concatenate([part[name] for part in parts], axis=-1) for name in parts[0]}
