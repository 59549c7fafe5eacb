"""Trees: layers of the two parsers, above the encoder.

That by spans has two stages, as in Zhang et al. 2020, "Fast and Accurate Neural CRF Constituency
Parsing": a span's score is a product of what its first and its last word say (eq. 3), trained by
the log-likelihood of the whole tree without labels; the labels of a tree's spans are told one by
one.

That by levels (`senna.text.trees.levels`) tags the nodes of each level. What a node is begins as a
sum over its first and its last word, its label and its width; gated convolutions over the nodes of
the level follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from senna.infer.networks.gated import TreeConfig
from senna.training.weights import Arrays, array_of, linear


class SpanLayers(nn.Module):
    """What a span's first and last words say, for its score and for its label."""

    def __init__(self, size: int, settings: TreeConfig, dropout: float) -> None:
        super().__init__()
        units = settings.units
        self.first, self.last = nn.Linear(size, units), nn.Linear(size, units)
        self.both = nn.Linear(units, units)  # its bias is the last word's own
        self.begin = nn.Linear(size, settings.labels)
        self.end = nn.Linear(size, settings.labels, bias=False)
        self.dropout = nn.Dropout(dropout)

    def spans(self, x: Tensor) -> Tensor:
        """Units of words (n_sentences, n, size) to scores (n_sentences, n, n) of spans."""
        first = self.dropout(functional.relu(self.first(x)))
        last = self.dropout(functional.relu(self.last(x)))
        scores: Tensor = self.both(first) @ last.transpose(1, 2)
        return scores

    def labels(self, x: Tensor, sentences: Tensor, first: Tensor, last: Tensor) -> Tensor:
        """The layer below the labels of some spans, (n_spans, labels)."""
        y = self.begin(x)[sentences, first] + self.end(x)[sentences, last]
        units: Tensor = self.dropout(functional.relu(y))
        return units

    def arrays(self, task: str) -> Arrays:
        """Their weights, by their names in the model folder."""
        arrays: Arrays = {}
        for name in ("first", "last", "both", "begin", "end"):
            arrays |= linear(f"{task}.{name}", getattr(self, name))
        return arrays


class NodeLayers(nn.Module):
    """What nodes of levels are, each beside its neighbours."""

    def __init__(
        self,
        size: int,
        settings: TreeConfig,
        n_labels: int,
        convolutions: Sequence[Any],
        dropout: float,
    ) -> None:
        """convolutions: over nodes, `senna.training.networks.gated.GatedLayer`."""
        super().__init__()
        units, self.widest = settings.node, settings.widest
        self.first = nn.Linear(size, units)
        self.last = nn.Linear(size, units, bias=False)
        self.label = nn.Embedding(n_labels + 1, units)  # the last row: a word of the first level
        self.width = nn.Embedding(self.widest, units)
        self.convolutions = nn.ModuleList(convolutions)
        self.reach = max((c.width // 2 * c.dilation for c in convolutions), default=0)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, nodes: Tensor, lengths: Tensor) -> Tensor:
        """Units (n_nodes, units) of the nodes of several levels, end to end.

        x (n_words, size); nodes (4, n_nodes): the rows in x of a node's first and last word, its
        label and its width; lengths: nodes of each level.
        """
        first, last, labels, widths = nodes
        y = self.first(x)[first] + self.last(x)[last]
        y = y + self.label(labels) + self.width((widths - 1).clamp_max(self.widest - 1))
        # One long row, with so much room between levels that no convolution sees two of them.
        numbers = torch.arange(len(lengths), device=x.device).repeat_interleave(lengths)
        places = torch.arange(len(labels), device=x.device) + self.reach * numbers
        row = y.new_zeros(1, int(places[-1]) + 1, y.shape[1])
        inside = row.new_zeros(1, row.shape[1], 1)
        row[0, places], inside[0, places] = self.dropout(functional.relu(y)), 1.0
        for layer in self.convolutions:
            row = layer(row, inside)
        mixed: Tensor = self.dropout(functional.layer_norm(row[0, places], row.shape[2:]))
        return mixed

    def arrays(self, task: str) -> Arrays:
        """Their weights, by their names in the model folder."""
        arrays = linear(f"{task}.first", self.first) | linear(f"{task}.last", self.last)
        for name in ("label", "width"):
            arrays[f"{task}.{name}"] = array_of(getattr(self, name).weight)
        convolutions: Any = self.convolutions
        for i, layer in enumerate(convolutions):
            arrays |= layer.arrays(f"{task}.gated-{i}")
        return arrays
