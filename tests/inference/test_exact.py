"""Products of whole numbers: near the real ones, and the same bits everywhere."""

import numpy as np
import pytest

from senna.inference.exact import (
    BLOCK,
    FACTOR,
    LEVELS,
    LIMIT,
    Floats,
    Weights,
    gate,
    normalise,
    product,
    whole,
)
from tests.processes import ENVIRONMENT, python

SHAPES = [(1, 1), (7, 3), (37, 11), (775, 40)]


def normal(seed: int, *shape: int, deviation: float = 1.0) -> Floats:
    return np.random.default_rng(seed).normal(0, deviation, shape).astype(np.float32)


@pytest.mark.parametrize("n", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK])
def test_product(n):
    x, weights = normal(n, n, 37), normal(1, 37, 11)
    found = product(x, Weights.of(weights))
    expected = x.astype(float) @ weights.astype(float)
    assert found.shape == (n, 11)
    # A row is rounded to LEVELS steps of its largest number.
    steps = np.abs(x).max(axis=1, initial=0) / LEVELS
    bound = steps[:, None] * np.abs(weights).sum(axis=0) / 2 + 1e-3
    assert (np.abs(found - expected) <= bound).all()
    assert n == 0 or np.abs(found - expected).mean() < 0.02


@pytest.mark.parametrize(("n_in", "n_out"), SHAPES)
@pytest.mark.parametrize("alike", [False, True])
def test_no_sum_can_leave_the_whole_numbers(n_in, n_out, alike):
    """The worst activations for each column: all of them LEVELS, with the column's signs."""
    made = Weights.of(normal(n_in, n_in, n_out, deviation=0.2), alike=alike)
    assert np.array_equal(made.numbers, np.rint(made.numbers))
    mantissas = 256 * np.frexp(made.numbers)[0]
    assert np.array_equal(mantissas, np.rint(mantissas)), "of eight significant bits"
    sums = LEVELS * np.abs(made.numbers).astype(float).sum(axis=0)
    assert (sums <= LIMIT).all()
    assert sums.max() > 0.99 * LIMIT, "and they use the room that there is"


@pytest.mark.parametrize("n_in", range(80, 127))
def test_weights_that_are_all_rounded_up(n_in):
    made = Weights.of(np.ones((n_in, 1), np.float32))
    assert LEVELS * made.numbers.sum(dtype=float) <= LIMIT


def test_weights_of_nothing_but_zeros():
    made = Weights.of(np.zeros((4, 2), np.float32))
    assert not product(normal(1, 3, 4), made).any()
    assert np.isfinite(made.scale).all()


def test_whole_rows():
    x = np.array([[1, -2, 0.5], [0, 0, 0], [1e-30, 0, 0], [3e8, 1, -3e8]], np.float32)
    numbers, worth = whole(x)
    assert np.array_equal(numbers, np.rint(numbers))
    assert numbers[0].tolist() == [128, -255, 64]
    assert np.abs(numbers).max() <= LEVELS
    np.testing.assert_allclose(numbers * worth, x, atol=float(np.abs(x).max()) / LEVELS)


@pytest.mark.parametrize("units", [1, 2, 7, 200, 256])
def test_gate(units):
    x, value = normal(1, 50, units, deviation=3), normal(2, 50, units)
    expected = value * (1 + np.tanh(x))
    found = gate(value, x, np.empty((2, *x.shape), np.float32)) * FACTOR
    assert (np.abs(found - expected) <= 3e-4 * np.abs(value) + 1e-6).all()


@pytest.mark.parametrize("units", [1, 2, 3, 30, 200, 257])
@pytest.mark.parametrize(("mean", "deviation"), [(0, 1), (3, 2), (-200, 0.5), (0.1, 30)])
def test_normalise(units, mean, deviation):
    x = normal(units, 5, units, deviation=deviation) + np.float32(mean)
    wide = x.astype(float)
    spread = np.sqrt(wide.var(axis=1, keepdims=True) + 1e-5)
    expected = (wide - wide.mean(axis=1, keepdims=True)) / spread
    normalise(x, x)
    np.testing.assert_allclose(x, expected, atol=2e-3)


KERNELS = ("Haswell", "Zen", "SkylakeX", "Sandybridge", "Nehalem", "Prescott")
PROGRAM = """
import hashlib, numpy as np
from senna.lab.ensembles import fine_product
from senna.inference.exact import Weights, gate, normalise, product
random = np.random.default_rng(0)
seen = hashlib.sha256()
for n, m, k in ((300, 775, 256), (13, 256, 45), (129, 768, 512)):
    x = random.normal(0, 2, (n, m)).astype(np.float32)
    y = product(x, Weights.of(random.normal(0, 1, (m, k)).astype(np.float32)))
    seen.update(y.tobytes())
    seen.update(fine_product(x, Weights.of(random.normal(0, 1, (m, k)))).tobytes())
    normalise(y, y)
    seen.update(y.tobytes())
    seen.update(gate(y, x[:, :k] if m >= k else y, np.empty((2, n, k), np.float32)).tobytes())
print(seen.hexdigest())
"""


def test_the_same_bits_from_every_kernel_and_any_number_of_threads():
    """OpenBLAS takes another kernel where the processor cannot run the one that is asked for."""
    found = set()
    for kernel in KERNELS:
        threads = "1" if kernel == "Haswell" else "2"  # Zen has the same kernel
        env = ENVIRONMENT | {"OPENBLAS_CORETYPE": kernel, "OPENBLAS_NUM_THREADS": threads}
        made = python("-c", PROGRAM, env=env)
        if made.returncode == 0:  # a kernel may need what the processor lacks
            found.add(made.stdout)
    assert len(found) == 1
