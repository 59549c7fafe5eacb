"""A tree as a predicate sees it: the siblings of its path up to the root.

Arguments are nearly always among them (Xue and Palmer 2004, "Calibrating Features for Semantic Role
Labeling"): each is as large as it can be without holding the predicate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from senna.annotation.schemes import LINK, Phrase

BEGIN, INSIDE, END, SINGLE = range(4)
STEPS = 8  # farther up counts as seven


def view(
    place: int, constituents: Sequence[Phrase], rows: Mapping[str, int], n: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each of n words, its constituent next to the path, and where on the path this hangs.

    `constituents` come each before its parts; `rows` are those of labels, from 1. The first
    is 4 row + one of the four places in the constituent (row 0: a word by itself), the second
    `STEPS` row + steps, of the lowest constituent that holds both word and predicate (row 0: none)
    and its distance from the predicate in constituents.
    """
    beside = np.full(n, SINGLE)
    above = np.zeros(n, np.int64)  # of the constituents over the predicate, the lowest with a word
    way, covered = [0], 0
    for start, end, label in constituents:
        if start <= place < end:
            above[start:end] = len(way)
            way.append(rows.get(label.rpartition(LINK)[2], 0))
        elif start >= covered:
            covered, first = end, 4 * rows.get(label.partition(LINK)[0], 0)
            beside[start:end] = first + INSIDE
            beside[start], beside[end - 1] = first + BEGIN, first + END
            if end == start + 1:
                beside[start] = first + SINGLE
    steps = np.minimum(len(way) - 1 - above, STEPS - 1)
    return beside, np.array(way)[above] * STEPS + steps


def sizes(n_labels: int) -> tuple[int, int]:
    """How many numbers there are of each of the two kinds."""
    return 4 * (n_labels + 1), STEPS * (n_labels + 1)


def labels_of(constituents: Sequence[Phrase]) -> set[str]:
    """The single labels of constituents."""
    return {part for _, _, label in constituents for part in label.split(LINK)}
