"""From hidden layers of predicates and words to the best path of roles for each predicate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from senna.infer.first_layer import Floats, Ints
from senna.infer.lookup import product
from senna.infer.model_folder import ModelFolder
from senna.infer.viterbi import Moves

GROUP = 4_096  # words of all predicates decoded together
WIDEST = 64  # predicates decoded together: a step's sums stay in cache

# (sentences, positions, steps, owners) -> (n_rows, units): `owners` says which of the predicates
# (given by sentence and position) a row is for, `steps` for which word of its sentence.
Hidden = Callable[[Ints, Ints, Ints, Ints], Floats]


class RoleOutput:
    """The output layer for roles, and the scores of moves between them."""

    def __init__(self, folder: ModelFolder) -> None:
        self.tags = folder.lines("srl.tags.txt")
        weights, n = folder.array("srl.output.weight"), len(self.tags)
        bias = folder.array("srl.output.bias", n)
        order = np.arange(n)
        self.moves: Moves | None = None
        if folder.meta["network"]["criterion"] == "sentence":
            names = ("srl.between", "srl.within", "srl.initial")
            self.moves = Moves(*(np.array(folder.array(name)) for name in names))
            order = self.moves.order
        self.weights, self.bias = np.ascontiguousarray(weights[:, order]), bias[order]
        self.names = [self.tags[i] for i in order]

    def decode(
        self, predicates: Sequence[Sequence[int]], lengths: Ints, hidden: Hidden
    ) -> list[list[list[str]]]:
        """The roles of each sentence's words for each of its predicates."""
        counts = [len(places) for places in predicates]
        sentences = np.repeat(np.arange(len(counts)), counts)
        positions = np.array([place for places in predicates for place in places], np.int64)
        found: list[list[str]] = [[] for _ in positions]
        order = np.argsort(-lengths[sentences], kind="stable")
        for rows in _groups(order, lengths[sentences[order]]):
            own = lengths[sentences[rows]]
            owners = np.repeat(np.arange(len(rows)), own)
            steps = np.arange(len(owners)) - np.repeat(np.cumsum(own) - own, own)
            x = hidden(sentences[rows], positions[rows], steps, owners)
            scores = product(x, self.weights)
            scores += self.bias
            path = self._paths(scores, own, steps, owners)
            tags = [self.names[i] for i in path]
            for row, end, n in zip(rows, np.cumsum(own), own, strict=True):
                found[row] = tags[end - n : end]
        ends = np.cumsum(counts)
        return [found[end - n : end] for end, n in zip(ends, counts, strict=True)]

    def _paths(self, scores: Floats, lengths: Ints, steps: Ints, owners: Ints) -> NDArray[np.intp]:
        """The best paths, end to end, (n_rows,)."""
        if self.moves is None:
            best: NDArray[np.intp] = scores.argmax(axis=1)
            return best
        padded = np.zeros((lengths[0], len(lengths), scores.shape[1]), np.float32)
        padded[steps, owners] = scores
        turned = np.ascontiguousarray(padded.transpose(0, 2, 1))  # (step, tag, predicate)
        best = self.moves.viterbi(turned, lengths.astype(np.int32))
        return best[steps, owners]


def _groups(order: Ints, lengths: Ints) -> Iterator[Ints]:
    """Parts of `order`, with falling lengths, of few enough predicates and words."""
    start = 0
    while start < len(order):
        n = min(WIDEST, max(1, GROUP // max(int(lengths[start]), 1)))
        yield order[start : start + n]
        start += n
