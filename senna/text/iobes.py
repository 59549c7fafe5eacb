"""Which tag may follow which, where phrases are written in IOBES."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

FORBIDDEN = -1e4  # score of what IOBES rules out; exp() of it is 0 in float32


def all_tags(kinds: Iterable[str]) -> list[str]:
    """O, and the four tags of each kind of phrase."""
    return ["O", *(f"{prefix}-{kind}" for kind in kinds for prefix in "BIES")]


def forbidden(tags: Sequence[str]) -> NDArray[np.bool_]:
    """The transitions that no valid IOBES path has, (n_tags + 2, n_tags).

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


def moves(n_kinds: int) -> NDArray[np.int64]:
    """Which score a step from one tag to the next has, for tags O, B-x, I-x, E-x, S-x, B-y, ...

    Returns (n_tags, n_tags), n_tags = 1 + 4 n_kinds: places in the joined scores of `between`,
    (n_kinds + 1, n_kinds + 1), from the label a step leaves to the one it enters, O first; of
    `within`, (4, n_kinds), for B to I, B to E, I to I, I to E of one kind; and last the score of
    what IOBES rules out.
    """
    n = n_kinds + 1
    labels = np.concatenate([[0], np.repeat(np.arange(1, n), 4)])
    places = np.concatenate([[4], np.tile(np.arange(4), n_kinds)])  # B, I, E, S, and 4 for O
    from_closed, to_open = places >= 2, np.isin(places, (0, 3, 4))
    numbers = np.full((len(labels), len(labels)), n * n + 4 * n_kinds, np.int64)
    free = from_closed[:, None] & to_open
    numbers[free] = (labels[:, None] * n + labels)[free]
    same = labels[:, None] == labels
    for number, (left, right) in enumerate(((0, 1), (0, 2), (1, 1), (1, 2))):
        here = same & (places == left)[:, None] & (places == right)
        numbers[here] = (n * n + number * n_kinds + labels - 1)[here.nonzero()[1]]
    return numbers
