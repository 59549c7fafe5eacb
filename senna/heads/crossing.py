"""Penalties for arcs that cross constituent boundaries.

Of the words of a constituent one has its head outside, and words outside have no other head in it.
A parser of constituents above the same encoder errs elsewhere than one of arcs, so that each
constituent that an arc contradicts costs it something. Which word a constituent's head is, is not
known: it is each of its words with the share that this word has of the heads outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from senna.paths.arcs import Floats, Ints, Wide, rounded
from senna.text.schemes import Phrase

COST = 0.3  # of an arc for each such constituent, as a logarithm: best on EWT dev
LONGEST = 200  # words; longer sentences are not looked at: time and memory grow with the square


def crossing_costs(chances: Wide, trees: Sequence[Sequence[Phrase]]) -> Floats:
    """How many constituents speak against each arc, (n_sentences, n, n + 1) as `chances` are.

    chances: of the heads of each word, the root's first; trees: the constituents of each sentence.
    """
    n_sentences, n = chances.shape[:2]
    counts = np.array([len(tree) for tree in trees], np.int64)
    every = chain.from_iterable(trees)
    edges = np.fromiter(chain.from_iterable((p.start, p.end) for p in every), np.int64)
    first, last = edges.reshape(-1, 2).T
    inner = last - first > 1
    owners = np.repeat(np.arange(n_sentences), counts)[inner]
    first, last = first[inner], last[inner]
    # Constituents with one chain of labels stand for one.
    spans = np.unique((owners * n + first) * (n + 1) + last)
    owners, first, last = spans // (n + 1) // n, spans // (n + 1) % n, spans % (n + 1)
    widths = last - first
    starts = np.cumsum(widths) - widths
    of = np.repeat(np.arange(len(spans)), widths)  # pairs of a constituent and one of its words
    words = np.arange(len(of)) - starts[of] + first[of]
    return _against(chances, owners[of], words, first[of], last[of], starts)


def _against(
    chances: Wide, owners: Ints, words: Ints, first: Ints, last: Ints, starts: Ints
) -> Floats:
    """See `crossing_costs`; of pairs of a constituent and a word their sentences, words and edges,
    those of one constituent from each of `starts` on."""
    n_sentences, n = chances.shape[:2]
    up_to = np.zeros((n_sentences, n, n + 2))
    np.cumsum(chances, axis=2, out=up_to[:, :, 1:])
    outside = 1 - up_to[owners, words, last + 1] + up_to[owners, words, first + 1]
    if len(starts):
        sums = np.add.reduceat(outside, starts)
        sums = np.repeat(sums, np.diff(starts, append=len(outside)))
        shares = np.divide(outside, sums, out=np.zeros_like(outside), where=sums > 0)
    else:
        shares = outside
    # By word and head: the constituents that have both, where the word is not the head.
    rows = (owners * n + words) * (n + 2)
    places = np.concatenate([rows + first + 1, rows + last + 1])
    others = rounded(1 - shares)
    steps = np.bincount(places, np.concatenate([others, -others]), n_sentences * n * (n + 2))
    both = steps.reshape(n_sentences, n, n + 2).cumsum(axis=2)[:, :, : n + 1].astype(np.float32)
    at = np.arange(n)
    alone = both[:, at, at + 1]
    costs: Floats = alone[:, :, None] - both
    costs[:, :, 1:] += alone[:, None, :] - both[:, :, 1:].transpose(0, 2, 1)
    return costs
