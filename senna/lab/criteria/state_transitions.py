"""Transitions that depend on the words, as in a BiLSTM-CRF."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from senna.decoding.viterbi import Dense, States
from senna.training.criteria import Paths, path_score
from senna.training.heads.base import Place
from senna.training.heads.tags import TagHead
from senna.training.layers.batch import Batch, mask_of
from senna.training.layers.weights import array_of


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

    def decoder(self, inside: Tensor) -> States:
        plain = Dense(array_of(self.transitions), array_of(self.initial))
        return States(plain, array_of(self.moves[inside]))


class WordMoves(nn.Module):
    """A weight vector for each two tags, on the units of the word at the second of them."""

    def __init__(self, size: int, n_tags: int) -> None:
        super().__init__()
        self.fan_in = size
        self.states = nn.Parameter(torch.zeros(size, n_tags, n_tags))

    def forward(self, x: Tensor) -> Tensor:
        """(n_sentences, n_steps, size) to (n_sentences, n_steps, n_tags * n_tags)."""
        return x @ self.states.flatten(1)


class StateHead(TagHead):
    """One tag per word; transitions also depend on the word's units, as in a BiLSTM-CRF."""

    def __init__(self, place: Place, is_iobes: bool = True) -> None:
        super().__init__(place, is_iobes)
        self.moves = WordMoves(place.units, len(self.names))

    def forward(self, x: Tensor, batch: Batch) -> Tensor:
        """Emissions as of `TagHead`, and the scores of the moves to each word after them."""
        return torch.cat([super().forward(x, batch), self.moves(x)], dim=2)

    def split(self, emissions: Tensor) -> tuple[Tensor, Paths]:
        n, paths = len(self.names), self.paths()
        moves = emissions[:, :, n:].reshape(*emissions.shape[:2], n, n)
        return emissions[:, :, :n], StatePaths(*paths, moves)


HEADS = {"state": StateHead}
