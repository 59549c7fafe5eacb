"""Vectors of several tables end to end."""

from __future__ import annotations

import numpy as np
import pytest

from senna.errors import SennaError
from senna.lab.vectors.join import join
from senna.vectors.read import Vectors

LEFT = Vectors(["a", "b", "c"], np.array([[3, 4], [6, 8], [1, 1]], np.float16))
RIGHT = Vectors(["d", "b", "a"], np.array([[9], [0.5], [0.25]], np.float64))


def test_the_words_of_all_in_the_order_of_the_first() -> None:
    joined = join([LEFT, RIGHT], keep_scale=True)
    assert joined.words == ["a", "b"]
    assert joined.table.dtype == np.float32
    assert joined.table.tolist() == [[3, 4, 0.25], [6, 8, 0.5]]
    assert join([RIGHT, LEFT], keep_scale=True).words == ["b", "a"]


def test_parts_are_brought_to_the_deviation_of_the_first() -> None:
    table = join([LEFT, RIGHT]).table
    assert table[:, :2].tolist() == [[3, 4], [6, 8]]
    np.testing.assert_allclose(table[:, 2].std(), table[:, :2].std(), rtol=1e-6)
    np.testing.assert_allclose(table[1, 2] / table[0, 2], 2)


def test_three_parts_and_one_of_zeros() -> None:
    zeros = Vectors(["a", "b"], np.zeros((2, 2), np.float32))
    table = join([zeros, RIGHT, LEFT]).table
    np.testing.assert_array_equal(table[:, :2], 0)
    np.testing.assert_allclose(table[:, 3:].std(), table[:, 2].std(), rtol=1e-6)


def test_no_word_in_common() -> None:
    with pytest.raises(SennaError, match="no word is known to all of the vectors"):
        join([LEFT, Vectors(["A"], np.ones((1, 2)))])
