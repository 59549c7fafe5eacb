"""The criteria of the paper: word-level and sentence-level log-likelihood.

Batches are padded to one length: emissions (n_sentences, n_steps, n_tags), tags (n_sentences,
n_steps), lengths (n_sentences,).
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from senna.lazy import lab_module
from senna.paths.viterbi import Dense
from senna.training.layers.batch import mask_of
from senna.training.layers.weights import array_of
from senna.training.losses.partition import log_partition


class Paths(Protocol):
    """Scores of whole taggings, given emissions: what may follow what, and what begins."""

    def log_partition(self, emissions: Tensor, lengths: Tensor) -> Tensor:
        """Log of the summed exponentials of all paths' scores, summed over sentences."""

    def score(self, emissions: Tensor, tags: Tensor, lengths: Tensor) -> Tensor:
        """The score of the given paths (eq. 12), summed over sentences."""

    def best(self, emissions: Tensor, lengths: Tensor) -> Tensor:
        """Viterbi: the tags (n_sentences, n_steps) of the best paths; what is past an end is 0."""


class GoldBatch(NamedTuple):
    """The targets of emissions: tags (n_sentences, n_steps), lengths (n_sentences,).

    With `allowed` (n_sentences, n_steps, n_tags, bool) the gold is not one path but all paths
    through allowed tags: sets in which a type was not annotated. With `soft` (n_sentences,
    n_steps, n_tags) it is the probabilities of each word's tags. Where `free_running`
    (n_sentences, n_steps, bool) is set, later words read the network's own best tag of a word.
    """

    tags: Tensor
    lengths: Tensor
    allowed: Tensor | None = None
    soft: Tensor | None = None
    free_running: Tensor | None = None


class Criterion(Protocol):
    """How emissions are compared with gold tags, and with that how tags are decoded."""

    paths: bool  # whether tags are decoded by paths, not each by itself

    def loss(self, emissions: Tensor, gold: GoldBatch, paths: Paths) -> Tensor:
        """The loss of a batch, summed over sentences."""


class WordLevel:
    """Every word for itself (eqs. 9 to 11)."""

    paths = False

    def loss(self, emissions: Tensor, gold: GoldBatch, paths: Paths) -> Tensor:
        mask = mask_of(gold.lengths, emissions.shape[1])
        if gold.soft is not None:
            return -(gold.soft[mask] * emissions[mask].log_softmax(1)).sum()
        if gold.allowed is not None:
            right = emissions.masked_fill(~gold.allowed, float("-inf"))[mask].logsumexp(1)
            return (emissions[mask].logsumexp(1) - right).sum()
        return functional.cross_entropy(emissions[mask], gold.tags[mask], reduction="sum")


class SentenceLevel:
    """Whole tag paths against all others (eqs. 12 to 15)."""

    paths = True

    def loss(self, emissions: Tensor, gold: GoldBatch, paths: Paths) -> Tensor:
        if gold.soft is not None:
            loss: Tensor = lab_module("soft_labels").soft_loss(emissions, gold, paths)
            return loss
        everything = paths.log_partition(emissions, gold.lengths)
        if gold.allowed is not None:
            right = emissions.masked_fill(~gold.allowed, float("-inf"))
            return everything - paths.log_partition(right, gold.lengths)
        return everything - paths.score(emissions, gold.tags, gold.lengths)


CRITERIA: dict[str, Criterion] = {"sentence": SentenceLevel(), "word": WordLevel()}
LAB = {  # modules of `senna.lab.criteria`, by the criteria that they have
    "word-hinge": "margins",
    "word-binary": "margins",
    "word-log": "margins",
    "hinge": "margins",
    "perceptron": "margins",
    "greedy": "greedy",
}
NAMES = (*CRITERIA, *LAB)  # by `train.criterion`


def criterion_of(name: str) -> Criterion:
    """The criterion of a name."""
    if name in CRITERIA:
        return CRITERIA[name]
    criterion: Criterion = lab_module(f"criteria.{LAB[name]}").CRITERIA[name]
    return criterion


class DensePaths(NamedTuple):
    """Paths with a score for each two tags.

    transitions (n_tags, n_tags), [i, j] from i to j; initial (n_tags,).
    """

    transitions: Tensor
    initial: Tensor

    def log_partition(self, emissions: Tensor, lengths: Tensor) -> Tensor:
        return log_partition(emissions, lengths, *self)

    def score(self, emissions: Tensor, tags: Tensor, lengths: Tensor) -> Tensor:
        return path_score(emissions, tags, lengths, *self)

    def best(self, emissions: Tensor, lengths: Tensor) -> Tensor:
        return decoded(Dense(*map(array_of, self)), emissions, lengths)


def decoded(paths: Dense, emissions: Tensor, lengths: Tensor) -> Tensor:
    """The tags of the best paths by NumPy's decoding, as `Paths.best`."""
    inside = mask_of(lengths, emissions.shape[1])
    scores = np.ascontiguousarray(array_of(emissions[inside])[:, paths.order])
    best = paths.order[paths.decode(scores, lengths.cpu().numpy())]
    tags = torch.zeros_like(inside, dtype=torch.long)
    tags[inside] = torch.from_numpy(best).to(tags)
    return tags


def path_score(
    emissions: Tensor, tags: Tensor, lengths: Tensor, transitions: Tensor, initial: Tensor
) -> Tensor:
    """The score of the given paths (eq. 12), summed over sentences."""
    mask = mask_of(lengths, emissions.shape[1])
    words = emissions.gather(2, tags[:, :, None])[:, :, 0]  # (n_sentences, n_steps)
    steps = transitions[tags[:, :-1], tags[:, 1:]]  # (n_sentences, n_steps - 1)
    zero = emissions.new_zeros(())
    total = torch.where(mask, words, zero).sum() + initial[tags[:, 0]].sum()
    return total + torch.where(mask[:, 1:], steps, zero).sum()
