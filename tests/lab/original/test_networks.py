"""The maximum over a sentence, against the slow way."""

import numpy as np
import pytest

from senna.lab.original.networks import farthest


@pytest.mark.parametrize("n", [1, 2, 3, 7, 20])
@pytest.mark.parametrize("n_distances", [1, 2, 4, 5, 9])
def test_the_maximum_with_what_each_distance_adds(n, n_distances):
    random = np.random.default_rng(n)
    x = random.normal(size=(n, 3)).astype(np.float32)
    added = random.normal(size=(n_distances, 3)).astype(np.float32)
    middle = (n_distances - 1) // 2
    slow = [
        np.max([x[t] + added[np.clip(t - k + middle, 0, n_distances - 1)] for t in range(n)], 0)
        for k in range(n)
    ]
    assert np.array_equal(farthest(x, added), np.array(slow))
