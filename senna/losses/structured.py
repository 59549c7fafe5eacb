"""The sentence-level likelihood over many IOBES tags, by their structure.

With R kinds of phrases there are 4 R + 1 tags, and almost no tag may follow another. A phrase goes
on within its own kind: B to I or E, I to I or E, one score each. Between phrases only the labels
count, O or the kind that ends, and O or the kind that begins: a score for each two of them. So a
step of the recursion costs (R + 1)² and not (4 R + 1)², and what IOBES rules out is never looked
at. It is the criterion of eqs. 12 to 15 with a transition matrix of which some scores are tied.

Tags are in the order O, B-x, I-x, E-x, S-x, B-y, ..., as `Output.vocabulary` has them.
Emissions are (n_sentences, n_steps, n_tags), lengths (n_sentences,).
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from senna.layers.batch import mask_of
from senna.layers.weights import array_of
from senna.losses.criteria import decoded, log_product, path_score
from senna.paths.viterbi import Roles
from senna.text.iobes import FORBIDDEN, moves

B, I, E, S = range(4)  # noqa: E741


class Transitions(nn.Module):
    """Scores of the moves between and within phrases, and of the first label of a sentence."""

    moves: Tensor

    def __init__(self, n_tags: int) -> None:
        super().__init__()
        n_kinds = (n_tags - 1) // 4
        self.between = nn.Parameter(torch.zeros(n_kinds + 1, n_kinds + 1))  # [left, entered]
        self.within = nn.Parameter(torch.zeros(4, n_kinds))  # B to I, B to E, I to I, I to E
        self.initial = nn.Parameter(torch.zeros(n_kinds + 1))
        self.register_buffer("moves", torch.from_numpy(moves(n_kinds)), persistent=False)

    def dense(self) -> tuple[Tensor, Tensor]:
        """The same as a transition matrix (n_tags, n_tags), and initial scores (n_tags,)."""
        ruled_out = self.within.new_full((1,), FORBIDDEN)
        scores = torch.cat([self.between.flatten(), self.within.flatten(), ruled_out])
        first = self.initial[1:, None].expand(-1, 4).clone()
        first[:, (I, E)] = FORBIDDEN
        return scores[self.moves], torch.cat([self.initial[:1], first.flatten()])

    def log_partition(self, emissions: Tensor, lengths: Tensor) -> Tensor:
        return log_partition(emissions, lengths, self.between, self.within, self.initial)

    def score(self, emissions: Tensor, tags: Tensor, lengths: Tensor) -> Tensor:
        return path_score(emissions, tags, lengths, *self.dense())

    def best(self, emissions: Tensor, lengths: Tensor) -> Tensor:
        paths = Roles(*map(array_of, (self.between, self.within, self.initial)))
        return decoded(paths, emissions, lengths)


def log_partition(
    emissions: Tensor, lengths: Tensor, between: Tensor, within: Tensor, initial: Tensor
) -> Tensor:
    """Log of the summed exponentials of all valid paths' scores, summed over sentences."""
    total: Tensor = _LogPartition.apply(  # type: ignore[no-untyped-call]
        emissions, lengths, between, within, initial
    )
    return total


