"""How a sentence may be pooled next to the mean and the maxima: see `senna.kinds.labels.head`."""

from __future__ import annotations

import numpy as np

from senna.inference.exact import Floats
from senna.inference.workspace import Ints


def _last(x: Floats, starts: Ints, lengths: Ints) -> Floats:
    states: Floats = x[starts + lengths - 1]
    return states


def _ends(x: Floats, starts: Ints, lengths: Ints) -> Floats:
    """The states with which two directions end, each half of the units."""
    half = x.shape[1] // 2
    states: Floats = np.concatenate([x[starts + lengths - 1, :half], x[starts, half:]], axis=1)
    return states


def _k_max(x: Floats, starts: Ints, lengths: Ints, k: int) -> Floats:
    """The k largest numbers in the order of the words, of equal ones the first; then zeros."""
    pooled = np.zeros((len(starts), k, x.shape[1]), np.float32)
    for row, (start, n) in enumerate(zip(starts.tolist(), lengths.tolist(), strict=True)):
        part = x[start : start + n]
        places = np.sort(np.argsort(-part, axis=0, kind="stable")[:k], axis=0)
        pooled[row, : len(places)] = np.take_along_axis(part, places, 0)
    return pooled.reshape(len(starts), -1)


def _regions(x: Floats, starts: Ints, lengths: Ints, k: int) -> Floats:
    """The largest numbers in each of k regions of the words, of an empty one zeros."""
    pooled = np.zeros((len(starts), k, x.shape[1]), np.float32)
    for row, (start, n) in enumerate(zip(starts.tolist(), lengths.tolist(), strict=True)):
        for region in range(k):
            part = x[start + region * n // k : start + (region + 1) * n // k]
            if len(part):
                part.max(axis=0, out=pooled[row, region])
    return pooled.reshape(len(starts), -1)


POOLING = {"last": _last, "ends": _ends, "k-max": _k_max, "k-regions": _regions}
