"""Spearman's correlation against counting, lists of pairs, and known figures."""

import math
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from senna.errors import SennaError
from senna.formats.vectors import Vectors, read_vectors
from senna.lab.vectors.evaluation import read_pairs, score_pairs, spearman


def slow_spearman(x: list[float], y: list[float]) -> float:
    """Ranks by counting what is smaller and what is equal, then Pearson's formula."""

    def ranks(values: list[float]) -> list[float]:
        return [
            sum(other < value for other in values) + (values.count(value) + 1) / 2
            for value in values
        ]

    a, b, n = ranks(x), ranks(y), len(x)
    mean = (n + 1) / 2
    covariance = sum((p - mean) * (q - mean) for p, q in zip(a, b, strict=True))
    spread = sum((p - mean) ** 2 for p in a) * sum((q - mean) ** 2 for q in b)
    return covariance / math.sqrt(spread)


NUMBERS = st.lists(st.tuples(st.integers(0, 6), st.floats(-3, 3)), min_size=2, max_size=25)


@given(NUMBERS)
def test_as_by_counting(pairs):
    x, y = ([float(value) for value in column] for column in zip(*pairs, strict=True))
    assume(len(set(x)) > 1 and len(set(y)) > 1)
    assert spearman(x, y) == pytest.approx(slow_spearman(x, y), abs=1e-12)


def test_cases_known_by_hand():
    assert spearman([1, 2, 3], [10, 200, 3000]) == pytest.approx(1)
    assert spearman([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    assert spearman([1, 1, 2, 2], [1, 2, 1, 2]) == pytest.approx(0)
    assert math.isnan(spearman([1, 1, 1], [1, 2, 3]))
    assert math.isnan(spearman([1], [1]))


VECTORS = Vectors(
    ["sea", "ocean", "desk", "Paris", "nothing"],
    np.array([[1, 0], [1, 0.1], [0, 1], [1, 1], [0, 0]], np.float16),
)
ROWS = {word: row for row, word in enumerate(VECTORS.words)}


def test_only_known_pairs_count():
    pairs = [
        ("Sea", "ocean", 9),
        ("sea", "Paris", 5),
        ("sea", "desk", 1),
        ("sea", "nothing", 1),
        ("sea", "unknown", 8),
        ("paris", "sea", 5),  # the table has it only with a capital
    ]
    assert score_pairs(VECTORS, ROWS, pairs) == (5, 6, pytest.approx(1))


def test_a_list(tmp_path):
    path = tmp_path / "l.tsv"
    path.write_bytes(b"sea\tocean\t9.5\r\n\na b\tc\t-1\n")
    assert read_pairs(path) == [("sea", "ocean", 9.5), ("a b", "c", -1)]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("a\tb\n", "1: expected word"),
        ("a\tb\t1\na\tb\tx\n", "2: expected word"),
        ("a\tb\tnan\n", "1: expected word"),
        ("a\tb\t1\t2\n", "1: expected word"),
        ("a b 1\n", "1: expected word"),
        ("\n", " the file has no pairs"),
    ],
)
def test_damaged_lists(tmp_path, text, where):
    path = tmp_path / "l.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SennaError, match=rf"l\.tsv:{where}"):
        read_pairs(path)


DATA = Path(os.environ.get("SENNA_DATA") or "none") / "research"


@pytest.mark.skipif(not (DATA / "glove").is_dir(), reason="needs $SENNA_DATA/research/glove")
@pytest.mark.parametrize(
    ("name", "known", "all_", "correlation"),
    [
        ("wordsim353", 269, 353, 0.527),
        ("wordsim353-sim", 149, 203, 0.655),
        ("wordsim353-rel", 201, 252, 0.438),
        ("simlex999", 690, 999, 0.277),
        ("rg65", 20, 65, 0.830),
        ("mc30", 13, 30, 0.764),
        ("men3000", 1484, 3000, 0.700),
        ("mturk771", 534, 771, 0.563),
    ],
)
def test_known_figures(name, known, all_, correlation):
    vectors = read_vectors(DATA / "glove")
    rows = {word: row for row, word in enumerate(vectors.words)}
    similarity = score_pairs(vectors, rows, read_pairs(DATA / "wordsim" / f"{name}.tsv"))
    assert similarity == (known, all_, pytest.approx(correlation, abs=5e-4))
