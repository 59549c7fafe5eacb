"""The parser by spans in training."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from senna.annotation.schemes import Phrase
from senna.annotation.trees import Tree, tree_of
from senna.decoding.best_trees import best_spans
from senna.inference.workspace import Ints
from senna.kinds.settings import TreeConfig
from senna.kinds.trees.head import labelled
from senna.registry import OTHER_HEADS
from senna.training.heads.base import Head, Place
from senna.training.layers.batch import Batch
from senna.training.layers.weights import Arrays, linear


def log_trees(scores: Tensor, lengths: Tensor) -> Tensor:
    """Log of the summed exponentials of the scores of all trees, summed over sentences.

    scores (n_sentences, n_words, n_words), [s, i, j] of the span from word i to word j, both
    within; a tree's score is the sum of its spans' of two words and more. (Stern et al. 2017; Zhang
    et al. 2020, section 2.2.)
    """
    total: Tensor = _LogTrees.apply(scores, lengths)  # type: ignore[no-untyped-call]
    return total


class _LogTrees(torch.autograd.Function):
    """By hand, as a graph of some thousand small nodes costs several times the arithmetic."""

    @staticmethod
    def forward(ctx: Any, scores: Tensor, lengths: Tensor) -> Tensor:
        n_sentences, n = scores.shape[:2]
        # Of spans by their width, and by first word or by end.
        left = scores.new_zeros(n_sentences, n, n + 1)
        right = scores.new_zeros(n_sentences, n + 1, n + 1)
        for width in range(2, n + 1):
            m = n - width + 1
            both = left[:, :m, 1:width] + right[:, width:, 1:width].flip(2)
            inside = both.logsumexp(2) + scores.diagonal(width - 1, 1, 2)
            left[:, :m, width] = right[:, width:, width] = inside
        ctx.save_for_backward(scores, lengths, left, right)
        return left[:, 0].gather(1, lengths[:, None]).sum()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        scores, lengths, left, right = ctx.saved_tensors
        n = scores.shape[1]
        by_start, by_end = torch.zeros_like(left), torch.zeros_like(right)
        by_start[:, 0].scatter_(1, lengths[:, None], 1.0)
        marginals = torch.zeros_like(scores)
        for width in range(n, 1, -1):
            m = n - width + 1
            marginal = by_start[:, :m, width] + by_end[:, width:, width]
            marginals.diagonal(width - 1, 1, 2).copy_(marginal)
            both = left[:, :m, 1:width] + right[:, width:, 1:width].flip(2)
            shares = both.softmax(2) * marginal[:, :, None]
            by_start[:, :m, 1:width] += shares
            by_end[:, width:, 1:width] += shares.flip(2)
        return marginals * gradients[0], None


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
        lengths = batch.lengths.cpu().numpy()
        spans = best_spans(self.layers.spans(emissions).cpu().numpy(), lengths)
        places = [torch.from_numpy(rows).to(emissions.device) for rows in spans]
        labels = self.output(self.layers.labels(emissions, *places)).argmax(1).cpu().numpy()
        return trees_of(labelled(spans, labels, self.names, len(lengths)), lengths)


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


def head(place: Place) -> Head:
    options = place.options
    tree: TreeConfig = options.network.tree
    if other := OTHER_HEADS.get(tree.parser):
        parser: Head = other(place)
        return parser
    spans = SpanLayers(place.units, tree, options.train.dropout_hidden)
    return TreeHead(place._replace(units=tree.labels, layers=spans))
