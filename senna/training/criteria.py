"""The criteria of the paper, word-level and sentence-level log-likelihood, and sums over all paths.

Batches are padded to one length: emissions (n_sentences, n_steps, n_tags), tags (n_sentences,
n_steps), lengths (n_sentences,).
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from senna.decoding.viterbi import Dense
from senna.inference.workspace import Ints
from senna.kinds.head import best_path
from senna.registry import SOFT_LABELS
from senna.training.layers.batch import mask_of
from senna.training.layers.weights import array_of


class Paths(Protocol):
    """Scores of whole taggings, given emissions: what may follow what, and what begins."""

    def log_partition(self, emissions: Tensor, lengths: Tensor) -> Tensor:
        """Log of the summed exponentials of all paths' scores, summed over sentences."""

    def score(self, emissions: Tensor, tags: Tensor, lengths: Tensor) -> Tensor:
        """The score of the given paths (eq. 12), summed over sentences."""

    def decoder(self, inside: Tensor) -> Dense:
        """NumPy's decoder of the paths of words, which are where `inside` is (as `mask_of`)."""


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

    def right(self, n_tags: int) -> Tensor:
        """Which of so many tags are right at each word, (n_sentences, n_steps, n_tags, bool)."""
        return functional.one_hot(self.tags, n_tags) > 0 if self.allowed is None else self.allowed


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
            loss: Tensor = SOFT_LABELS["soft"].soft_loss(emissions, gold, paths)
            return loss
        everything = paths.log_partition(emissions, gold.lengths)
        if gold.allowed is not None:
            right = emissions.masked_fill(~gold.allowed, float("-inf"))
            return everything - paths.log_partition(right, gold.lengths)
        return everything - paths.score(emissions, gold.tags, gold.lengths)


CRITERIA: dict[str, Criterion] = {"sentence": SentenceLevel(), "word": WordLevel()}


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

    def decoder(self, inside: Tensor) -> Dense:
        return Dense(*map(array_of, self))


def best_tags(emissions: Tensor, lengths: Tensor, paths: Paths | None) -> Ints:
    """The best paths, or tags, (n_words,) of sentences end to end, as tagging finds them."""
    inside = mask_of(lengths, emissions.shape[1])
    scores = array_of(emissions[inside])
    if paths is None:
        return best_path(None, scores, lengths.cpu().numpy())
    decoder = paths.decoder(inside)
    scores = np.ascontiguousarray(scores[:, decoder.order])
    return decoder.order[best_path(decoder, scores, lengths.cpu().numpy())]


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


# --------------------------------------------------------------------------- sums over all paths


def log_partition(
    emissions: Tensor, lengths: Tensor, transitions: Tensor, initial: Tensor
) -> Tensor:
    """Log of the summed exponentials of all paths' scores, summed over sentences.

    transitions (n_tags, n_tags), [i, j] from i to j; initial (n_tags,).
    """
    total: Tensor = _LogPartition.apply(  # type: ignore[no-untyped-call]
        emissions, lengths, transitions, initial
    )
    return total


class _LogPartition(torch.autograd.Function):
    """The sum over all paths (eqs. 13 to 15), from both ends of the sentences at once.

    Read from its end, a sentence is another one, its mirror image, whose moves go the other way. So
    one loop over words gives the scores of all beginnings of paths and those of all their ends,
    which the gradient needs. Both have their padding behind them, so no step has to look where a
    sentence ends. A graph of n_steps small nodes would cost several times the arithmetic.
    """

    @staticmethod
    def forward(
        ctx: Any, emissions: Tensor, lengths: Tensor, transitions: Tensor, initial: Tensor
    ) -> Tensor:
        words = both_ways(emissions, lengths)  # (n_steps, 2, n_sentences, n_tags), as all below
        weights = torch.stack([transitions, transitions.T]).exp()
        before = torch.zeros_like(words)  # scores of what comes before a word, without its own
        before[0, 0] = initial
        scores = torch.empty_like(words)
        steps = list(zip(before.unbind(), words.unbind(), scores.unbind(), strict=True))
        last = torch.add(before[0], words[0], out=scores[0])
        for came, word, score in steps[1:]:
            log_product(last, weights, came)  # eq. 15
            last = torch.add(came, word, out=score)
        total = ends(scores[:, 0], lengths).logsumexp(1)  # (n_sentences,); eq. 14
        ctx.save_for_backward(lengths, weights[0], before[:, 1], scores, total)
        return total.sum()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        (scale,), (lengths, weights, before, scores, total) = gradients, ctx.saved_tensors
        outside = ~mask_of(lengths, len(scores)).T[:, :, None]
        alpha, entered = scores[:, 0], mirrored(scores[:, 1], lengths)
        marginals = alpha + mirrored(before, lengths) - total[:, None]
        marginals = marginals.exp().masked_fill(outside, 0.0)
        pairs = pairs_of(alpha, entered - total[:, None], weights, outside)
        initial = marginals[0].sum(0) * scale
        return marginals.transpose(0, 1) * scale, None, pairs * scale, initial


def both_ways(emissions: Tensor, lengths: Tensor) -> Tensor:
    """Sentences and their mirror images, steps first: (n_steps, 2, n_sentences, n_tags).

    Padding is zeros: what follows an end goes on to be summed, and must stay finite.
    """
    inside = mask_of(lengths, emissions.shape[1]).T[:, :, None]
    words = emissions.transpose(0, 1)
    both = torch.stack([words, mirrored(words, lengths)], 1)
    return both.masked_fill(~inside[:, None], 0.0)


def mirrored(x: Tensor, lengths: Tensor) -> Tensor:
    """Of x (n_steps, n_sentences, n) each sentence from its end; padding is any step."""
    n_steps, n = x.shape[:2]
    steps = torch.arange(n_steps, device=x.device)[:, None]
    return x[(lengths - 1 - steps).clamp_min(0), torch.arange(n, device=x.device)]


def ends(x: Tensor, lengths: Tensor) -> Tensor:
    """Of x (n_steps, n_sentences, n) the last step of each sentence."""
    return x[lengths - 1, torch.arange(x.shape[1], device=x.device)]


def log_product(scores: Tensor, weights: Tensor, out: Tensor) -> None:
    """log sum_i exp(scores_i) weights_ij: scores (2, n_sentences, n), weights (2, n, n), into out.

    A sum over tags of exp(s_i + A_ij) is a matrix product once the largest s is taken out.
    """
    peak = scores.amax(2, keepdim=True)
    torch.bmm((scores - peak).exp_(), weights, out=out)
    # A tag that nothing leads to gets a score that is tiny, not minus infinity: no NaN follows.
    out.clamp_min_(1e-37).log_().add_(peak)


def pairs_of(left: Tensor, right: Tensor, weights: Tensor, outside: Tensor) -> Tensor:
    """How often each move is made, (n, n), from the scores of both its sides.

    left and right (n_steps, n_sentences, n): of all beginnings of paths, up to a word, and of their
    ends from it on, less the total; weights (n, n); outside (n_steps, n_sentences, 1): padding.
    """
    peak = left[:-1].amax(2, keepdim=True)
    entered = (right[1:] + peak).exp().masked_fill(outside[1:], 0.0)
    return weights * torch.einsum("tsi,tsj->ij", (left[:-1] - peak).exp(), entered)
