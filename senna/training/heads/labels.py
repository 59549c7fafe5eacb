"""The labels of sentences in training."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from senna.decoding.requests import PLAIN
from senna.kinds.labels.head import labels_of
from senna.kinds.settings import LabelConfig, several
from senna.registry import TORCH_POOLING
from senna.training.heads.base import Head, Place
from senna.training.layers.batch import Batch, mask_of
from senna.training.layers.weights import array_of


def _means(x: Tensor, lengths: Tensor) -> Tensor:
    inside = mask_of(lengths, x.shape[1])[:, :, None].to(x)
    return (x * inside).sum(1) / inside.sum(1)


def words_of(x: Tensor, lengths: Tensor) -> Tensor:
    """Units that are the least of all beyond the words."""
    return x.masked_fill(~mask_of(lengths, x.shape[1])[:, :, None], -math.inf)


# By their names in `network.label.pooling`: x (n_sentences, n_steps, size) and the lengths of
# sentences to (n_sentences, size).
POOLING = {"mean": _means, "max": lambda x, lengths: words_of(x, lengths).amax(1)}


class VectorHead(Head):
    """One label per sentence, of which there is one vector."""

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self.dropout = nn.Dropout(place.options.train.dropout_hidden)

    def forward(self, x: Tensor, batch: Batch) -> Tensor:
        """Scores of labels (n, n_labels), of vectors (n, size)."""
        scores: Tensor = self.output(self.dropout(x))
        return scores

    def loss(self, emissions: Tensor, batch: Batch) -> Tensor:
        """The criterion of single words on labels, summed; their likelihood with one of paths."""
        of_words = getattr(self.criterion, "of_words", None)  # margins
        if of_words is not None:
            right = functional.one_hot(batch.labels, emissions.shape[1]).bool()
            margins: Tensor = of_words(emissions, right).sum()
            return margins
        return functional.cross_entropy(emissions, batch.labels, reduction="sum")

    def predict(self, emissions: Tensor, batch: Batch) -> list[str]:
        return list(labels_of(array_of(emissions), self.names, 1.0, PLAIN))


class LabelHead(VectorHead):
    """One label per sentence: the words' units are pooled to its vector."""

    def __init__(self, place: Place) -> None:
        label: LabelConfig = place.options.network.label
        super().__init__(place._replace(units=place.units * label.width))
        self.pooling = label.pooling

    @property
    def settings(self) -> dict[str, Any]:
        return {"label": {"pooling": list(self.pooling)}}

    def forward(self, x: Tensor, batch: Batch) -> Tensor:
        """Scores of labels (n_sentences, n_labels), of units (n_sentences, n_steps, size)."""
        return self.of_inputs([(x, batch.lengths)], batch)

    def of_inputs(self, inputs: Sequence[tuple[Tensor, Tensor]], batch: Batch) -> Tensor:
        """The same of several inputs, each with the lengths of sentences in it."""
        pooled = []
        for x, lengths in inputs:
            for name in self.pooling:
                k, kind = several(name)
                pool = partial(TORCH_POOLING[f"k-{kind}"], k=k) if k > 1 else TORCH_POOLING[name]
                pooled.append(pool(x, lengths))
        return super().forward(torch.cat(pooled, dim=1), batch)


head = LabelHead
