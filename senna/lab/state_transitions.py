"""Transitions that depend on the words at tagging time, as in a BiLSTM-CRF."""

from __future__ import annotations

import numpy as np

from senna.decoding.marginals import SUMS, Sums, Wide, weights_of
from senna.decoding.viterbi import Dense, Floats, Ints, Paths
from senna.model.folder import ModelFolder


class States(Dense):
    """Scores of the moves that each word has for itself, by its network's last units."""

    def __init__(self, paths: Dense, moves: Floats) -> None:
        """moves (n_words, n_tags, n_tags): what words add, [w, i, j] from i before w to j at w."""
        self.transitions, self.initial = paths.transitions, paths.initial
        self.order, self.n_last, self.compiled = paths.order, paths.n_last, None
        self.moves = moves + paths.transitions

    def moves_of(self, words: Ints, tags: Paths) -> Floats:
        moves: Floats = self.moves[words, :, tags].T
        return moves

    def moves_to(self, words: Ints) -> Floats:
        moves: Floats = self.moves[words].transpose(1, 2, 0)
        return moves


class StateSums(Sums):
    """Sums over the moves of `States`, which each word has for itself."""

    def _read(self, paths: Dense) -> None:
        assert isinstance(paths, States)
        self.scores = paths.moves
        self.between, self.shift = weights_of(paths.moves, self.temperature)

    def forward(self, last: Wide, out: Wide, words: Ints) -> None:
        np.einsum("wij,iw->jw", self.between[words], last, out=out)

    def backward(self, following: Wide, out: Wide, words: Ints) -> None:
        np.einsum("wij,jw->iw", self.between[words], following, out=out)

    def moves(self, tags: Paths, words: Ints) -> Floats:
        return self.scores[words[1:], tags[:-1], tags[1:]]


SUMS[States] = StateSums


class StateTransitions:
    """The layer that gives the moves to each word, next to the output layer of a task."""

    def __init__(self, folder: ModelFolder, task: str, units: int, paths: Dense) -> None:
        """paths: the scores of moves that all words share."""
        n, order = len(paths.order), paths.order
        moves = folder.array(f"{task}.states", units, n, n)[:, order][:, :, order]
        self.paths, self.moves = paths, moves.reshape(units, n * n)

    def joined(self, weights: Floats, bias: Floats) -> tuple[Floats, Floats]:
        """An output layer that gives the scores of tags, then those of moves."""
        more = np.zeros(self.moves.shape[1], np.float32)
        return np.concatenate([weights, self.moves], axis=1), np.append(bias, more)

    def split(self, scores: Floats) -> tuple[Floats, Dense]:
        """Of what that layer gives the emissions (n_words, n_tags), and their paths."""
        n = len(self.paths.order)
        moves = scores[:, n:].reshape(-1, n, n)
        return np.ascontiguousarray(scores[:, :n]), States(self.paths, moves)


DECODERS = {"states": StateTransitions}
