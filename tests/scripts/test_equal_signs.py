"""The tiny network of step units for teachers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

EXPERIMENTS = Path(__file__).parents[2] / "scripts" / "experiments"


@pytest.mark.parametrize("seed", range(1, 11))
@pytest.mark.parametrize("hidden", [20, 0])
def test_only_hidden_units_learn_equal_signs(
    hidden: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    from equal_signs import TARGETS, learn

    right = np.sign(learn(hidden=hidden, seed=seed)) == TARGETS
    assert right.all() == bool(hidden)
