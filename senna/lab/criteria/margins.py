"""Margins: hinge losses of whole paths and of single words, and the structured perceptron."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional

from senna.decoding.viterbi import FORBIDDEN
from senna.training.criteria import Criterion, GoldBatch, Paths, best_tags
from senna.training.layers.batch import mask_of


class Margin:
    """The best path may not come within a margin of the gold path's score for each wrong tag.

    With a margin of 1 it is the structured hinge loss, whose best path is found with the costs of
    wrong tags added to the emissions; with 0 the structured perceptron's.
    """

    paths = True

    def __init__(self, margin: float) -> None:
        self.margin = margin

    def loss(self, emissions: Tensor, gold: GoldBatch, paths: Paths) -> Tensor:
        target, lengths, allowed, *_ = gold
        costly = emissions + self.margin * ~gold.right(emissions.shape[2])
        if allowed is not None:
            target = padded_tags(emissions.masked_fill(~allowed, FORBIDDEN), lengths, paths)
        wrong = padded_tags(costly, lengths, paths)
        return paths.score(costly, wrong, lengths) - paths.score(emissions, target, lengths)


def padded_tags(emissions: Tensor, lengths: Tensor, paths: Paths) -> Tensor:
    """The tags of the best paths, (n_sentences, n_steps); 0 past the end."""
    inside = mask_of(lengths, emissions.shape[1])
    tags = torch.zeros_like(inside, dtype=torch.long)
    tags[inside] = torch.from_numpy(best_tags(emissions, lengths, paths)).to(tags)
    return tags


class WordMargin:
    """Every word for itself, by the margin of its right tag (Goldberg 2016, section 6.2)."""

    paths = False

    def __init__(self, of_words: Callable[[Tensor, Tensor], Tensor]) -> None:
        """of_words: losses of scores (n_words, n_tags), and which of these tags are right."""
        self.of_words = of_words

    def loss(self, emissions: Tensor, gold: GoldBatch, paths: Paths) -> Tensor:
        mask = mask_of(gold.lengths, emissions.shape[1])
        return self.of_words(emissions[mask], gold.right(emissions.shape[2])[mask]).sum()


def _best(scores: Tensor, right: Tensor) -> Tensor:
    """The highest of the right tags' scores, (n_words,)."""
    return scores.masked_fill(~right, FORBIDDEN).amax(1)


def _lead(scores: Tensor, right: Tensor) -> Tensor:
    """How far the best wrong tag is above the right one, (n_words,)."""
    return _best(scores, ~right) - _best(scores, right)


CRITERIA: dict[str, Criterion] = {  # by `train.criterion`
    # How much the right tag lacks of 1 above every wrong one (Crammer and Singer 2002).
    "word-hinge": WordMargin(lambda x, right: functional.relu(1 + _lead(x, right))),
    # log(1 + exp(best wrong - right)): the same with a soft margin.
    "word-log": WordMargin(lambda x, right: functional.softplus(_lead(x, right))),
    # Each tag is a yes or a no: the right one is above 1, wrong ones are below -1.
    "word-binary": WordMargin(
        lambda x, right: (
            functional.relu(1 - _best(x, right))
            + functional.relu(1 + x).masked_fill(right, 0.0).sum(1)
        )
    ),
    "hinge": Margin(1.0),
    "perceptron": Margin(0.0),
}
