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

from senna.decoding.viterbi import FORBIDDEN, Roles, moves
from senna.training.criteria import (
    both_ways,
    ends,
    log_product,
    mirrored,
    pairs_of,
    path_score,
)
from senna.training.layers.batch import mask_of
from senna.training.layers.weights import array_of

B, I, E, S = range(4)  # noqa: E741
MIRRORED = [3, 1, 2, 0]  # rows of `within`: the move from E, read backwards, is into I or B


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

    def decoder(self, inside: Tensor) -> Roles:
        return Roles(*map(array_of, (self.between, self.within, self.initial)))


def log_partition(
    emissions: Tensor, lengths: Tensor, between: Tensor, within: Tensor, initial: Tensor
) -> Tensor:
    """Log of the summed exponentials of all valid paths' scores, summed over sentences."""
    total: Tensor = _LogPartition.apply(  # type: ignore[no-untyped-call]
        emissions, lengths, between, within, initial
    )
    return total


class _LogPartition(torch.autograd.Function):
    """The recursion of `partition`, with the tags in the groups that it treats alike.

    Scores of O are (n_steps, 2, n_sentences, 1); those of B and S, which open a phrase, and of I
    and E, which continue one, (n_steps, 2 tags, 2, n_sentences, n_kinds). The mirror image of a
    phrase opens with its E, and ends with its B.
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
        o, opening, inner = _grouped(both_ways(emissions, lengths))
        n_steps, _, n, _ = o.shape
        weights = torch.stack([between, between.T]).exp()
        ways = torch.stack([within, within[MIRRORED]], 1)[:, :, None]  # (4, 2, 1, n_kinds)
        entered = o.new_zeros(n_steps, 2, n, len(between))  # labels that a word opens
        entered[0, 0] = initial
        came, closed = torch.empty_like(inner), torch.empty_like(entered)
        came[0] = FORBIDDEN  # no sentence begins, or ends, within a phrase
        for t in range(n_steps):
            if t:
                log_product(closed[t - 1], weights, entered[t])
                from_b, from_i = opening[t - 1, 0] + ways[:2], inner[t - 1, 0] + ways[2:]
                torch.logaddexp(from_b, from_i, out=came[t])
            o[t] += entered[t, ..., :1]
            opening[t] += entered[t, ..., 1:]
            inner[t] += came[t]
            closed[t, ..., :1] = o[t]
            torch.logaddexp(inner[t, 1], opening[t, 1], out=closed[t, ..., 1:])
        total = ends(closed[:, 0], lengths).logsumexp(1)  # (n_sentences,); eq. 14
        scores = o, opening, inner, entered, came, closed
        ctx.save_for_backward(lengths, weights[0], within, total, *scores)
        return total.sum()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        lengths, weights, within, total, o, opening, inner, entered, came, closed = (
            ctx.saved_tensors
        )
        outside = ~mask_of(lengths, len(o)).T[:, :, None]
        total = total[:, None]

        def chance(before: Tensor, after: Tensor, padding: Tensor = outside) -> Tensor:
            share: Tensor = (before + after - total).exp().masked_fill(padding, 0.0)
            return share

        def behind(mirror: Tensor) -> Tensor:  # of ends of paths, whose words are read backwards
            return mirrored(mirror, lengths)

        after = behind(entered[:, 1])
        at_o, after_closed = chance(o[:, 0], after[..., :1]), after[..., 1:]
        at = (
            chance(opening[:, 0, 0], behind(came[:, 1, 1])),
            chance(inner[:, 0, 0], behind(came[:, 0, 1])),
            chance(inner[:, 1, 0], after_closed),
            chance(opening[:, 1, 0], after_closed),
        )  # B, I, E, S
        pairs = pairs_of(closed[:, 0], behind(closed[:, 1]) - total, weights, outside)
        into = behind(inner[:, 0, 1])[1:], behind(opening[:, 0, 1])[1:]  # I, E
        left = opening[:-1, 0, 0], inner[:-1, 0, 0]  # B, I
        moves = ((a, b) for a in left for b in into)
        steps = [
            chance(a, b + scores, outside[1:]).sum((0, 1))
            for (a, b), scores in zip(moves, within, strict=True)
        ]
        first = torch.cat([at_o[0].sum(0), (at[B][0] + at[S][0]).sum(0)])
        whole = torch.cat([at_o, torch.stack(at, 3).flatten(2)], 2).transpose(0, 1)
        scale = gradients[0]
        return whole * scale, None, pairs * scale, torch.stack(steps) * scale, first * scale


def _grouped(words: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Emissions both ways, (n_steps, 2, n_sentences, n_tags), of O, of B and S, and of I and E."""
    n_steps, _, n, n_tags = words.shape
    o, phrases = words[..., :1].clone(), words[..., 1:].reshape(n_steps, 2, n, (n_tags - 1) // 4, 4)
    phrases = phrases.permute(0, 4, 1, 2, 3)
    ways = [0, 1]
    return o, phrases[:, [[B, E], [S, S]], ways], phrases[:, [[I, I], [E, B]], ways]
