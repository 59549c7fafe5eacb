"""How probable tags are: sums over all paths, by the forward and the backward recursion.

A path's probability is exp(score / temperature) over the sum of that of all paths (eqs. 13 to 15).
Sums are in double precision: what machines round differently is far below the digits that are
printed. Arrays lie as in `senna.infer.paths`, sentences along the last axis.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from senna.infer.paths import Dense, Floats, Ints, Paths, Phrases, Roles, batches

Wide = NDArray[np.float64]


class Sums:
    """Sums over the moves of `Dense`: every step is a matrix product."""

    def __init__(self, paths: Dense, temperature: float) -> None:
        self.n_last = paths.n_last
        self.initial, self.first = _weights(paths.initial, temperature)
        self.between, self.shift = self._read(paths, temperature)

    def _read(self, paths: Dense, temperature: float) -> tuple[Wide, float]:
        return _weights(paths.transitions, temperature)

    def forward(self, last: Wide, out: Wide) -> None:
        """Sums of what leads to each tag from `last`, both (n_tags, n_sentences)."""
        np.matmul(self.between.T, last, out=out)

    def backward(self, following: Wide, out: Wide) -> None:
        """Sums of what each tag leads to in `following`, both (n_tags, n_sentences)."""
        np.matmul(self.between, following, out=out)


class PhraseSums(Sums):
    """Sums over the moves of `Phrases`."""

    def _read(self, paths: Dense, temperature: float) -> tuple[Wide, float]:
        assert isinstance(paths, Phrases)
        self.b, self.i, self.e = paths.b, paths.i, paths.e
        self.open = slice(paths.s.start, paths.b.stop)  # S and B lie side by side
        within = np.concatenate(paths.within, axis=1)
        between = paths.between[:, :, 0]
        top = float(max(between.max(), within.max(initial=-np.inf))) / temperature
        scaled = np.exp(within.astype(np.float64) / temperature - top)
        self.begin_i, self.begin_e, self.on_i, self.on_e = (scaled[:, [k]] for k in range(4))
        return np.exp(between.astype(np.float64) / temperature - top), top

    def forward(self, last: Wide, out: Wide) -> None:
        """See `Sums.forward`."""
        entered = self.between.T @ last[: self.n_last]
        out[0] = entered[0]
        out[self.open] = entered[1:]
        self._go_on(last, out)

    def _go_on(self, last: Wide, out: Wide) -> None:
        opened, inside = last[self.b], last[self.i]
        out[self.i] = opened * self.begin_i + inside * self.on_i
        out[self.e] = opened * self.begin_e + inside * self.on_e

    def backward(self, following: Wide, out: Wide) -> None:
        """See `Sums.backward`."""
        entered = np.concatenate([following[:1], following[self.open]])
        out[: self.n_last] = self.between @ entered
        self._go_back(following, out)

    def _go_back(self, following: Wide, out: Wide) -> None:
        inside, closing = following[self.i], following[self.e]
        out[self.b] = inside * self.begin_i + closing * self.begin_e
        out[self.i] = inside * self.on_i + closing * self.on_e


class RoleSums(PhraseSums):
    """Sums over the moves of `Roles`, one for each pair of labels."""

    def _read(self, paths: Dense, temperature: float) -> tuple[Wide, float]:
        assert isinstance(paths, Roles)
        self.s = paths.s
        return super()._read(paths, temperature)

    def forward(self, last: Wide, out: Wide) -> None:
        """See `Sums.forward`."""
        left = np.concatenate([last[:1], last[self.e] + last[self.s]])
        entered = self.between.T @ left
        out[0] = entered[0]
        out[self.b] = out[self.s] = entered[1:]
        self._go_on(last, out)

    def backward(self, following: Wide, out: Wide) -> None:
        """See `Sums.backward`."""
        entered = np.concatenate([following[:1], following[self.b] + following[self.s]])
        left = self.between @ entered
        out[0] = left[0]
        out[self.e] = out[self.s] = left[1:]
        self._go_back(following, out)


def _weights(scores: Floats, temperature: float) -> tuple[Wide, float]:
    """exp(scores / temperature) over the largest of them, and the logarithm of that."""
    wide = scores.astype(np.float64) / temperature
    top = float(wide.max())
    return np.exp(wide - top), top


def _sums(paths: Dense, temperature: float) -> Sums:
    kind = {Phrases: PhraseSums, Roles: RoleSums}.get(type(paths), Sums)
    return kind(paths, temperature)


class Chances(NamedTuple):
    """What is thought of one path through each sentence, all arrays (n_words,).

    `words`: the probability of each word's tag. `opens[i] + closes[k]`: the logarithm of that of
    the tags of all words from i to k of a sentence together.
    """

    words: Wide
    opens: Wide
    closes: Wide


class _Batch(NamedTuple):
    """Sentences in step: arrays (n_steps, n_tags, n_sentences), or without tags."""

    index: Ints  # of the words
    inside: NDArray[np.bool_]  # where there is a word
    alpha: Wide  # what leads to each tag, times exp(-before)
    beta: Wide  # what each tag leads to, times exp(-after)
    before: Wide
    after: Wide
    total: Wide  # logarithm of the sum over all paths, (n_sentences,)


class Marginals:
    """The sums of some sentences that lie end to end."""

    def __init__(
        self, paths: Dense, scores: Floats, lengths: Ints, temperature: float = 1.0
    ) -> None:
        """scores (n_words, n_tags), tags as in `paths.order`; lengths (n_sentences,)."""
        self.scores, self.transitions, self.temperature = scores, paths.transitions, temperature
        sums = _sums(paths, temperature)
        wide = scores.astype(np.float64) / temperature
        top = wide.max(axis=1, keepdims=True)
        weights = np.exp(wide - top)
        starts = np.cumsum(lengths) - lengths
        self.batches = []
        with np.errstate(all="ignore"):
            for rows in batches(lengths):
                own = lengths[rows]
                steps = np.arange(own[0])
                # Beyond a sentence's end any row does: nothing looks at it.
                index = np.minimum(starts[rows] + steps[:, None], len(scores) - 1)
                inside = steps[:, None] < own
                self.batches.append(_batch(sums, weights, top[:, 0], index, inside))

    def of(self, path: Paths) -> Chances:
        """The chances of a path, tag numbers (n_words,)."""
        found = Chances(*np.zeros((3, len(path))))
        with np.errstate(all="ignore"):
            for own in self.batches:
                tags = path[own.index]
                leads = np.log(_at(own.alpha, tags)) + own.before - own.total
                follows = np.log(_at(own.beta, tags)) + own.after
                inner = np.take_along_axis(self.scores[own.index], tags[:, :, None], axis=2)[:, :, 0]
                inner = inner.astype(np.float64)
                inner[1:] += self.transitions[tags[:-1], tags[1:]]
                inner = np.cumsum(inner, axis=0) / self.temperature
                here = own.index[own.inside]
                for out, values in (
                    (found.words, np.exp(leads + follows)),
                    (found.opens, leads - inner),
                    (found.closes, follows + inner),
                ):
                    # What is too small for double precision counts as impossible.
                    out[here] = np.nan_to_num(values[own.inside], posinf=0.0)
        np.minimum(found.words, 1.0, out=found.words)
        return found

    def of_tag(self, tag: int) -> Wide:
        """The probability of one tag at each word, (n_words,)."""
        found = np.zeros(len(self.scores))
        with np.errstate(all="ignore"):
            for own in self.batches:
                shift = np.exp(own.before + own.after - own.total)
                values = own.alpha[:, tag] * own.beta[:, tag] * shift
                found[own.index[own.inside]] = np.nan_to_num(values[own.inside], posinf=0.0)
        return np.minimum(found, 1.0)


def _at(values: Wide, tags: Paths) -> Wide:
    """Of values (n_steps, n_tags, n_sentences) those of some tags (n_steps, n_sentences)."""
    found: Wide = np.take_along_axis(values, tags[:, None], axis=1)[:, 0]
    return found


def _batch(
    sums: Sums, weights: Wide, top: Wide, index: Ints, inside: NDArray[np.bool_]
) -> _Batch:
    """Both recursions over sentences in step; their lengths fall."""
    emissions = np.ascontiguousarray(weights[index].transpose(0, 2, 1))
    active = inside.sum(axis=1).tolist()
    alpha, scale = _forward(sums, emissions, active)
    beta, back = _backward(sums, emissions, active)
    worth = np.where(inside, top[index], 0.0)
    step = np.where(inside, worth + sums.shift, 0.0)
    step[0] += sums.first - sums.shift
    before = np.cumsum(np.log(scale) + step, axis=0)
    after = np.log(back)
    after[:-1] += np.where(inside[1:], worth[1:] + sums.shift, 0.0)
    after = np.cumsum(after[::-1], axis=0)[::-1]
    ends = inside.sum(axis=0) - 1
    columns = np.arange(len(ends))
    last = alpha[ends, : sums.n_last, columns].sum(axis=1)
    return _Batch(index, inside, alpha, beta, before, after, np.log(last) + before[ends, columns])


def _forward(sums: Sums, emissions: Wide, active: list[int]) -> tuple[Wide, Wide]:
    """What leads to each tag, each column brought to the sum 1, and what it was divided by."""
    alpha = np.zeros_like(emissions)
    scale = np.ones((emissions.shape[0], emissions.shape[2]))
    for t, m in enumerate(active):
        own = alpha[t, :, :m]
        if t:
            sums.forward(alpha[t - 1, :, :m], own)
        else:
            own[:] = sums.initial[:, None]
        own *= emissions[t, :, :m]
        np.add.reduce(own, axis=0, out=scale[t, :m])
        own /= scale[t, :m]
    return alpha, scale


def _backward(sums: Sums, emissions: Wide, active: list[int]) -> tuple[Wide, Wide]:
    """What each tag leads to, the largest of a column brought to 1, and what that was."""
    beta = np.zeros_like(emissions)
    scale = np.ones((emissions.shape[0], emissions.shape[2]))
    for t in range(len(active) - 1, -1, -1):
        m, done = active[t], active[t + 1] if t + 1 < len(active) else 0
        beta[t, : sums.n_last, done:m] = 1.0
        if done:
            own = beta[t, :, :done]
            sums.backward(emissions[t + 1, :, :done] * beta[t + 1, :, :done], own)
            np.maximum.reduce(own, axis=0, out=scale[t, :done])
            own /= scale[t, :done]
    return beta, scale
