"""Figures of calibration by hand."""

import measure_confidence as script
import pytest


def test_the_error_is_the_mean_distance_over_what_is_found():
    items = [(0.9, True), (0.9, False), (0.1, False), (0.1, False), (1.0, True)]
    figures = script.figures(items)
    # Bins 0.9 (two items, half of them right), 0.1 (none of two) and 1.0, which is in the last.
    assert figures.error == pytest.approx((abs(1.8 - 1) + 0.2 + 0.0) / 5)
    assert (figures.n, figures.right, figures.mean) == (5, 0.4, pytest.approx(0.6))
    assert [*map(len, script.binned([*items, (0.96, False)]))] == [2, 2, 2]


def test_true_probabilities_have_a_small_error_by_chance():
    few = script.by_chance([(0.5, True)] * 100)
    many = script.by_chance([(0.5, True)] * 10_000)
    assert 0 < many < 0.01 < few < 0.1


def test_coverage():
    table = script.coverage_table([(0.6, False), (0.995, True), (0.4, False), (0.8, True)])
    assert "| 0.00 | 100.0 % | 50.00 % |" in table
    assert "| 0.70 | 50.0 % | 100.00 % |" in table
