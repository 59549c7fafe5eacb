"""An n-gram model to compare the perplexity of a neural language model with.

Interpolated Kneser-Ney (Kneser and Ney 1995, "Improved backing-off for m-gram language modeling")
in the modified form of Chen and Goodman 1999, "An empirical study of smoothing techniques for
language modeling": three discounts an order. For a word w after the rows h, of which h' are all
but the first,

    p(w | h) = (a(hw) - D(a(hw))) / sum_v a(hv) + left(h) p(w | h')

where left(h) is the share that the discounts D took from the words seen after h. At the longest
order a(g) is the count of g; at shorter orders it is the number of different rows before g, as
shorter n-grams matter only where longer ones fail. An n-gram at the start of a sentence has nothing
before it and keeps its count. Unigrams are interpolated with the uniform distribution, so every
word has a probability above 0. Only words are predicted, never the end of a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from senna.errors import SennaError
from senna.pretraining.validation import HeldOut
from senna.text.vocabulary import PADDING

Rows = NDArray[np.integer[Any]]
Ints = NDArray[np.int64]
Doubles = NDArray[np.float64]

CHUNK = 1 << 20  # rows at a time; at least as many as the order
# Discounts for texts too small or too even to estimate them from; KenLM falls back on the same.
USUAL = (0.5, 1.0, 1.5)


@dataclass(frozen=True)
class _Level:
    """The n-grams of one length, numbered in the order of their keys.

    An n-gram's key is the number of the n-gram without its last row, times `size`, plus that row.
    The last entry of `share` and `left` is for unseen n-grams, number -1.
    """

    keys: Ints  # (n_grams,) rising
    share: Doubles  # (n_grams + 1,) the discounted probability of the last row, 0 if unseen
    left: Doubles  # (n_shorter + 1,) weight of the shorter n-grams by context, 1 if unseen


class NGrams:
    """Counts of a text's n-grams, and the probabilities that follow from them.

    `rows` are dictionary rows everywhere: 0 between sentences, words (the row for rare ones
    included) from 1 to size - 1. A text that does not begin with 0 is read as if it did. Any
    integer array will do, memory-mapped or not.
    """

    def __init__(self, levels: list[_Level], size: int, order: int) -> None:
        self.size, self.order = size, order
        self._levels = levels  # fewer than `order` if all sentences are shorter

    @classmethod
    def count(cls, rows: Rows, size: int, order: int = 3) -> NGrams:
        """The model of a text, `rows` (n_tokens,).

        Takes about 80 bytes, besides `rows`, for each distinct n-gram of order 3 (150 of order 5);
        20 for each of any length remain. SennaError if there is no word, or a row outside the
        dictionary.
        """
        if order < 1:
            raise SennaError(f"an n-gram order of {order}", remedy="It is 1 or more.")
        words = np.zeros(size, np.int64)
        for lead, part in _chunks(rows, size, 0):
            words += np.bincount(part[lead:], minlength=size)
        words[0] = 0
        if not words.any():
            raise SennaError("no words to count n-grams of", remedy="Give a longer text.")
        keys, counts = [np.arange(size)], [words]
        while len(keys) < order:
            longer, seen = _count(rows, size, keys)
            if not len(longer):
                break
            keys.append(longer)
            counts.append(seen)
        _count_contexts(keys, counts, size)
        lengths = [1, *map(len, keys)]
        levels = [_level(*each, size) for each in zip(keys, counts, lengths, strict=False)]
        return cls(levels, size, order)

    def log_probabilities(self, rows: Rows) -> Doubles:
        """The natural logarithm of each word's probability given those before it in its sentence.

        rows (n_tokens,) to (n_words,): rows of 0 have none.
        """
        keys = [level.keys for level in self._levels]
        logarithms = [np.zeros(0)]
        for lead, part in _chunks(rows, self.size, self.order - 1):
            contexts = np.zeros_like(part)
            probabilities: Doubles = np.full(len(part), 1 / (self.size - 1))
            for level, numbers in zip(self._levels, _numbers(part, keys, self.size), strict=True):
                probabilities = level.share[numbers] + level.left[contexts] * probabilities
                contexts = _before(numbers)
            logarithms.append(np.log(probabilities[lead:][part[lead:] > 0]))
        return np.concatenate(logarithms)


def _chunks(rows: Rows, size: int, lead: int) -> Iterator[tuple[int, Ints]]:
    """Rows in pieces, each with the `lead` rows before it, and how many those are.

    The first piece has a sentence boundary before it.
    """
    for start in range(0, len(rows), CHUNK):
        part = rows[max(start - lead, 0) : start + CHUNK].astype(np.int64)
        if part.min() < 0 or part.max() >= size:
            wrong = int(part.min() if part.min() < 0 else part.max())
            raise SennaError(
                f"row {wrong} in a dictionary of {size}", remedy="Map rare words first."
            )
        yield (lead, part) if start else (1, np.concatenate([[0], part]))


def _before(numbers: Ints) -> Ints:
    """The previous number of each; -1 for the first."""
    return np.concatenate([[-1], numbers[:-1]])


def _numbers(rows: Ints, keys: list[Ints], size: int) -> list[Ints]:
    """For each length the numbers of the n-grams that end at each row, (n_rows,); -1 if unseen.

    Keys hold no 0 but as a first row, so an n-gram that would reach over the start of a sentence
    is unseen, too.
    """
    numbers = [rows]
    for known in keys[1:]:
        wanted = _before(numbers[-1]) * size + rows
        rising = np.argsort(wanted)  # the search is several times faster in order
        places = np.empty_like(wanted)
        places[rising] = np.searchsorted(known, wanted[rising])
        places[places == len(known)] = 0
        numbers.append(np.where(known[places] == wanted, places, -1))
    return numbers


def _count(rows: Rows, size: int, keys: list[Ints]) -> tuple[Ints, Ints]:
    """Keys of the n-grams one row longer than the last of `keys`, and how often each occurs."""
    grams = np.empty(len(rows), np.int64)
    n = 0
    for lead, part in _chunks(rows, size, len(keys)):
        contexts = _before(_numbers(part, keys, size)[-1])
        here = (contexts * size + part)[lead:]
        here = here[(contexts[lead:] >= 0) & (part[lead:] > 0)]
        grams[n : n + len(here)] = here
        n += len(here)
    grams = grams[:n]
    grams.sort()
    first = np.ones(n, bool)
    np.not_equal(grams[1:], grams[:-1], out=first[1:])
    starts = np.flatnonzero(first)
    return grams[starts], np.diff(starts, append=n)


def _count_contexts(keys: list[Ints], counts: list[Ints], size: int) -> None:
    """Replace the counts below the longest order by the number of different rows before."""
    initial = np.arange(size) == 0  # whether an n-gram begins with a sentence
    shorter = np.zeros(size, np.int64)  # number of each n-gram without its first row
    for level in range(len(keys) - 1):
        contexts, last = np.divmod(keys[level + 1], size)
        # What is left of an n-gram without its first row occurs as well, so it is found.
        shorter = np.searchsorted(keys[level], shorter[contexts] * size + last)
        before = np.bincount(shorter, minlength=len(keys[level]))
        counts[level] = np.where(initial, counts[level], before)
        initial = initial[contexts]


def _level(keys: Ints, counts: Ints, n_contexts: int, size: int) -> _Level:
    """Probabilities from counts, both (n_grams,)."""
    contexts = keys // size
    discounts = _discounts(counts)[np.minimum(counts, 3)]
    totals = np.bincount(contexts, counts, n_contexts)
    taken = np.bincount(contexts, discounts, n_contexts)
    left = np.ones(n_contexts + 1)
    np.divide(taken, totals, out=left[:-1], where=totals > 0)
    return _Level(keys, np.append((counts - discounts) / totals[contexts], 0.0), left)


def _discounts(counts: Ints) -> Doubles:
    """(4,): what is taken from counts of 0, 1, 2, and 3 or more (Chen and Goodman 1999).

    Estimated from how many n-grams have counts of 1 to 4; `USUAL` where that is impossible.
    """
    n = np.bincount(np.minimum(counts, 5), minlength=6).astype(np.float64)
    if n[1:5].all():
        y = n[1] / (n[1] + 2 * n[2])
        estimated = np.array([k - (k + 1) * y * n[k + 1] / n[k] for k in (1, 2, 3)])
        if (estimated > 0).all():
            return np.concatenate([[0.0], estimated])
    return np.array([0.0, *USUAL])


def ngram_perplexity(train: NDArray[np.int32], held: HeldOut, size: int, order: int) -> float:
    """Perplexity of interpolated Kneser-Ney n-grams on the words that `perplexity` looks at."""
    logs = NGrams.count(train, size, order).log_probabilities(held.rows)
    numbers = np.cumsum(held.rows != PADDING) - 1  # among the words, boundaries left out
    return float(np.exp(-logs[numbers[held.likely]].mean()))
