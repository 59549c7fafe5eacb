"""Tags from left to right, each by its word and the last tags before it (Goldberg 2015, section 8).

Each word's scores are normalised for themselves, given these tags: a maximum-entropy Markov model.
A beam keeps the most probable taggings of the words so far; one of width 1 is greedy.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import ClassVar, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from senna.decoding.viterbi import FORBIDDEN, Dense, Floats, Ints, Paths
from senna.errors import SennaError
from senna.model.folder import ModelFolder
from senna.training.config import NetworkConfig
from senna.training.criteria import Criterion, GoldBatch, WordLevel
from senna.training.criteria import Paths as PathScores
from senna.training.heads.base import Place
from senna.training.heads.tags import TagHead
from senna.training.layers.batch import Batch, mask_of
from senna.training.layers.weights import array_of

Wide = NDArray[np.float64]
NEVER = float("inf")  # the cost of what the rules exclude


class Greedy(Dense):
    """Scores of a word's tags by the tags before it, and the width of the beam."""

    looks_ahead: ClassVar[bool] = False

    def __init__(self, paths: Dense, earlier: Floats, beam: int) -> None:
        """paths: their moves are from the last tag; earlier (n, n_tags, n_tags): [d, i, j] from tag
        i, d + 2 words before, to j.
        """
        self.transitions, self.initial = paths.transitions, paths.initial
        self.order, self.n_last, self.compiled = paths.order, len(paths.initial), None
        self.earlier, self.beam = earlier, beam

    @classmethod
    def load(cls, folder: ModelFolder, task: str, paths: Dense) -> Greedy:
        """The search of a model's task; paths: the moves from the last tag."""
        n, order = len(paths.order), paths.order
        earlier = np.zeros((0, n, n), np.float32)
        if folder.has(f"{task}.earlier.npy"):
            earlier = folder.array(f"{task}.earlier", None, n, n)[:, order][:, :, order]
        return cls(paths, earlier, folder.table.network.beam)

    def best(
        self, emissions: Floats, lengths: NDArray[np.int32], words: Ints | None = None
    ) -> Paths:
        """See `Dense.best`: the best tagging of the beam."""
        best: Paths = self.taggings(emissions, lengths)[0]
        return best

    def taggings(self, emissions: Floats, lengths: NDArray[np.int32]) -> Paths:
        """The beam, (beam, n_steps, n_sentences), the best first; -1 in taggings that lack.

        emissions (n_steps, n_tags, n_sentences), lengths (n_sentences,), falling.
        """
        n_steps, n_tags, n_sentences = emissions.shape
        tags = np.full((self.beam, n_steps, n_sentences), -1, np.intp)
        totals = np.full((self.beam, n_sentences), -np.inf)
        totals[0] = 0.0  # the empty tagging
        for t in range(n_steps):
            m = int((lengths > t).sum())
            scores = emissions[t, :, :m] + self.after(tags[:, :t, :m])
            more = scores  # of one tagging the highest score decides: nothing is rounded
            if self.beam > 1:
                logs = log_softmax(scores)
                more = np.where(logs < FORBIDDEN / 2, -np.inf, logs)
            ends = (totals[:, None, :m] + more).reshape(-1, m)  # (tagging and tag, sentence)
            chosen = np.argsort(-ends, axis=0, kind="stable")[: self.beam]
            columns = np.arange(m)
            totals[:, :m] = ends[chosen, columns]
            if self.beam == 1:
                totals[:] = 0.0
            origin, tag = np.divmod(chosen, n_tags)
            tags[:, :t, :m] = tags[origin, :t, columns].transpose(0, 2, 1)
            tags[:, t, :m] = np.where(np.isfinite(totals[:, :m]), tag, -1)
        return tags

    def after(self, tags: Paths) -> Floats:
        """The scores that earlier tags (n_taggings, n_steps, n) add, (n_taggings, n_tags, n)."""
        n_taggings, t, n = tags.shape
        if not t:
            return np.broadcast_to(self.initial[:, None], (n_taggings, len(self.initial), n))
        scores: Floats = self.transitions[tags[:, -1]].transpose(0, 2, 1)
        for d, moves in enumerate(self.earlier[: t - 1], start=2):
            scores = scores + moves[tags[:, -d]].transpose(0, 2, 1)
        return scores

    def log_probabilities(
        self, scores: Floats, lengths: Ints, path: Paths, temperature: float
    ) -> Wide:
        """Of each word's tag in a path, given the tags before it: (n_words,).

        scores (n_words, n_tags) of sentences that lie end to end, path (n_words,).
        """
        steps = np.arange(len(path)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        total = scores + np.where((steps > 0)[:, None], 0, self.initial)
        for d, moves in enumerate([self.transitions, *self.earlier], start=1):
            rows = np.flatnonzero(steps >= d)
            total[rows] += moves[path[rows - d]]
        logs = log_softmax(total / temperature)
        return logs[np.arange(len(path)), path]


def log_softmax(scores: Floats) -> Wide:
    """The logarithms of probabilities of tags, which are along axis 1, in multiples of 2 ** -30.

    What machines round differently is far below that.
    """
    wide = scores.astype(np.float64)
    wide -= wide.max(axis=1, keepdims=True)
    wide -= np.log(np.exp(wide).sum(axis=1, keepdims=True))
    logs: Wide = np.ldexp(np.rint(np.ldexp(wide, 30)), -30)
    return logs


# --------------------------------------------------------------------------- training


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
        """Scores that tags (n_sentences, n_steps) add to the next ones, (..., n_steps, n_tags)."""
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

    def decoder(self, inside: Tensor) -> Greedy:
        plain = Dense(array_of(self.transitions), array_of(self.initial))
        return Greedy(plain, array_of(self.earlier), self.beam)


class LeftToRight(WordLevel):
    """Every word for itself after gold or own tags; tags are found from left to right."""

    paths = True

    def loss(self, emissions: Tensor, gold: GoldBatch, paths: PathScores) -> Tensor:
        assert isinstance(paths, GreedyPaths)
        if gold.free_running is not None:
            gold = after_free_running(emissions, gold, paths)
        return super().loss(emissions + paths.after(gold.tags), gold, paths)


class FreeRunning:
    """Draws the words whose history is the network's own tags (scheduled sampling).

    A network that only learns what follows gold tags meets its own mistakes for the first time when
    it tags. Bengio et al. 2015: some of the tags before a word are therefore the network's own best
    ones, none in the first epoch and more in later ones.
    """

    def __init__(self, last: float, epochs: int) -> None:
        """last: the share of such words in the last epoch."""
        self.last, self.epochs = last, epochs

    def __call__(self, batch: Batch, epoch: int, random: np.random.Generator) -> Batch:
        """The batch with the words that are drawn in an epoch, counted from 0."""
        share = self.last * (min(epoch / (self.epochs - 1), 1.0) if self.epochs > 1 else 1.0)
        if not share:
            return batch
        drawn = torch.from_numpy(random.random(batch.gold.shape) < share)
        return replace(batch, free_running=drawn.to(batch.gold.device))


class GreedyHead(TagHead):
    """One tag per word, from left to right, by the word and the last tags."""

    free_running = FreeRunning

    @staticmethod
    def check(criterion: str, network: NetworkConfig, heads: Collection[str]) -> None:
        """Raise SennaError for tasks that do not give words tags."""
        if heads != {"tags"}:
            where = f"train.criterion = {criterion!r}"
            raise SennaError("it is for tasks that give words tags", where=where)

    def __init__(self, place: Place, is_iobes: bool = True) -> None:
        super().__init__(place, is_iobes)
        n, network = len(self.names), place.options.network
        self.beam = network.beam
        self.earlier = nn.Parameter(torch.zeros(network.history - 1, n, n))

    def split(self, emissions: Tensor) -> tuple[Tensor, PathScores]:
        return emissions, GreedyPaths(*self.paths(), self.earlier, self.beam)


CRITERIA: dict[str, Criterion] = {"greedy": LeftToRight()}


@torch.no_grad()
def after_free_running(emissions: Tensor, gold: GoldBatch, paths: GreedyPaths) -> GoldBatch:
    """The gold after the network's own tags: `tags` are the history, `allowed` the right tags.

    The gold tag is right after any history, since each word is a mistake or none by itself: the
    dynamic oracle of tags is the gold tag. Only where the rules of the tags exclude it after a
    wrong tag, those are right that lead to the fewest wrong tags from there on.
    """
    history = _history(emissions, gold, paths)
    after = paths.after(history)
    possible = emissions + after > FORBIDDEN / 2
    if gold.soft is not None:
        return gold._replace(tags=history, soft=gold.soft.where(possible, 0.0))
    costs = _costs(emissions, gold, paths).masked_fill(~possible, NEVER)
    return gold._replace(tags=history, allowed=costs == costs.amin(2, keepdim=True))


def _history(emissions: Tensor, gold: GoldBatch, paths: GreedyPaths) -> Tensor:
    """Tags from left to right: gold, or where a word runs free the best after those before it."""
    assert gold.free_running is not None
    tags, n_last = gold.tags.clone(), len(paths.earlier) + 1
    for t in range(tags.shape[1]):
        after = paths.after(tags[:, max(t - n_last, 0) : t + 1])[:, -1]
        best = (emissions[:, t] + after).argmax(1)
        tags[:, t] = best.where(gold.free_running[:, t], tags[:, t])
    return tags


def _costs(emissions: Tensor, gold: GoldBatch, paths: GreedyPaths) -> Tensor:
    """How many tags from a word on are wrong at least if it has a tag: as emissions."""
    costs = (~gold.right(emissions.shape[2])).to(emissions)
    costs[emissions <= FORBIDDEN / 2] = NEVER
    moves = torch.zeros_like(paths.transitions)
    moves[paths.transitions <= FORBIDDEN / 2] = NEVER
    inside = mask_of(gold.lengths, emissions.shape[1])[:, :, None]
    for t in range(emissions.shape[1] - 2, -1, -1):
        ahead = (moves + costs[:, t + 1, None]).amin(2)
        costs[:, t] += ahead.where(inside[:, t + 1], 0.0)
    return costs


HEADS = {"greedy": GreedyHead}
DECODERS = {"greedy": Greedy.load}
