"""How probable tags are: sums over all paths, by the forward and the backward recursion.

A path's probability is exp(score / temperature) over the sum of that of all paths (eqs. 13 to 15).
Sums are in double precision: what machines round differently is far below the digits that are
printed. Arrays lie as in `senna.decoding.viterbi`, sentences along the last axis.

The n best paths are found exactly, by Viterbi with a list of paths to each tag.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from senna.decoding.requests import Asked, Scored, Tagging
from senna.decoding.viterbi import (
    FORBIDDEN,
    Dense,
    Floats,
    Ints,
    Paths,
    Roles,
    batches,
    in_step,
)
from senna.errors import SennaError

WIDEST, STEPS = 128, 2_048  # sentences, and steps of them, summed together: they stay in cache
EVERY = 4  # so many steps sums are brought back to a size that numbers can have

Wide = NDArray[np.float64]


class Chances(NamedTuple):
    """The probabilities along one path through each sentence, all arrays (n_words,).

    `words`: the probability of each word's tag. `opens[i] + closes[k]`: the logarithm of that of
    the tags of all words from i to k of a sentence together.
    """

    words: Wide
    opens: Wide
    closes: Wide


def chances(
    paths: Dense,
    scores: Floats,
    lengths: Ints,
    tried: Sequence[Paths],
    temperature: float = 1.0,
) -> list[Chances]:
    """The chances of some paths of sentences that lie end to end.

    scores (n_words, n_tags), lengths (n_sentences,), and each path of `tried` (n_words,): tags are
    as in `paths.order`.
    """
    if not paths.looks_ahead:
        greedy: Any = paths
        logs = (greedy.log_probabilities(scores, lengths, path, temperature) for path in tried)
        # Given the tags before them.
        return [Chances(np.exp(x), x - np.cumsum(x), np.cumsum(x)) for x in logs]
    every = [Chances(*np.zeros((3, len(scores)))) for _ in tried]
    kind = next((SUMS[name] for name in SUMS if isinstance(paths, name)), Sums)
    sums = kind(paths, temperature)
    starts = np.cumsum(lengths) - lengths
    # Fresh memory for each batch would cost more than what is computed in it.
    longest = int(lengths.max(initial=0))
    steps = min(max(STEPS, longest), longest * len(lengths))
    buffers = np.empty((3, steps * scores.shape[1]))
    with np.errstate(all="ignore"):
        for rows in batches(lengths, WIDEST, STEPS):
            batch = _Batch(sums, scores, starts[rows], lengths[rows], buffers)
            for path, out in zip(tried, every, strict=True):
                batch.write_path(path, out)
    for out in every:
        np.minimum(out.words, 1.0, out=out.words)
    return every


# --------------------------------------------------------------------------- moves


class Sums:
    """Sums over the moves of `Dense`: every step is a matrix product."""

    def __init__(self, paths: Dense, temperature: float) -> None:
        self.temperature, self.transitions = temperature, paths.transitions
        self.n_last = paths.n_last
        self.initial, self.first = weights_of(paths.initial, temperature)
        self._read(paths)

    def _read(self, paths: Dense) -> None:
        self.between, self.shift = weights_of(paths.transitions, self.temperature)

    def forward(self, last: Wide, out: Wide, words: Ints) -> None:
        """Sums of what leads to each tag of some words from `last`, both (n_tags, n_sentences)."""
        np.matmul(self.between.T, last, out=out)

    def backward(self, following: Wide, out: Wide, words: Ints) -> None:
        """Sums of what each tag leads to in `following`, of some words; as for `forward`."""
        np.matmul(self.between, following, out=out)

    def moves(self, tags: Paths, words: Ints) -> Floats:
        """The scores of the moves of paths, (n_steps - 1, n_sentences); both are (n_steps, ...)."""
        return self.transitions[tags[:-1], tags[1:]]


class RoleSums(Sums):
    """Sums over the moves of `Roles`: one for each pair of labels, and those within a role."""

    def _read(self, paths: Dense) -> None:
        assert isinstance(paths, Roles)
        self.e, self.s, self.b, self.i = paths.e, paths.s, paths.b, paths.i
        n = len(paths.between)
        scores = np.concatenate([paths.between.reshape(n, n).ravel(), *map(np.ravel, paths.within)])
        weights, self.shift = weights_of(scores, self.temperature)
        self.between = weights[: n * n].reshape(n, n)
        self.begin_i, self.begin_e, self.on_i, self.on_e = weights[n * n :].reshape(4, n - 1, 1)

    def forward(self, last: Wide, out: Wide, words: Ints) -> None:
        left = np.empty((len(self.between), last.shape[1]))
        left[0] = last[0]
        np.add(last[self.e], last[self.s], out=left[1:])
        entered = self.between.T @ left
        out[0] = entered[0]
        out[self.b] = out[self.s] = entered[1:]
        opened, inside = last[self.b], last[self.i]
        _two(opened, self.begin_i, inside, self.on_i, out[self.i])
        _two(opened, self.begin_e, inside, self.on_e, out[self.e])

    def backward(self, following: Wide, out: Wide, words: Ints) -> None:
        entered = np.empty((len(self.between), following.shape[1]))
        entered[0] = following[0]
        np.add(following[self.b], following[self.s], out=entered[1:])
        left = self.between @ entered
        out[0] = left[0]
        out[self.e] = out[self.s] = left[1:]
        inside, closing = following[self.i], following[self.e]
        _two(inside, self.begin_i, closing, self.begin_e, out[self.b])
        _two(inside, self.on_i, closing, self.on_e, out[self.i])


SUMS: dict[type[Dense], type[Sums]] = {Roles: RoleSums}  # the lab adds others


def _two(x: Wide, a: Wide, y: Wide, b: Wide, out: Wide) -> None:
    """x a + y b."""
    np.multiply(x, a, out=out)
    out += y * b


def weights_of(scores: Floats, temperature: float) -> tuple[Wide, float]:
    """exp(scores / temperature) over the largest of them, and the logarithm of that."""
    wide = scores.astype(np.float64) / temperature
    top = float(wide.max())
    return np.exp(wide - top), top


# --------------------------------------------------------------------------- sentences in step


class _Batch:
    """Both recursions over some sentences, whose lengths fall.

    alpha, beta (n_steps, n_tags, n_sentences): what leads to each tag, times exp(-before), and what
    it leads to, times exp(-after); `total` (n_sentences,): the logarithm of the sum over all paths.
    """

    def __init__(
        self, sums: Sums, scores: Floats, starts: Ints, lengths: Ints, buffers: Wide
    ) -> None:
        self.sums, self.scores = sums, scores
        self.index, self.inside = in_step(starts, lengths, len(scores))
        self.active = self.inside.sum(axis=1).tolist()
        n_steps, n_sentences = self.index.shape
        shape = n_steps, scores.shape[1], n_sentences
        size = n_steps * scores.shape[1] * n_sentences
        self.alpha, self.beta, weights = (buffer[:size].reshape(shape) for buffer in buffers)
        weights[:] = scores[self.index].transpose(0, 2, 1)
        weights /= sums.temperature
        top = weights.max(axis=1)
        weights -= top[:, None]
        np.exp(weights, out=weights)
        self._sum_up(weights, top, lengths - 1)

    def _sum_up(self, weights: Wide, top: Wide, ends: Ints) -> None:
        scale, back = self._forward(weights), self._backward(weights)
        step = np.where(self.inside, top + self.sums.shift, 0.0)
        after = np.log(back)
        after[:-1] += step[1:]
        self.after = np.cumsum(after[::-1], axis=0)[::-1]
        step[0] += self.sums.first - self.sums.shift
        self.before = np.cumsum(np.log(scale) + step, axis=0)
        columns = np.arange(len(ends))
        last = self.alpha[ends, : self.sums.n_last, columns].sum(axis=1)
        self.total = np.log(last) + self.before[ends, columns]

    def _forward(self, weights: Wide) -> Wide:
        """Fills alpha, now and then brought to the sum 1; returns what each was divided by."""
        scale = np.ones(self.index.shape)
        for t, m in enumerate(self.active):
            here = self.alpha[t, :, :m]
            if t:
                self.sums.forward(self.alpha[t - 1, :, :m], here, self.index[t, :m])
            else:
                here[:] = self.sums.initial[:, None]
            here *= weights[t, :, :m]
            if t % EVERY == 0:
                np.add.reduce(here, axis=0, out=scale[t, :m])
                here /= scale[t, :m]
        return scale

    def _backward(self, weights: Wide) -> Wide:
        """Fills beta, the largest now and then brought to 1; returns what each was divided by."""
        scale = np.ones(self.index.shape)
        done = 0
        for t in range(len(self.active) - 1, -1, -1):
            m = self.active[t]
            self.beta[t, :, done:m] = 0.0
            self.beta[t, : self.sums.n_last, done:m] = 1.0
            if done:
                here = self.beta[t, :, :done]
                weights[t + 1, :, :done] *= self.beta[t + 1, :, :done]
                self.sums.backward(weights[t + 1, :, :done], here, self.index[t + 1, :done])
                if t % EVERY == 0:
                    np.maximum.reduce(here, axis=0, out=scale[t, :done])
                    here /= scale[t, :done]
            done = m
        return scale

    def write_path(self, path: Paths, out: Chances) -> None:
        """The chances of a path of all words, written where this batch's words are."""
        tags = path[self.index]
        leads = np.log(_at(self.alpha, tags)) + self.before - self.total
        follows = np.log(_at(self.beta, tags)) + self.after
        inner = self.scores[self.index, tags].astype(np.float64)
        inner[1:] += self.sums.moves(tags, self.index)
        inner = np.cumsum(inner, axis=0) / self.sums.temperature
        here = self.index[self.inside]
        values = np.exp(leads + follows), leads - inner, follows + inner
        for array, value, impossible in zip(out, values, (0.0, -np.inf, -np.inf), strict=True):
            # What double precision does not hold counts as impossible.
            array[here] = np.where(np.isfinite(value), value, impossible)[self.inside]


