"""Word similarity: whether cosines of vectors rank pairs of words as people do.

A list is lines of word, tab, word, tab, score; a higher score is more similar. The measure is
Spearman's rank correlation over the pairs both of whose words have a vector.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from senna.errors import SennaError
from senna.files import open_text
from senna.lab.vectors.neighbours import row_of
from senna.vectors.read import Vectors


class RatedPair(NamedTuple):
    """Two words, and how similar people found them."""

    left: str
    right: str
    score: float


class Similarity(NamedTuple):
    """Number of known pairs, of all pairs, and the correlation over the known ones (or NaN)."""

    known: int
    all: int
    correlation: float


def read_pairs(path: Path) -> list[RatedPair]:
    """The pairs of a list; SennaError, with the line, for anything else."""
    pairs = []
    with open_text(path) as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            fields = line.rstrip("\r\n").split("\t")
            try:
                left, right, score = fields[0], fields[1], float(fields[2])
            except (IndexError, ValueError):
                score = math.nan
            if len(fields) != 3 or not math.isfinite(score):
                what = "expected word, tab, word, tab, number"
                raise SennaError(what, where=f"{path}:{number}")
            pairs.append(RatedPair(left, right, score))
    if not pairs:
        raise SennaError("the file has no pairs of words", where=str(path))
    return pairs


def score_pairs(
    vectors: Vectors, rows: Mapping[str, int], pairs: Sequence[RatedPair]
) -> Similarity:
    """Compare the cosines of pairs with their scores; `rows` has the row of each word."""
    places = [(row_of(rows, pair.left), row_of(rows, pair.right)) for pair in pairs]
    known = [i for i, place in enumerate(places) if None not in place]
    if not known:
        return Similarity(0, len(pairs), math.nan)
    left, right = np.array([places[i] for i in known], np.int64).T
    cosines = _cosines(vectors.table[left], vectors.table[right])
    correlation = spearman(cosines, [pairs[i].score for i in known])
    return Similarity(len(known), len(pairs), correlation)


def _cosines(left: NDArray[np.floating], right: NDArray[np.floating]) -> NDArray[np.float64]:
    """Of each row with the other's, (n,); 0 where a vector is zeros."""
    a, b = np.asarray(left, np.float64), np.asarray(right, np.float64)
    lengths = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    cosines: NDArray[np.float64] = (a * b).sum(axis=1) / np.where(lengths > 0, lengths, 1)
    return cosines


def spearman(x: ArrayLike, y: ArrayLike) -> float:
    """Spearman's rank correlation, equal values sharing their mean rank; NaN for a constant.

    >>> round(spearman([1, 2, 3, 4], [10, 30, 20, 40]), 3)
    0.8
    """
    a, b = _ranks(x), _ranks(y)
    a, b = a - a.mean(), b - b.mean()
    spread = math.sqrt(float(a @ a) * float(b @ b))
    return float(a @ b) / spread if spread else math.nan


def _ranks(values: ArrayLike) -> NDArray[np.float64]:
    """Ranks from 1, (n,); equal values get the mean of theirs."""
    _, places, counts = np.unique(np.asarray(values), return_inverse=True, return_counts=True)
    ranks: NDArray[np.float64] = np.cumsum(counts) - (counts - 1) / 2
    return ranks[places]