class _LogPartition(torch.autograd.Function):
    """The forward recursion, and as its gradient the marginals of the backward one.

    Scores of O lie in (n_steps, n_sentences, 1), those of phrases in (n_steps, 4, n_sentences,
    n_kinds): what the recursion adds up then lies in whole blocks.
    """

    @staticmethod
    def forward(
        ctx: Any,
        emissions: Tensor,
        lengths: Tensor,
        between: Tensor,
        within: Tensor,
        initial: Tensor,
    ) -> Tensor:
        outside, phrases = _cut(emissions)
        n_steps = len(outside)
        mask = mask_of(lengths, n_steps).T[:, :, None]  # (n_steps, n_sentences, 1)
        weights = between.exp()
        alpha_o, alpha = torch.empty_like(outside), torch.empty_like(phrases)
        alpha_o[0] = outside[0] + initial[0]
        alpha[0] = phrases[0] + initial[1:]
        alpha[0, I : E + 1] = FORBIDDEN
        for t in range(1, n_steps):
            last = alpha[t - 1]
            opened = log_product(_closed(alpha_o[t - 1], last), weights)
            _where(mask[t], outside[t] + opened[:, :1], alpha_o[t - 1], alpha_o[t])
            for place in (B, S):
                _where(mask[t], phrases[t, place] + opened[:, 1:], last[place], alpha[t, place])
            for number, place in enumerate((I, E)):
                gone_on = torch.logaddexp(last[B] + within[number], last[I] + within[2 + number])
                _where(mask[t], phrases[t, place] + gone_on, last[place], alpha[t, place])
        total = _closed(alpha_o[-1], alpha[-1]).logsumexp(1)  # (n_sentences,); eq. 14
        ctx.save_for_backward(outside, phrases, mask, weights, within, alpha_o, alpha, total)
        return total.sum()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        outside, phrases, mask, weights, within, alpha_o, alpha, total = ctx.saved_tensors
        beta_o, beta, entered = _backward(outside, phrases, mask, weights, within)
        total = total[:, None]
        at_o = (alpha_o + beta_o - total).exp() * mask  # marginals, of O and of phrases
        at = (alpha + beta - total).exp() * mask[:, None]  # (n_steps, 4, n_sentences, n_kinds)
        closed = torch.cat([alpha_o[:-1], torch.logaddexp(alpha[:-1, E], alpha[:-1, S])], 2)
        peak = closed.amax(2, keepdim=True)
        right = (entered[1:] - total + peak).exp()
        right = right.where(mask[1:], right.new_zeros(()))  # padding may be infinite by now
        pairs = weights * torch.einsum("tsi,tsj->ij", (closed - peak).exp(), right)
        steps = []
        for number, (left, place) in enumerate(((B, I), (B, E), (I, I), (I, E))):
            after = phrases[1:, place] + beta[1:, place] + within[number]
            score = (alpha[:-1, left] + after - total).where(mask[1:], alpha.new_tensor(FORBIDDEN))
            steps.append(score.exp().sum((0, 1)))
        first = torch.cat([at_o[0].sum(0), (at[0, B] + at[0, S]).sum(0)])
        flat = at.permute(2, 0, 3, 1).reshape(at.shape[2], len(at), -1)
        whole = torch.cat([at_o.transpose(0, 1), flat], 2)
        scale = gradients[0]
        return whole * scale, None, pairs * scale, torch.stack(steps) * scale, first * scale


def _backward(
    outside: Tensor, phrases: Tensor, mask: Tensor, weights: Tensor, within: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Scores of all ends of paths after each word, and of entering each label at it."""
    beta_o, beta = torch.zeros_like(outside), torch.zeros_like(phrases)
    beta[:, : I + 1] = FORBIDDEN  # no sentence ends within a phrase
    n_steps, n_sentences, n_labels = len(outside), outside.shape[1], len(weights)
    entered = outside.new_zeros(n_steps, n_sentences, n_labels)
    for t in range(n_steps - 1, 0, -1):
        after_o, after = outside[t] + beta_o[t], phrases[t] + beta[t]
        entered[t] = torch.cat([after_o, torch.logaddexp(after[B], after[S])], 1)
        left = log_product(entered[t], weights.T)
        _where(mask[t], left[:, :1], beta_o[t], beta_o[t - 1])
        for place in (E, S):
            _where(mask[t], left[:, 1:], beta[t, place], beta[t - 1, place])
        for place, (to_i, to_e) in ((B, (0, 1)), (I, (2, 3))):
            new = torch.logaddexp(after[I] + within[to_i], after[E] + within[to_e])
            _where(mask[t], new, beta[t, place], beta[t - 1, place])
    return beta_o, beta, entered


def _cut(emissions: Tensor) -> tuple[Tensor, Tensor]:
    """Emissions as those of O and of phrases, steps first (see `_LogPartition`)."""
    n, n_steps, n_tags = emissions.shape
    outside = emissions[:, :, :1].transpose(0, 1).contiguous()
    phrases = emissions[:, :, 1:].reshape(n, n_steps, (n_tags - 1) // 4, 4)
    return outside, phrases.permute(1, 3, 0, 2).contiguous()


def _closed(outside: Tensor, phrases: Tensor) -> Tensor:
    """The labels that end at a word: (n_sentences, 1 + n_kinds)."""
    return torch.cat([outside, torch.logaddexp(phrases[E], phrases[S])], 1)


def _where(mask: Tensor, new: Tensor, old: Tensor, out: Tensor) -> None:
    torch.where(mask, new, old, out=out)
