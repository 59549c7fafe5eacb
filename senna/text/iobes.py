"""Which tag may follow which, where phrases are written in IOBES."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

PLAIN_TASKS = ("pos", "predicates")  # one tag a word; the other tasks tag phrases
FORBIDDEN = -1e4  # score of what IOBES rules out; exp() of it is 0 in float32


def forbidden(tags: Sequence[str]) -> NDArray[np.bool_]:
    """What no valid IOBES path does, (n_tags + 2, n_tags).

    Row 0: tags that cannot begin a sentence; row 1 + i: tags that cannot follow tag i; the last
    row: tags that cannot end a sentence.
    """
    opens = np.array([tag[:2] in ("B-", "I-") for tag in tags])  # the phrase goes on after it
    inside = np.array([tag[:2] in ("I-", "E-") for tag in tags])  # the phrase began before it
    kinds = np.array([tag[2:] for tag in tags])
    # After an open phrase the same phrase goes on; else another, or none, begins.
    same = inside[None, :] & (kinds[:, None] == kinds[None, :])
    allowed = np.where(opens[:, None], same, ~inside[None, :])
    return np.concatenate([inside[None, :], ~allowed, opens[None, :]])
