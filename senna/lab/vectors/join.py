"""Several tables of vectors joined: each word's vectors concatenated."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from senna.errors import SennaError
from senna.vectors.read import Vectors


def join(parts: Sequence[Vectors], *, keep_scale: bool = False) -> Vectors:
    """The words known to all parts, in the order of the first, float32 (n, sum of sizes).

    Each part is scaled to the standard deviation of the first: otherwise the part with the largest
    numbers would dominate distances. Raises SennaError when no word is known to all.
    """
    known = [{word: row for row, word in enumerate(part.words)} for part in parts]
    words = [word for word in parts[0].words if all(word in rows for rows in known[1:])]
    if not words:
        mend = "Check that the vectors are of one language and one case."
        raise SennaError("no word is known to all of the vectors", mend=mend)
    table = np.empty((len(words), sum(part.table.shape[1] for part in parts)), np.float32)
    start, wanted = 0, 0.0
    for part, rows in zip(parts, known, strict=True):
        end = start + part.table.shape[1]
        table[:, start:end] = part.table[[rows[word] for word in words]]
        deviation = float(table[:, start:end].std(dtype=np.float64))
        wanted = wanted or deviation
        if not keep_scale and deviation:
            table[:, start:end] *= np.float32(wanted / deviation)
        start = end
    return Vectors(words, table)
