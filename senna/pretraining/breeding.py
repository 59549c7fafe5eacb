"""Settings that compete: the paper chose its hyper-parameters by "breeding" (section 4.3)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from senna.pretraining.config import Pretraining

# The weights go on from one dictionary to the next, so nothing that shapes them is bred.
BRED = ("learning_rate", "network_rate", "negatives", "sample")
SPREAD = 0.7  # deviation of the logarithm of a setting around its parent's


def perturbed(parent: Pretraining, stage: int, candidate: int) -> Pretraining:
    """The parent's settings, changed at random; the same for the same seed and numbers."""
    random = np.random.default_rng([parent.seed, stage, candidate])
    changed: dict[str, Any] = {"seed": parent.seed + candidate}
    for name in BRED:
        before = getattr(parent, name)
        value = before * float(np.exp(random.normal(0, SPREAD)))
        changed[name] = max(round(value), 1) if isinstance(before, int) else value
    return replace(parent, **changed)
