"""Paths whose moves depend on the words, as in a BiLSTM-CRF."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from senna.paths.viterbi import Dense, States
from senna.training.layers.batch import mask_of
from senna.training.layers.weights import array_of
from senna.training.losses.criteria import decoded, path_score


class StatePaths(NamedTuple):
    """Paths whose moves each word scores for itself.

    moves (n_sentences, n_steps, n_tags, n_tags): what words add to the transitions, [s, t, i, j]
    from i before word t to j at it; the others as of `DensePaths`.
    """

    transitions: Tensor
    initial: Tensor
    moves: Tensor

    def log_partition(self, emissions: Tensor, lengths: Tensor) -> Tensor:
        inside = mask_of(lengths, emissions.shape[1])[:, :, None]
        moves = self.transitions + self.moves
        alpha = emissions[:, 0] + self.initial
        for t in range(1, emissions.shape[1]):
            new = (alpha[:, :, None] + moves[:, t]).logsumexp(1) + emissions[:, t]  # eq. 15
            alpha = torch.where(inside[:, t], new, alpha)
        return alpha.logsumexp(1).sum()

    def score(self, emissions: Tensor, tags: Tensor, lengths: Tensor) -> Tensor:
        plain = path_score(emissions, tags, lengths, self.transitions, self.initial)
        rows = self.moves[:, 1:].gather(2, tags[:, :-1, None, None].expand_as(self.moves[:, 1:]))
        steps = rows[:, :, 0].gather(2, tags[:, 1:, None])[:, :, 0]
        inside = mask_of(lengths, emissions.shape[1])[:, 1:]
        return plain + steps.where(inside, steps.new_zeros(())).sum()

    def best(self, emissions: Tensor, lengths: Tensor) -> Tensor:
        inside = mask_of(lengths, emissions.shape[1])
        plain = Dense(array_of(self.transitions), array_of(self.initial))
        return decoded(States(plain, array_of(self.moves[inside])), emissions, lengths)
