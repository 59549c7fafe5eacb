"""The largest numbers of sentences, and of their regions."""

from functools import partial

import numpy as np
import pytest
import torch

from senna.kinds.labels.head import _pool
from senna.registry import TORCH_POOLING


@pytest.mark.parametrize(("name", "pooled"), [("max", [9, 8, 5]), ("2-max", [9, 6, 3, 7, 8, 5])])
def test_the_primers_example(name, pooled):
    """Goldberg 2015, section 9.2; in PyTorch beside a row that is no word's."""
    rows = [[1, 2, 3], [9, 6, 5], [2, 3, 1], [7, 8, 1], [3, 4, 1]]
    x = np.array(rows, np.float32)
    assert _pool(name)(x, np.array([0]), np.array([5])).tolist() == [pooled]
    padded = torch.tensor([[*rows, [99, 99, 99]]], dtype=torch.float32)
    of_twin = TORCH_POOLING.get(name) or partial(TORCH_POOLING["k-max"], k=2)
    assert of_twin(padded, torch.tensor([5])).tolist() == [pooled]


def test_several_largest_and_regions_of_short_sentences():
    x = np.array([[1, 5], [5, 5], [3, 2], [7, 7]], np.float32)
    starts, lengths = np.array([0, 3]), np.array([3, 1])
    assert _pool("2-max")(x, starts, lengths).tolist() == [[5, 5, 3, 5], [7, 7, 0, 0]]
    assert _pool("2-regions")(x, starts, lengths).tolist() == [[1, 5, 5, 5], [0, 0, 7, 7]]
    regions = _pool("3-regions")(x, starts, lengths).tolist()
    assert regions == [[1, 5, 5, 5, 3, 2], [0, 0, 0, 0, 7, 7]]