def _at(values: Wide, tags: Paths) -> Wide:
    """Of values (n_steps, n_tags, n_sentences) those of some tags (n_steps, n_sentences)."""
    picked: Wide = np.take_along_axis(values, tags[:, None], axis=1)[:, 0]
    return picked


# --------------------------------------------------------------------------- answers


def scored(
    names: Sequence[str],
    paths: Dense | None,
    scores: Floats,
    lengths: Ints,
    path: Paths,
    asked: Asked,
    temperature: float,
) -> list[Scored]:
    """The tags of a path through sentences that lie end to end, with their probabilities.

    scores (n_words, n_tags), tags as in `names` and `paths.order`; path (n_words,). Without `paths`
    words are tagged each by itself.
    """
    n = len(names)
    moves = paths or Dense(np.zeros((n, n), np.float32), np.zeros(n, np.float32))
    others: list[Paths] = []  # the best paths but one: -1 where a sentence has no such path
    if asked.n_best > 1:
        others = list(best_paths(moves, scores, lengths, asked.n_best)[1:])
    tried = [path, *(np.maximum(other, 0) for other in others)]
    probable = chances(moves, scores, lengths, tried, temperature)
    words, opens, closes = (array.tolist() for array in probable[0])
    words = words if asked.scores else []
    sentences = []
    for end, length in zip(np.cumsum(lengths).tolist(), lengths.tolist(), strict=True):
        here = slice(end - length, end)
        tags = [names[i] for i in path[here].tolist()]
        sides = words[here], opens[here], closes[here]
        sentence = Scored(tags, *sides, n_best=asked.n_best)
        sentences.append(sentence)
        if not (others and length):
            continue
        for chance, other in zip(probable, [path, *others], strict=False):
            if other[end - 1] >= 0:
                score = min(0.0, float(chance.opens[end - length] + chance.closes[end - 1]))
                tags = [names[i] for i in other[here].tolist()]
                sentence.paths.append(Tagging(math.exp(score), tags))
    return sentences


