"""The parser by spans in training."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from senna.heads.settings import TreeConfig
from senna.lazy import lab_module
from senna.paths.charts import best_spans
from senna.products.workspace import Ints
from senna.text.schemes import Phrase
from senna.text.trees import Tree
from senna.text.trees.constituents import tree_of
from senna.training.heads.base import Head
from senna.training.layers.batch import Batch
from senna.training.layers.options import NetworkOptions
from senna.training.layers.weights import Arrays, linear
from senna.training.losses.charts import log_trees


class TreeHead(Head):
    """Scores of spans, and labels of those of a tree; its emissions are the encoder's units."""

    def forward(self, x: Tensor, batch: Batch) -> Tensor:
        """The units (n_sentences, n_steps, size) as they are."""
        return x

    def loss(self, emissions: Tensor, batch: Batch) -> Tensor:
        """Negative log-likelihood of trees without labels, and of the labels of their spans."""
        assert batch.brackets is not None
        sentences, first, last, labels = batch.brackets.T
        scores = self.layers.spans(emissions)
        wide = first < last
        gold = scores[sentences[wide], first[wide], last[wide]].sum()
        guesses = self.output(self.layers.labels(emissions, sentences, first, last))
        wrong = functional.cross_entropy(guesses, labels, reduction="sum")
        loss: Tensor = log_trees(scores, batch.lengths) - gold + wrong
        return loss

    def predict(self, emissions: Tensor, batch: Batch) -> list[Tree]:
        """See `Head.predict`: trees, whose words have neither form nor part of speech."""
        lengths = batch.lengths.cpu().numpy()
        scores = self.layers.spans(emissions).cpu().numpy()
        spans = best_spans(scores, lengths)
        sentences, first, last = (torch.from_numpy(rows).to(emissions.device) for rows in spans)
        labels = self.output(self.layers.labels(emissions, sentences, first, last)).argmax(1)
        names = [self.names[i] for i in labels.tolist()]
        phrases: list[list[Phrase]] = [[] for _ in lengths]
        for s, start, end, name in zip(*(rows.tolist() for rows in spans), names, strict=True):
            phrases[s].append(Phrase(start, end + 1, name))
        return trees_of(phrases, lengths)


def trees_of(phrases: Iterable[list[Phrase]], lengths: Ints) -> list[Tree]:
    """The trees of some constituents; their words have neither form nor part of speech."""
    words = [[Tree("", word="") for _ in range(n)] for n in lengths.tolist()]
    return list(map(tree_of, phrases, words))


class SpanLayers(nn.Module):
    """Vectors of a span's first and last words, for its score and for its label."""

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


def head(
    task: str,
    names: list[str],
    units: int,
    options: NetworkOptions,
    settings: Any,
    layers: nn.Module | None = None,
) -> Head:
    """See `senna.training.heads.base`."""
    tree: TreeConfig = options.tables["tree"]
    if tree.parser == "levels":
        parser: Head = lab_module("levels").head(names, units, options)
        return parser
    spans = SpanLayers(units, tree, options.dropout_hidden)
    return TreeHead(names, spans, tree.labels, options)
