"""Viterbi decoding of many sentences in step (section 3.4.2)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from senna.text.iobes import FORBIDDEN, moves

Floats = NDArray[np.float32]


def viterbi(
    emissions: Floats, lengths: NDArray[np.int32], transitions: Floats, initial: Floats
) -> NDArray[np.intp]:
    """The best path of each sentence, (n_steps, n_sentences); what is past its end is 0.

    emissions (n_steps, n_tags, n_sentences); lengths (n_sentences,) falling, none below 1;
    transitions (n_tags, n_tags), [i, j] from i to j; initial (n_tags,). Sentences lie along the
    last axis, so that every maximum over tags runs through contiguous rows.
    """
    n_steps, n_tags, n_sentences = emissions.shape
    alpha = np.empty_like(emissions)
    alpha[0] = emissions[0] + initial[:, None]
    active = (lengths[None, :] > np.arange(n_steps)[:, None]).sum(1).tolist()
    # One buffer for all steps: fresh memory for each would cost more than the sums.
    buffer = np.empty(n_tags * n_tags * n_sentences, np.float32)
    for t in range(1, n_steps):
        m = active[t]
        paths = buffer[: n_tags * n_tags * m].reshape(n_tags, n_tags, m)  # (from, to, sentence)
        np.add(alpha[t - 1, :, None, :m], transitions[:, :, None], out=paths)
        best_to = np.maximum.reduce(paths, axis=0)
        np.add(best_to, emissions[t, :, :m], out=alpha[t, :, :m])
    return _way_back(alpha, active, transitions, n_tags)


def _way_back(
    alpha: Floats, active: list[int], transitions: Floats, n_last: int
) -> NDArray[np.intp]:
    """The best paths, from the scores of the best paths up to each word.

    alpha (n_steps, n_tags, n_sentences); active: how many sentences have each step. Only tags up
    to number `n_last` stand at a sentence's end.
    """
    n_steps, _, n_sentences = alpha.shape
    best = np.zeros((n_steps, n_sentences), np.intp)
    # Back pointers are not kept: one look at the column of the chosen tag finds them again.
    for t in range(n_steps - 1, -1, -1):
        m, done = active[t], active[t + 1] if t + 1 < n_steps else 0
        if m > done:
            best[t, done:m] = alpha[t, :n_last, done:m].argmax(axis=0)
        if done:
            column = transitions[:, best[t + 1, :done]]  # (from, sentence)
            column += alpha[t, :, :done]
            best[t, :done] = column.argmax(axis=0)
    return best


class Moves:
    """Scores of the moves between tags, by the structure of IOBES: see `moves`.

    Tags are those of `order`: O, B of all kinds, S, E, I of all kinds.
    """

    def __init__(self, between: Floats, within: Floats, initial: Floats) -> None:
        n_kinds = within.shape[1]
        # Tags that can end a sentence come first.
        places = 1 + np.arange(4 * n_kinds).reshape(n_kinds, 4).T  # (B I E S, kind)
        self.order = np.concatenate([[0], places[[2, 3, 0, 1]].ravel()])
        self.between, self.within, self.initial = between, within, initial
        scores = np.concatenate([between.ravel(), within.ravel(), [FORBIDDEN]])
        dense = scores.astype(np.float32)[moves(n_kinds)]
        self.dense = np.ascontiguousarray(dense[self.order][:, self.order])
        self.n_kinds = n_kinds

    def viterbi(self, emissions: Floats, lengths: NDArray[np.int32]) -> NDArray[np.intp]:
        """The best valid path of each sentence, (n_steps, n_sentences), as places in `order`.

        emissions (n_steps, n_tags, n_sentences), tags as in `order`; lengths (n_sentences,)
        falling, none below 1. A step costs the square of the kinds, not of the tags.
        """
        n_steps, _, n_sentences = emissions.shape
        n = self.n_kinds
        e, s, b, i = (slice(1 + k * n, 1 + (k + 1) * n) for k in range(4))
        alpha = np.empty_like(emissions)
        alpha[0] = emissions[0]
        alpha[0, 0] += self.initial[0]
        for place in (s, b):
            alpha[0, place] += self.initial[1:, None]
        for place in (e, i):
            alpha[0, place] = FORBIDDEN
        active = (lengths[None, :] > np.arange(n_steps)[:, None]).sum(1).tolist()
        closed = np.empty((n + 1) * n_sentences, np.float32)
        buffer = np.empty((n + 1) * (n + 1) * n_sentences, np.float32)
        weights = self.between[:, :, None]
        begin_i, begin_e, on_i, on_e = self.within[:, :, None]
        for t in range(1, n_steps):
            m = active[t]
            last, new, scores = alpha[t - 1, :, :m], alpha[t, :, :m], emissions[t, :, :m]
            left = closed[: (n + 1) * m].reshape(n + 1, m)
            left[0] = last[0]
            np.maximum(last[e], last[s], out=left[1:])
            paths = buffer[: (n + 1) * (n + 1) * m].reshape(n + 1, n + 1, m)  # (from, to, ...)
            np.add(left[:, None], weights, out=paths)
            entered = np.maximum.reduce(paths, axis=0)
            np.add(entered[0], scores[0], out=new[0])
            np.add(entered[1:], scores[b], out=new[b])
            np.add(entered[1:], scores[s], out=new[s])
            np.maximum(last[b] + begin_i, last[i] + on_i, out=new[i])
            np.maximum(last[b] + begin_e, last[i] + on_e, out=new[e])
            new[i] += scores[i]
            new[e] += scores[e]
        return _way_back(alpha, active, self.dense, 1 + 2 * n)
