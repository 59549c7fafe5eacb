"""The parser by arcs in training (Dozat and Manning 2017, section 2.2)."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from senna import registry
from senna.annotation.dependencies import Arc
from senna.inference.exact import Floats
from senna.inference.workspace import Ints
from senna.kinds.dependencies.answer import root_relation
from senna.kinds.dependencies.head import add_relations, best_arcs
from senna.kinds.settings import DependencyConfig
from senna.training.heads.base import Head, Place
from senna.training.layers.batch import Batch
from senna.training.layers.weights import Arrays, linear, view_of


class ArcLayers(nn.Module):
    """Vectors of words as dependents and as heads, for the scores and relations of arcs.

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

    def __init__(self, place: Place) -> None:
        chosen: DependencyConfig = place.options.network.dependencies
        arcs = ArcLayers(place.units, chosen, place.options.train.dropout_hidden)
        super().__init__(place._replace(units=chosen.relations, layers=arcs))
        self.arc_loss = registry.ARC_LOSSES[chosen.loss]

    def forward(self, x: Tensor, batch: Batch) -> Tensor:
        """The units (n_sentences, n_steps, size) as they are."""
        return x

    def loss(self, emissions: Tensor, batch: Batch) -> Tensor:
        """Negative log-likelihood of heads, or of trees, and of the relations to gold heads."""
        assert batch.brackets is not None
        sentences, words, heads, relations = batch.brackets.T
        scores = _barred(self.layers.arcs(emissions), batch.lengths)
        wrong: Tensor = self.arc_loss(scores, batch.lengths, sentences, words, heads)
        units = self.layers.relations(emissions, sentences, words, heads)
        guesses = self.output(units)
        loss: Tensor = wrong + functional.cross_entropy(guesses, relations, reduction="sum")
        return loss

    def predict(self, emissions: Tensor, batch: Batch) -> list[list[Arc]]:
        lengths = batch.lengths.cpu().numpy()
        scores: Floats = self.layers.arcs(emissions).float().cpu().numpy()

        def relations(*arcs: Ints) -> tuple[Floats, float]:
            places = [torch.from_numpy(numbers).to(emissions.device) for numbers in arcs]
            return self.output(self.layers.relations(emissions, *places)).float().cpu().numpy(), 0.0

        add_relations(scores, lengths, root_relation(self.names), relations)
        return list(best_arcs(scores, lengths, self.names, relations))


def _barred(scores: Tensor, lengths: Tensor) -> Tensor:
    """Scores of arcs without those from a word to itself or to what is no word."""
    n = scores.shape[1]
    places = torch.arange(n + 1, device=scores.device)
    itself = places[1:, None] == places
    beyond = places > lengths[:, None]
    return scores.masked_fill(itself | beyond[:, None], -1e9)


def head_loss(
    scores: Tensor, lengths: Tensor, sentences: Tensor, words: Tensor, heads: Tensor
) -> Tensor:
    """The negative log-likelihood of the heads of words, each among all words."""
    return functional.cross_entropy(scores[sentences, words], heads, reduction="sum")


ARC_LOSSES = {"heads": head_loss}  # by `network.dependencies.loss`
head = DependencyHead
