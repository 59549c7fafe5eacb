"""Networks that feed forward, and the table of letter n-grams, which are added up.

A bag of words adds up features, through one hidden layer to the label of a sentence. An MLP is the
window network of section 3.3.1 with another function than HardTanh (Goldberg 2015, section 4), all
of whose layers are shared by the tasks. Convolutions of several widths side by side give a sentence
its label: a filter is linear, so what each word gives in each of its places is computed once and
then summed (Goldberg 2015, "A Primer on Neural Network Models", section 9).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from senna.lab.networks.settings import BagConfig, ConvolutionConfig, MlpConfig
from senna.text.vocabulary import Spelling
from senna.training.examples.corpora import Example
from senna.training.heads.base import Place
from senna.training.heads.labels import LabelHead, VectorHead
from senna.training.layers.batch import Batch, mask_of
from senna.training.layers.lookup import PlainTable
from senna.training.layers.weights import Arrays, Linear, Probe, linear, view_of
from senna.training.networks.base import Network
from senna.training.networks.window import HiddenLayer, Layers


class BagNetwork(Network):
    """Lookup tables, their mean over a sentence (Goldberg 2015, 3), and one hidden layer."""

    of_sentences = True
    settings: BagConfig

    def add_layers(self) -> None:
        units = self.settings.units
        self.probe = Probe("relu")
        self.hidden = nn.Linear(self.inputs.size, units)
        for task, names in self.names.items():
            self.heads[task] = VectorHead(Place(task, names, units, self.options))

    @staticmethod
    def word_weights(settings: BagConfig, train: Sequence[Example]) -> dict[str, float]:
        return inverse_frequencies(train) if settings.weights == "tf-idf" else {}

    def encode(self, batch: Batch) -> Tensor:
        """The hidden layer of sentences, (n_sentences, units)."""
        x = self.dropout(self.inputs(batch))
        weights = mask_of(batch.lengths, x.shape[1]).to(x)
        if batch.idf is not None:
            weights = batch.idf
        words = (x * weights[:, :, None]).sum(1)
        words = words / weights.sum(1)[:, None]
        units: Tensor = self.probe(functional.relu(self.hidden(words)))
        return units

    def layer_arrays(self) -> Arrays:
        return linear("layer-0", self.hidden)


def inverse_frequencies(examples: Sequence[Example]) -> dict[str, float]:
    """ln((1 + n) / (1 + n_w)) + 1 for words w in n_w of n sentences; "" is that of no word."""
    words = ({Spelling.of(form).lower for form in example.forms} for example in examples)
    counts = Counter(word for of_one in words for word in sorted(of_one))
    n = 1 + len(examples)
    return {word: math.log(n / (1 + k)) + 1 for word, k in [("", 0), *sorted(counts.items())]}


class Ngrams(PlainTable):
    """The sum of the rows of a word's n-grams, which begin at 0; row 0 stands for none."""

    def forward(self, rows: Tensor) -> Tensor:
        """rows (n_forms, n_ngrams), zero after the last one -> (n_forms, size)."""
        return functional.embedding_bag(rows, self.weight, mode="sum", padding_idx=0)

    def first_weights(self) -> None:
        """All 0, so that a word begins with its own vector."""
        nn.init.zeros_(self.weight)


LAYERS = {"ngrams": Ngrams}


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


NETWORK = {"bag": BagNetwork, "mlp": MlpNetwork, "convolution": ConvolutionNetwork}
