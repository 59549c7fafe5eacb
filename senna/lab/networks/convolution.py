"""Convolutions over the words of a sentence, of several widths side by side, for its label.

A filter is linear, so what each word gives in each of its places is computed once and then summed
(Goldberg 2015, "A Primer on Neural Network Models", section 9).
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from senna.lab.networks.settings import ConvolutionConfig
from senna.training.heads.labels import LabelHead
from senna.training.layers.batch import Batch, mask_of
from senna.training.layers.weights import Arrays, Linear, Probe, linear, view_of
from senna.training.networks.base import Network


class ConvolutionNetwork(Network):
    """Lookup tables, filters of each width, and pooling."""

    of_sentences = True
    settings: ConvolutionConfig

    def add_layers(self) -> None:
        self.probe = Probe("relu")
        units, size = self.settings.units, self.inputs.size
        self.filters = nn.ModuleList(
            Linear(size, width * units, fan_in=width * size) for width in self.settings.widths
        )
        self.stages = nn.ModuleList(
            nn.ModuleList(
                Linear(units, width * units, fan_in=width * units) for _ in self.settings.pools
            )
            for width in self.settings.widths
        )
        for task in self.names:
            self.add_head(task, units * len(self.settings.widths))

    def forward(self, task: str, batch: Batch) -> Tensor:
        x = self.dropout(self.inputs(batch))
        inputs = []
        for width, filters, stages in zip(
            self.settings.widths, self.filters, self.stages, strict=True
        ):
            y, lengths = self._filtered(filters, x, batch.lengths, width)
            for pool, stage in zip(self.settings.pools, cast(Any, stages), strict=True):
                y, lengths = _largest(y, lengths, pool)
                y, lengths = self._filtered(stage, y, lengths, width)
            inputs.append((y, lengths))
        head = self.head(task)
        assert isinstance(head, LabelHead)
        return head.of_inputs(inputs, batch)

    def _filtered(
        self, filters: nn.Module, x: Tensor, lengths: Tensor, width: int
    ) -> tuple[Tensor, Tensor]:
        """The outputs of filters, and their number; x (n_sentences, n_steps, size).

        Wide filters are narrow ones over a sentence with zeros at both ends (section 9.1).
        """
        if self.settings.wide:
            x = x * mask_of(lengths, x.shape[1])[:, :, None]
            x, lengths = functional.pad(x, (0, 0, width - 1, width - 1)), lengths + 2 * width - 2
        n, inside = x.shape[1], mask_of(lengths, x.shape[1])[:, :, None]
        # What each word gives in each place of a filter.
        y = (filters(x) * inside).reshape(*x.shape[:2], width, self.settings.units)
        padded = functional.pad(y, (0, 0, 0, 0, 0, width - 1))
        sums = torch.stack([padded[:, k : k + n, k] for k in range(width)]).sum(0).relu()
        places = (lengths - width + 1).clamp(min=1)  # a shorter sentence has one, too
        return self.probe(sums, mask_of(places, sums.shape[1])[:, :, None]), places

    def layer_arrays(self) -> Arrays:
        layers: Any = self.filters
        parts = [linear("layer-0", filters) for filters in layers]
        arrays = {name: np.concatenate([p[name] for p in parts], axis=-1) for name in parts[0]}
        for width, stages in zip(self.settings.widths, cast(Any, self.stages), strict=True):
            for i, stage in enumerate(stages, start=1):
                arrays |= linear(f"stage-{i}.{width}", stage)
        return arrays

    def read(self, stored: Arrays) -> None:
        layers: Any = self.filters
        ends = np.cumsum([filters.out_features for filters in layers])[:-1]
        weights, biases = (np.split(stored[f"layer-0.{x}"], ends, -1) for x in ("weight", "bias"))
        for filters, weight, bias in zip(layers, weights, biases, strict=True):
            view_of(filters.weight).T[...], view_of(filters.bias)[...] = weight, bias


def _largest(x: Tensor, lengths: Tensor, pool: int) -> tuple[Tensor, Tensor]:
    """The largest of each `pool` neighbouring places (section 9.2); x is nowhere below 0."""
    x = x * mask_of(lengths, x.shape[1])[:, :, None]
    x = functional.pad(x, (0, 0, 0, -x.shape[1] % pool))
    groups = x.reshape(len(x), -1, pool, x.shape[2])
    return groups.amax(2), (lengths + pool - 1) // pool


NETWORK = ConvolutionNetwork
