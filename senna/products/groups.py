"""Sequences that are computed together: of like lengths, so that they advance in step."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from senna.products.exact import Ints

WIDEST = 128  # sequences in a group: the sums of a step stay in the processor's cache
STEPS = 4_096  # steps of a group's sequences: memory stays flat


def batches(lengths: Ints, widest: int = WIDEST, steps: int = STEPS) -> Iterator[Ints]:
    """Numbers of sequences to compute together, none of them empty, their lengths falling."""
    order = np.argsort(-lengths, kind="stable")
    order = order[lengths[order] > 0]
    start = 0
    while start < len(order):
        n = min(widest, max(1, steps // int(lengths[order[start]])))
        yield order[start : start + n]
        start += n
