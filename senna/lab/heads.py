"""Heads in training: transitions that depend on the words, as in a BiLSTM-CRF; the likelihood of
whole dependency trees (Koo et al. 2007), as `network.dependencies.loss`; the pooling of
`senna.lab.pooling`.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from senna.decoding.viterbi import Dense
from senna.errors import SennaError
from senna.lab.state_transitions import States
from senna.training.config import NetworkConfig
from senna.training.criteria import Paths, path_score
from senna.training.heads.base import Place
from senna.training.heads.labels import words_of
from senna.training.heads.tags import TagHead
from senna.training.layers.batch import Batch, mask_of
from senna.training.layers.weights import array_of


def log_arborescences(scores: Tensor, lengths: Tensor) -> Tensor:
    """Log of the summed exponentials of the scores of all trees, summed over sentences.

    scores (n_sentences, n, n + 1), [s, i, h] of word i below head h, numbered from 1, or the root,
    0; a tree has one root, and its score is the sum of its arcs'. (Koo et al. 2007, section 3.2.)
    """
    n = scores.shape[1]
    inside = mask_of(lengths, n)
    barred = ~(inside[:, :, None] & inside[:, None]) | torch.eye(n, device=scores.device).bool()
    wide = scores.double()
    roots = wide[:, :, 0].masked_fill(~inside, -torch.inf)
    inner = wide[:, :, 1:].masked_fill(barred, -torch.inf)
    # Rows are divided by their largest arc from a word, and then the roots by their largest.
    top = inner.amax(2).detach()
    top = top.masked_fill(top == -torch.inf, 0.0)
    inner = (inner - top[:, :, None]).exp()
    roots = roots - top
    highest = roots.amax(1).detach()
    first = (roots - highest[:, None]).exp()
    laplacian = torch.diag_embed(inner.sum(2) + (~inside).double()) - inner  # [word, head]
    laplacian = torch.cat([first[:, :, None], laplacian[:, :, 1:]], dim=2)
    total: Tensor = (laplacian.slogdet().logabsdet + top.sum(1) + highest).sum()
    return total.to(scores.dtype)


def tree_loss(
    scores: Tensor, lengths: Tensor, sentences: Tensor, words: Tensor, heads: Tensor
) -> Tensor:
    """The negative log-likelihood of trees, by the heads of their words."""
    return log_arborescences(scores, lengths) - scores[sentences, words, heads].sum()


ARC_LOSSES = {"trees": tree_loss}


def last_states(x: Tensor, lengths: Tensor) -> Tensor:
    """The units of last words, (n_sentences, units) of x (n_sentences, n_steps, units)."""
    return x[torch.arange(len(x), device=x.device), lengths - 1]


def ends(x: Tensor, lengths: Tensor) -> Tensor:
    """The states with which two directions end, each half of the units."""
    forward, backward = x.chunk(2, 2)
    return torch.cat([last_states(forward, lengths), backward[:, 0]], 1)


def _k_max(x: Tensor, lengths: Tensor, k: int) -> Tensor:
    x = functional.pad(words_of(x, lengths), (0, 0, 0, k), value=-math.inf)
    places = x.argsort(dim=1, descending=True, stable=True)[:, :k].sort(1)[0]
    largest = x.gather(1, places)
    return largest.masked_fill(largest == -math.inf, 0).flatten(1)


def _regions(x: Tensor, lengths: Tensor, k: int) -> Tensor:
    steps = torch.arange(x.shape[1], device=x.device)[:, None]
    lengths = lengths[:, None, None]
    parts = []
    for region in range(k):
        here = (steps >= region * lengths // k) & (steps < (region + 1) * lengths // k)
        largest = x.masked_fill(~here, -math.inf).amax(1)
        parts.append(largest.masked_fill(largest == -math.inf, 0))
    return torch.cat(parts, 1)


POOLING = {"last": last_states, "ends": ends, "k-max": _k_max, "k-regions": _regions}


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

    @staticmethod
    def check(criterion: str, network: NetworkConfig, heads: Collection[str]) -> None:
        """Raise SennaError where no such transitions exist."""
        where = "network.transitions"
        if criterion == "greedy":
            raise SennaError("those of states are for criteria of whole paths", where=where)
        if heads != {"tags"}:
            raise SennaError("those of states are for tasks that give words tags", where=where)
        if network.kind == "window" and not network.window.hidden:
            what = "a linear network has no last layer, on whose states they could depend"
            raise SennaError(what, where=where)

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
