"""The parser by arcs in training (Dozat and Manning 2017, section 2.2)."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from senna.layers.batch import Batch
from senna.layers.options import NetworkOptions
from senna.layers.weights import Arrays, linear, view_of
from senna.losses.arcs import log_arborescences
from senna.outputs.dependencies.answer import root_relation
from senna.outputs.dependencies.settings import DependencyConfig
from senna.outputs.train import Head
from senna.paths.arcs import best_heads, best_relations
from senna.text.conllu import Arc


class ArcLayers(nn.Module):
    """What words and heads say of the arcs between them, for their score and their relation.

    The root is a head of its own, whose units are learnt.
    """

    def __init__(self, size: int, settings: DependencyConfig, dropout: float) -> None:
        super().__init__()
        units = settings.units
        self.word, self.head = nn.Linear(size, units), nn.Linear(size, units)
        self.both = nn.Linear(units, units)  # its bias is the head's own: a prior of heads
        self.begin = nn.Linear(size, settings.relations)
        self.end = nn.Linear(size, settings.relations, bias=False)
        self.root = nn.Parameter(torch.zeros(units))
        self.dropout = nn.Dropout(dropout)

    def first_weights(self) -> None:
        """Of the root: as small as those of words."""
        nn.init.normal_(self.root, 0, 0.1)

    def arcs(self, x: Tensor) -> Tensor:
        """Units of words (n_sentences, n, size) to scores (n_sentences, n, n + 1) of heads.

        The first head is the root.
        """
        words = self.dropout(functional.relu(self.word(x)))
        heads = self.dropout(functional.relu(self.head(x)))
        roots = self.root.expand(len(x), 1, -1)
        scores: Tensor = self.both(words) @ torch.cat([roots, heads], dim=1).transpose(1, 2)
        return scores

    def relations(self, x: Tensor, sentences: Tensor, words: Tensor, heads: Tensor) -> Tensor:
        """The layer below the relations of some words to their heads, (n_words, relations)."""
        above = functional.pad(self.end(x), (0, 0, 1, 0))  # the root adds nothing
        y = self.begin(x)[sentences, words] + above[sentences, heads]
        units: Tensor = self.dropout(functional.relu(y))
        return units

    def arrays(self, task: str) -> Arrays:
        """Their weights, by their names in the model folder."""
        arrays: Arrays = {f"{task}.root": view_of(self.root)}
        for name in ("word", "head", "both", "begin", "end"):
            arrays |= linear(f"{task}.{name}", getattr(self, name))
        return arrays


class DependencyHead(Head):
    """Scores of arcs, and relations of those of a tree; its emissions are the encoder's units."""

    def __init__(
        self, names: list[str], layers: nn.Module, size: int, options: NetworkOptions, loss: str
    ) -> None:
        super().__init__(names, layers, size, options)
        self.of_trees = loss == "trees"

    def forward(self, x: Tensor, batch: Batch) -> Tensor:
        """The units (n_sentences, n_steps, size) as they are."""
        return x

    def loss(self, emissions: Tensor, batch: Batch) -> Tensor:
        """Negative log-likelihood of heads, or of trees, and of the relations to gold heads."""
        assert batch.brackets is not None
        sentences, words, heads, relations = batch.brackets.T
        scores = _barred(self.layers.arcs(emissions), batch.lengths)
        if self.of_trees:
            gold = scores[sentences, words, heads].sum()
            wrong = log_arborescences(scores, batch.lengths) - gold
        else:
            rows = scores[sentences, words]
            wrong = functional.cross_entropy(rows, heads, reduction="sum")
        units = self.layers.relations(emissions, sentences, words, heads)
        guesses = self.output(units)
        loss: Tensor = wrong + functional.cross_entropy(guesses, relations, reduction="sum")
        return loss

    def predict(self, emissions: Tensor, batch: Batch) -> list[list[Arc]]:
        """See `Head.predict`: the arcs of the best trees."""
        lengths = batch.lengths.cpu().numpy()
        scores = _barred(self.layers.arcs(emissions), batch.lengths)
        best = torch.from_numpy(best_heads(scores.float().cpu().numpy(), lengths))
        best = best.to(emissions.device)
        steps = torch.arange(best.shape[1], device=best.device)
        sentences, words = torch.nonzero(steps < batch.lengths[:, None], as_tuple=True)
        heads = best[sentences, words]
        units = self.layers.relations(emissions, sentences, words, heads)
        guesses = self.output(units).float().cpu().numpy()
        relations = best_relations(guesses, heads.cpu().numpy(), root_relation(self.names))
        arcs = [
            Arc(head, self.names[k])
            for head, k in zip(heads.tolist(), relations.tolist(), strict=True)
        ]
        ends = lengths.cumsum().tolist()
        return [arcs[end - n : end] for end, n in zip(ends, lengths.tolist(), strict=True)]


def _barred(scores: Tensor, lengths: Tensor) -> Tensor:
    """Scores of arcs without those from a word to itself or to what is no word."""
    n = scores.shape[1]
    places = torch.arange(n + 1, device=scores.device)
    itself = places[1:, None] == places
    beyond = places > lengths[:, None]
    return scores.masked_fill(itself | beyond[:, None], -1e9)


def head(
    task: str,
    names: list[str],
    units: int,
    options: NetworkOptions,
    settings: Any,
    layers: nn.Module | None = None,
) -> DependencyHead:
    """See `senna.outputs.train`."""
    chosen: DependencyConfig = options.tables["dependencies"]
    arcs = ArcLayers(units, chosen, options.dropout_hidden)
    return DependencyHead(names, arcs, chosen.relations, options, chosen.loss)
