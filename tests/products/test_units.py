"""Hidden units: each is its oracle, and has a twin in training."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from senna.products.exact import LEVELS, Weights
from senna.products.units import UNITS, units_of
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


@pytest.mark.parametrize("unit", sorted(UNITS))
def test_products_of_units(unit: str) -> None:
    """Whole numbers only where all values lie between -1 and 1."""
    random = np.random.default_rng(2)
    x = random.normal(0, 2, (40, 7)).astype(np.float32)
    matrix = random.normal(size=(7, 5)).astype(np.float32)
    expected = np.vectorize(oracles.UNITS[unit])(x.astype(np.float64))
    units = units_of(unit)
    units.apply(values := x * np.float32(units.scale))
    assert (units.scale == LEVELS) == bool(np.array_equal(values, np.rint(values)))
    weights = Weights.of(matrix, 1 / units.scale)
    product = units.product(values, weights)
    scale = np.abs(expected).max(axis=1, keepdims=True)
    assert (np.abs(product - expected @ matrix) <= 0.01 * scale * np.abs(matrix).sum()).all()
