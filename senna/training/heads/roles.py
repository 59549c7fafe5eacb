"""The roles of predicates in training."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from senna.annotation.predicates import Predicate
from senna.kinds.roles.head import sizes
from senna.training.heads.base import Head, Place
from senna.training.heads.tags import TagHead
from senna.training.iobes_crf import Transitions
from senna.training.layers.batch import Batch, mask_of
from senna.training.layers.gated import GatedLayer, arrays_of
from senna.training.layers.weights import Arrays, Probe, linear, view_of


def distances(pairs: Tensor, n_steps: int, clip: int) -> Tensor:
    """The row of each word's distance from the predicate, (n_pairs, n_steps): 0 to 2 clip."""
    steps = torch.arange(n_steps, device=pairs.device)
    return (steps - pairs[:, 1:]).clamp(-clip, clip) + clip


class PairLayers(nn.Module):
    """Layers of the task of roles alone: units of words for predicates.

    Their settings are the network's: see `senna.inference.networks.settings.GatedConfig`.
    """

    def __init__(self, units: int, settings: Any, dropout: float, n_labels: int) -> None:
        super().__init__()
        self.clip = settings.distance
        # Of what a predicate sees of the tree, see `senna.kinds.roles.head`.
        self.views = nn.ModuleList(
            nn.Embedding(n, settings.pair) for n in (sizes(n_labels) if n_labels else ())
        )
        self.word, self.probe = nn.Linear(units, settings.pair), Probe("relu")
        self.predicate = nn.Linear(units, settings.pair, bias=False)
        self.distance = nn.Embedding(2 * settings.distance + 1, settings.pair)
        self.layers = nn.ModuleList(
            GatedLayer(settings.pair, settings.width, d, dropout) for d in settings.pair_dilations
        )
        self.dropout = nn.Dropout(dropout)

    def forward(
        self, x: Tensor, pairs: Tensor, lengths: Tensor, views: Tensor | None = None
    ) -> Tensor:
        """Units (n, n_steps, pair) of x (n_sentences, n_steps, units), pairs (n, 2).

        A pair is a sentence and the place of a predicate in it; lengths (n,) are the sentences';
        views (n, n_steps, 2) are what predicates see of trees.
        """
        sentences, positions = pairs[:, 0], pairs[:, 1]
        away = distances(pairs, x.shape[1], self.clip)
        y = self.word(x)[sentences] + self.distance(away)  # (n, n_steps, pair)
        if views is not None:
            y = y + sum(table(views[:, :, i]) for i, table in enumerate(self.views))
        y = functional.relu(y + self.predicate(x[sentences, positions])[:, None])
        inside = mask_of(lengths, x.shape[1])[:, :, None]
        y = self.probe(y, inside)
        for layer in self.layers:
            y = layer(y, inside)
        units: Tensor = self.dropout(functional.layer_norm(y, y.shape[2:]))
        return units

    def arrays(self, task: str) -> Arrays:
        """Their weights, by their names in the model folder."""
        arrays = linear(f"{task}.word", self.word) | linear(f"{task}.predicate", self.predicate)
        arrays[f"{task}.distance"] = view_of(self.distance.weight)
        for name, table in zip(("beside", "above"), self.views, strict=False):
            assert isinstance(table, nn.Embedding)
            arrays[f"{task}.{name}"] = view_of(table.weight)
        return arrays | arrays_of(f"{task}.gated", self.layers)


class DistanceScores(nn.Module):
    """The addition for roles in a linear network: scores of tags for each distance.

    With the distance from the predicate as indicators (eq. 18) next to the windows of words, these
    are the rows of the output layer for the indicators. A window of distances has no more to say:
    its other distances follow from the one of the word in the middle.
    """

    def __init__(self, clip: int, n_tags: int) -> None:
        super().__init__()
        self.clip, self.table = clip, nn.Embedding(2 * clip + 1, n_tags)

    def forward(self, scores: Tensor, pairs: Tensor) -> Tensor:
        """Scores of words (n_sentences, n_steps, n_tags) to those of pairs, (n_pairs, ...)."""
        rows: Tensor = self.table(distances(pairs, scores.shape[1], self.clip))
        return scores[pairs[:, 0]] + rows

    def arrays(self, task: str) -> Arrays:
        """Their weights, by their names in the model folder."""
        return {f"{task}.distance": view_of(self.table.weight)}


class ByDistance(Head):
    """A head whose output layer a linear network applies once per sentence, not once per pair."""

    def forward(self, x: Tensor, batch: Batch) -> Tensor:
        scores = super().forward(x, batch)
        if not isinstance(self.layers, DistanceScores):
            return scores
        assert batch.pairs is not None
        emissions: Tensor = self.layers(scores, batch.pairs)
        return emissions


class OfPairs(Head):
    """A head whose rows are pairs of a sentence and a predicate."""

    def forward(self, x: Tensor, batch: Batch) -> Tensor:
        """Emissions (n_pairs, n_steps, n_tags) of units of words, (n_sentences, n_steps, size).

        A network that brings layers of its own gives units of pairs, (n_pairs, n_steps, size).
        """
        if isinstance(self.layers, PairLayers):
            assert batch.pairs is not None
            x = self.layers(x, batch.pairs, batch.gold_lengths, batch.views)
        emissions: Tensor = super().forward(x, batch)
        return emissions

    def predict(self, emissions: Tensor, batch: Batch) -> list[list[Predicate]]:
        assert batch.pairs is not None
        predicates: list[list[Predicate]] = [[] for _ in batch.lengths]
        pairs = zip(batch.pairs.tolist(), super().predict(emissions, batch), strict=True)
        for (sentence, place), tags in pairs:
            predicates[sentence].append(Predicate(place, tags))
        return predicates


class RoleHead(OfPairs, ByDistance):
    """Roles of a predicate's arguments: many tags, whose transitions are tied by label."""

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self.transitions = Transitions(len(place.names))

    def paths(self) -> Transitions:
        return self.transitions


class FullRoleHead(OfPairs, TagHead, ByDistance):
    """Roles with a score for each two tags, as other tasks have."""


def head(place: Place) -> OfPairs:
    options = place.options
    make = FullRoleHead if options.network.transitions == "full" else RoleHead
    if place.layers is None:
        settings = options.network.settings
        dropout, n_labels = options.train.dropout_hidden, options.n_labels
        pairs = PairLayers(place.units, settings, dropout, n_labels)
        place = place._replace(units=settings.pair, layers=pairs)
    return make(place)
