"""Viterbi decoding of many sentences in step (section 3.4.2)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

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
    best = np.zeros((n_steps, n_sentences), np.intp)
    # Back pointers are not kept: one look at the column of the chosen tag finds them again.
    for t in range(n_steps - 1, -1, -1):
        m, done = active[t], active[t + 1] if t + 1 < n_steps else 0
        if m > done:
            best[t, done:m] = alpha[t, :, done:m].argmax(axis=0)
        if done:
            column = transitions[:, best[t + 1, :done]]  # (from, sentence)
            column += alpha[t, :, :done]
            best[t, :done] = column.argmax(axis=0)
    return best
