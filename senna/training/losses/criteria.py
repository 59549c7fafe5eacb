"""The criteria: the two of the paper, word-level and sentence-level log-likelihood, and margins.

Batches are padded to one length: emissions (n_sentences, n_steps, n_tags), tags (n_sentences,
n_steps), lengths (n_sentences,).
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from senna.paths.viterbi import Dense
from senna.text.iobes import FORBIDDEN
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
    n_steps, n_tags) it is the probabilities of each word's tags. Where `own` (n_sentences,
    n_steps, bool) says so, `LeftToRight` reads the network's own best tag before later words.
    """

    tags: Tensor
    lengths: Tensor
    allowed: Tensor | None = None
    soft: Tensor | None = None
    own: Tensor | None = None


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


class LeftToRight(WordLevel):
    """Every word for itself after gold or own tags; tags are found from left to right."""

    paths = True

    def loss(self, emissions: Tensor, gold: GoldBatch, paths: Paths) -> Tensor:
        assert isinstance(paths, GreedyPaths)
        if gold.own is not None:
            free_running = import_module("senna.lab.criteria.free_running")
            gold = free_running.after_own(emissions, gold, paths)
        return super().loss(emissions + paths.after(gold.tags), gold, paths)


class SentenceLevel:
    """Whole tag paths against all others (eqs. 12 to 15)."""

    paths = True

    def loss(self, emissions: Tensor, gold: GoldBatch, paths: Paths) -> Tensor:
        if gold.soft is not None:
            loss: Tensor = import_module("senna.lab.criteria.soft").loss(emissions, gold, paths)
            return loss
        everything = paths.log_partition(emissions, gold.lengths)
        if gold.allowed is not None:
            right = emissions.masked_fill(~gold.allowed, float("-inf"))
            return everything - paths.log_partition(right, gold.lengths)
        return everything - paths.score(emissions, gold.tags, gold.lengths)


class Margin:
    """The best path may not come within a margin of the gold path's score for each wrong tag.

    With a margin of 1 it is the structured hinge loss, whose best path is found with the costs of
    wrong tags added to the emissions; with 0 the structured perceptron's.
    """

    paths = True

    def __init__(self, margin: float) -> None:
        self.margin = margin

    def loss(self, emissions: Tensor, gold: GoldBatch, paths: Paths) -> Tensor:
        tags, lengths, allowed, *_ = gold
        right = functional.one_hot(tags, emissions.shape[2]).bool() if allowed is None else allowed
        costly = emissions + self.margin * ~right
        target = tags
        if allowed is not None:
            target = paths.best(emissions.masked_fill(~allowed, FORBIDDEN), lengths)
        wrong = paths.best(costly, lengths)
        return paths.score(costly, wrong, lengths) - paths.score(emissions, target, lengths)


class WordMargin:
    """Every word for itself, by the margin of its right tag (Goldberg 2016, section 6.2)."""

    paths = False

    def __init__(self, of_words: Callable[[Tensor, Tensor], Tensor]) -> None:
        """of_words: losses of scores (n_words, n_tags), and which of these tags are right."""
        self.of_words = of_words

    def loss(self, emissions: Tensor, gold: GoldBatch, paths: Paths) -> Tensor:
        tags, lengths, allowed, *_ = gold
        right = functional.one_hot(tags, emissions.shape[2]).bool() if allowed is None else allowed
        mask = mask_of(lengths, emissions.shape[1])
        return self.of_words(emissions[mask], right[mask]).sum()


def _best(scores: Tensor, right: Tensor) -> Tensor:
    """The highest of the right tags' scores, (n_words,)."""
    return scores.masked_fill(~right, FORBIDDEN).amax(1)


def _multiclass_hinge(scores: Tensor, right: Tensor) -> Tensor:
    """How much the right tag lacks of 1 above every wrong one (Crammer and Singer 2002)."""
    return functional.relu(1 + _best(scores, ~right) - _best(scores, right))


def _log_loss(scores: Tensor, right: Tensor) -> Tensor:
    """log(1 + exp(best wrong - right)): the same with a soft margin."""
    return functional.softplus(_best(scores, ~right) - _best(scores, right))


def _binary_hinges(scores: Tensor, right: Tensor) -> Tensor:
    """Each tag is a yes or a no: the right one is above 1, wrong ones are below -1."""
    wrong = functional.relu(1 + scores).masked_fill(right, 0.0).sum(1)
    return functional.relu(1 - _best(scores, right)) + wrong


CRITERIA: dict[str, Criterion] = {  # by `train.criterion`
    "sentence": SentenceLevel(),
    "word": WordLevel(),
    "word-hinge": WordMargin(_multiclass_hinge),
    "word-binary": WordMargin(_binary_hinges),
    "word-log": WordMargin(_log_loss),
    "hinge": Margin(1.0),
    "perceptron": Margin(0.0),
    "greedy": LeftToRight(),
}


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


class GreedyPaths(NamedTuple):
    """Taggings from left to right, each word by the last tags: their probabilities sum to 1.

    transitions and initial as of `DensePaths`; earlier (history - 1, n_tags, n_tags), [d, i, j]
    from tag i, d + 2 words before, to j; beam: how many taggings decoding keeps.
    """

    transitions: Tensor
    initial: Tensor
    earlier: Tensor
    beam: int

    def after(self, tags: Tensor) -> Tensor:
        """The scores that tags (n_sentences, n_steps) add to later ones, (..., n_steps, n_tags)."""
        first = self.initial.expand(len(tags), 1, -1)
        scores = torch.cat([first, self.transitions[tags[:, :-1]]], dim=1)
        for d, moves in enumerate(self.earlier[: tags.shape[1] - 1], start=2):
            more = moves[tags[:, :-d]]
            scores = scores + functional.pad(more, (0, 0, d, 0))
        return scores

    def log_partition(self, emissions: Tensor, lengths: Tensor) -> Tensor:
        return emissions.new_zeros(())

    def score(self, emissions: Tensor, tags: Tensor, lengths: Tensor) -> Tensor:
        return -LeftToRight().loss(emissions, GoldBatch(tags, lengths), self)

    def best(self, emissions: Tensor, lengths: Tensor) -> Tensor:
        plain = Dense(array_of(self.transitions), array_of(self.initial))
        greedy = import_module("senna.lab.criteria.greedy").Greedy
        paths = greedy(plain, array_of(self.earlier), self.beam)
        return decoded(paths, emissions, lengths)


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
