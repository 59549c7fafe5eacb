"""Hidden units: each is its oracle, and has a twin in training."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from senna.products.units import UNITS
from senna.training.layers.units import UNITS as TRAINING_UNITS
from tests import oracles


@pytest.mark.parametrize("unit", sorted(UNITS))
def test_units_are_their_oracles_and_their_twins(unit: str) -> None:
    x = np.random.default_rng(1).normal(0, 2, (40, 7)).astype(np.float32)
    expected = np.vectorize(oracles.UNITS[unit])(x.astype(np.float64))
    y = x.copy()
    UNITS[unit](y)
    np.testing.assert_allclose(y, expected, rtol=1e-6, atol=3e-4)
    by_torch = TRAINING_UNITS[unit].function(torch.from_numpy(x))
    np.testing.assert_allclose(by_torch.numpy(), expected, rtol=1e-5, atol=1e-6)
    assert set(UNITS) == set(TRAINING_UNITS)
