"""Several tables of vectors made one: each word's vectors end to end."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from senna.errors import SennaError
from senna.text.vectors import Vectors


def join(parts: Sequence[Vectors], *, keep_scale: bool = False) -> Vectors:
    """The words known to all parts, in the order of the first, float32 (n, sum of sizes).

    Each part is multiplied so that the mean length of its vectors is the first's: else the
    largest would decide what is near to what. Raises SennaError when no word is known to all.
    """
    known = [{word: row for row, word in enumerate(part.words)} for part in parts]
    words = [word for word in parts[0].words if all(word in rows for rows in known[1:])]
    if not words:
        raise SennaError(
            "no word is known to all of the vectors",
            mend="Are they of one language, all in lower case or none?",
        )
    table = np.empty((len(words), sum(part.table.shape[1] for part in parts)), np.float32)
    start, wanted = 0, 0.0
    for part, rows in zip(parts, known, strict=True):
        end = start + part.table.shape[1]
        table[:, start:end] = part.table[[rows[word] for word in words]]
        length = _mean_length(table[:, start:end])
        wanted = wanted or length
        if not keep_scale and length:
            table[:, start:end] *= np.float32(wanted / length)
        start = end
    return Vectors(words, table)


def _mean_length(table: NDArray[np.float32]) -> float:
    return float(np.sqrt(np.einsum("ij,ij->i", table, table)).mean(dtype=np.float64))
