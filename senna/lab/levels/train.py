"""The parser by levels in training."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from senna.heads.settings import WIDTH, TreeConfig
from senna.lab.levels.nodes import Ints, Nodes, S, levels
from senna.lab.levels.tag import LevelPaths
from senna.text.iobes import FORBIDDEN, all_tags
from senna.text.schemes import Phrase
from senna.text.trees import Tree
from senna.text.trees.constituents import outermost_first
from senna.training.heads.base import Head
from senna.training.heads.trees import trees_of
from senna.training.layers.batch import Batch
from senna.training.layers.gated import GatedLayer
from senna.training.layers.options import NetworkOptions
from senna.training.layers.weights import Arrays, array_of, linear, view_of
from senna.training.losses.criteria import (
    CRITERIA,
    GoldBatch,
)
from senna.training.losses.structured import Transitions

TOGETHER = 32  # levels of like length whose paths are summed up in step


class LevelHead(Head):
    """Tags of nodes by levels (`senna.lab.levels.nodes`); emissions are the encoder's units."""

    def __init__(self, names: list[str], layers: nn.Module, size: int, options: NetworkOptions):
        super().__init__(all_tags(names[1:]), layers, size, options)
        self.labels = names
        self.transitions = Transitions(len(self.names))
        self.tree: TreeConfig = options.tables["tree"]

    @property
    def settings(self) -> dict[str, Any]:
        return {"tree": asdict(self.tree)}

    def forward(self, x: Tensor, batch: Batch) -> Tensor:
        """The units (n_sentences, n_steps, size) as they are."""
        return x

    def scores(self, x: Tensor, nodes: Nodes, is_first: NDArray[np.bool_], lengths: Ints) -> Tensor:
        """Emissions (n_nodes, n_tags) of nodes of some levels, end to end.

        x (n_sentences, n_steps, size); is_first (n_nodes,): of the first level of a sentence;
        lengths: nodes of each level.
        """
        starts = nodes.sentences * x.shape[1]
        labels = np.where(is_first, len(self.labels), nodes.labels)
        widths = nodes.last - nodes.first + 1
        rows = np.stack([starts + nodes.first, starts + nodes.last, labels, widths])
        inner = torch.from_numpy(rows).to(x.device), torch.from_numpy(lengths).to(x.device)
        emissions: Tensor = self.output(self.layers(x.flatten(0, 1), *inner))
        ruled_out = emissions.new_zeros(len(self.names))
        ruled_out[S::4] = FORBIDDEN
        later = torch.from_numpy(~is_first).to(emissions)
        return emissions + later[:, None] * ruled_out

    def loss(self, emissions: Tensor, batch: Batch) -> Tensor:
        """The sentence-level criterion on the levels of the gold trees, summed."""
        assert batch.brackets is not None
        sentences, first, last, labels = batch.brackets[batch.brackets[:, 3] > 0].T.cpu().numpy()
        spans = Nodes(sentences, first, last, labels)
        gold_levels = list(levels(spans, batch.lengths.cpu().numpy()))
        if not gold_levels:  # no sentence has a constituent
            return 0 * emissions.sum()
        nodes = Nodes(*map(np.concatenate, zip(*(n for n, _ in gold_levels), strict=True)))
        lengths = np.concatenate([level.lengths for level, _ in gold_levels])
        is_first = np.arange(len(nodes.labels)) < len(gold_levels[0][1])
        scores = self.scores(emissions, nodes, is_first, lengths)
        gold = torch.from_numpy(np.concatenate([tags for _, tags in gold_levels]))
        gold = gold.to(scores.device)
        order = np.argsort(-lengths, kind="stable")
        starts = np.cumsum(lengths) - lengths
        total = scores.new_zeros(())
        for begin in range(0, len(order), TOGETHER):
            rows = order[begin : begin + TOGETHER]
            # Beyond a level's end any row does: nothing looks at it.
            steps = np.minimum(starts[rows, None] + np.arange(lengths[rows[0]]), len(gold) - 1)
            index = torch.from_numpy(steps).to(scores.device)
            paths = GoldBatch(gold[index], torch.from_numpy(lengths[rows]).to(scores.device))
            total = total + CRITERIA["sentence"].loss(scores[index], paths, self.transitions)
        return total

    def predict(self, emissions: Tensor, batch: Batch) -> list[Tree]:
        """See `Head.predict`: trees, whose words have neither form nor part of speech."""
        lengths = batch.lengths.cpu().numpy()
        nodes, is_first = Nodes.words(lengths), True
        spans: list[list[Phrase]] = [[] for _ in lengths]
        moves = self.transitions
        paths = LevelPaths(*map(array_of, (moves.between, moves.within, moves.initial)))
        while n := len(nodes.labels):
            scores = self.scores(emissions, nodes, np.full(n, is_first), nodes.lengths)
            tags = paths.tags(scores.cpu().numpy()[:, paths.columns], nodes.lengths, is_first)
            for s, a, b, k in zip(*(o.tolist() for o in nodes.constituents(tags)), strict=True):
                spans[s].append(Phrase(a, b + 1, self.labels[k]))
            nodes, is_first = nodes.next(tags), False
        return trees_of(map(outermost_first, spans), lengths)


class NodeLayers(nn.Module):
    """Vectors of the nodes of levels, each from its neighbours."""

    def __init__(
        self,
        size: int,
        settings: TreeConfig,
        n_labels: int,
        convolutions: Sequence[Any],
        dropout: float,
    ) -> None:
        """convolutions: over nodes, `senna.training.layers.gated.GatedLayer`."""
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
            arrays[f"{task}.{name}"] = view_of(getattr(self, name).weight)
        convolutions: Any = self.convolutions
        for i, layer in enumerate(convolutions):
            arrays |= layer.arrays(f"{task}.gated-{i}")
        return arrays


def head(names: list[str], units: int, options: NetworkOptions) -> LevelHead:
    """The parser above a network that gives `units` numbers per word."""
    tree: TreeConfig = options.tables["tree"]
    dropout = options.dropout_hidden
    convolutions = [GatedLayer(tree.node, WIDTH, d, dropout) for d in tree.node_dilations]
    layers = NodeLayers(units, tree, len(names), convolutions, dropout)
    return LevelHead(names, layers, tree.node, options)