LISTS, LIST_STEPS = 32, 512  # sentences, and steps of them, whose lists are made together

Shorts = NDArray[np.int16]


def best_paths(paths: Dense, scores: Floats, lengths: Ints, n: int) -> Paths:
    """The n best paths of sentences that lie end to end, (n, n_words), the best first.

    scores (n_words, n_tags), tags as in `paths.order`. The first is that of `Dense.decode`. Where
    a sentence has fewer paths, those that lack are -1.
    """
    greedy: Any = None if paths.looks_ahead else paths
    if greedy and n > greedy.beam:
        what = f"a beam of {greedy.beam} keeps no more taggings"
        raise SennaError(what, where=f"--nbest {n}", remedy="Train with a wider network.beam.")
    starts = np.cumsum(lengths) - lengths
    all_paths = np.full((n, len(scores)), -1, np.intp)
    for rows in batches(lengths, LISTS, LIST_STEPS):
        sizes = lengths[rows]
        index, inside = in_step(starts[rows], sizes, len(scores))
        padded = np.ascontiguousarray(scores[index].transpose(0, 2, 1))  # (step, tag, sentence)
        if greedy:
            best = greedy.taggings(padded, sizes.astype(np.int32))
        else:
            best = _best(paths, padded, index, sizes, n)
        for k in range(n):
            all_paths[k, index[inside]] = best[k][inside]
    return all_paths


def _best(paths: Dense, emissions: Floats, words: Ints, lengths: Ints, n: int) -> Paths:
    """The paths (n, n_steps, n_sentences) of emissions (n_steps, n_tags, n_sentences).

    words (n_steps, n_sentences): the numbers of the words.
    """
    n_steps, n_tags, n_sentences = emissions.shape
    lists = np.full((n, n_tags, n_sentences), -np.inf, np.float32)  # scores of paths to each tag
    paths.start(emissions[0], lists[0])
    origin = np.zeros(
        (n_steps, 2, n, n_tags, n_sentences), np.int16
    )  # tag before, place in its list
    best = np.full((n, n_steps, n_sentences), -1, np.intp)
    columns = np.arange(n_sentences)
    for t in range(n_steps):
        if t:
            lists, origin[t] = _step(paths.moves_to(words[t]), lists)
            lists += emissions[t]
        for column in columns[lengths == t + 1].tolist():
            totals = lists[:, : paths.n_last, column].T.ravel()  # a tag's list side by side
            order = np.argsort(-totals, kind="stable")[:n]
            for k, place in enumerate(order.tolist()):
                # Paths that are ruled out are worse than any other by far.
                if totals[place] < totals[order[0]] + FORBIDDEN / 2:
                    break
                best[k, : t + 1, column] = _traced(
                    origin[: t + 1, :, :, :, column], *divmod(place, n)
                )
    return best


def _step(moves: Floats, lists: Floats) -> tuple[Floats, Shorts]:
    """The lists of the next word's tags, without its scores, and where each path comes from.

    moves (from, to, sentence), or alike for all sentences (from, to, 1); see `Dense.moves_to`.
    Of all lists that lead to a tag the best head is taken n times, and what stands after it in its
    list takes its place. Of equal ones the lowest tag wins, as in `Dense.best`.
    """
    n, n_tags, n_sentences = lists.shape
    heads = lists[0][:, None] + moves  # (from, to, sentence)
    moves = np.broadcast_to(moves, heads.shape)
    taken = np.zeros(heads.shape, np.intp)
    merged = np.empty_like(lists)
    origin = np.empty((2, *lists.shape), np.int16)
    to, column = np.arange(n_tags)[:, None], np.arange(n_sentences)
    for k in range(n):
        best = heads.argmax(axis=0)  # (to, sentence)
        merged[k] = heads[best, to, column]
        place = taken[best, to, column]
        origin[:, k] = best, place
        taken[best, to, column] = place = place + 1
        following = lists[np.minimum(place, n - 1), best, column] + moves[best, to, column]
        following[place >= n] = -np.inf
        heads[best, to, column] = following
    return merged, origin


def _traced(origin: Shorts, tag: int, place: int) -> list[int]:
    """The path that ends with a place in a tag's list; origin (n_steps, 2, n, n_tags)."""
    path = [tag]
    for step in origin[:0:-1]:
        tag, place = int(step[0, place, tag]), int(step[1, place, tag])
        path.append(tag)
    return path[::-1]
