"""Analogies against a search word by word, and Spearman's correlation against counting."""

import math
import os
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from senna.errors import SennaError
from senna.formats.vectors import Vectors, read_vectors
from senna.lab.vectors import evaluation
from senna.lab.vectors.evaluation import (
    Answers,
    answer,
    nearest_to,
    read_pairs,
    read_questions,
    score_pairs,
    spearman,
)


def cosine(a: list[float], b: list[float]) -> float:
    lengths = sqrt(sum(x * x for x in a) * sum(y * y for y in b))
    return sum(x * y for x, y in zip(a, b, strict=True)) / lengths if lengths else 0.0


def slow_answer(table: list[list[float]], a: int, b: int, c: int) -> int:
    """3CosAdd, a word at a time."""

    def score(row: int) -> float:
        cosines = [cosine(table[row], table[word]) for word in (a, b, c)]
        return cosines[1] - cosines[0] + cosines[2]

    return max((row for row in range(len(table)) if row not in (a, b, c)), key=score)


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_every_answer_is_that_of_a_search(monkeypatch, dtype):
    random = np.random.default_rng(1)
    table = random.normal(size=(40, 5)).astype(dtype)
    table[7] = 0
    vectors = Vectors([f"w{i}" for i in range(40)], table)
    questions = random.integers(0, 40, (60, 3))
    expected = [slow_answer(table.tolist(), *question) for question in questions.tolist()]
    assert nearest_to(vectors, questions).tolist() == expected
    monkeypatch.setattr(evaluation, "BLOCK", 7)
    monkeypatch.setattr(evaluation, "QUESTIONS", 11)
    assert nearest_to(vectors, questions).tolist() == expected
    assert len(set(expected)) > 10


QUESTIONS = """man woman king queen
: capitals of countries
Paris France Rome Italy
Paris France Oslo Norway

: grammar
king kings man men
"""
WORDS = {
    "man": (0, 1, 0), "woman": (1, 1, 0), "king": (0, 1, 5), "queen": (1, 1, 5),
    "paris": (3, 0, 0), "france": (3, 0, 1), "rome": (5, 2, 0), "italy": (5, 2, 2),
}  # fmt: skip


def test_sections(tmp_path):
    path = tmp_path / "questions.txt"
    path.write_text(QUESTIONS, encoding="utf-8")
    sections = read_questions(path)
    assert [*map(len, sections.values())] == [1, 2, 1]
    assert sections["capitals of countries"][1] == ("Paris", "France", "Oslo", "Norway")
    vectors = Vectors(list(WORDS), np.array(list(WORDS.values()), np.float32))
    assert answer(vectors, sections) == {
        "questions": Answers(1, 1, 1),
        "capitals of countries": Answers(1, 1, 2),
        "grammar": Answers(0, 0, 1),
    }
    assert [a.accuracy for a in (Answers(2, 3, 5), Answers(0, 0, 1))] == ["66.67", "-"]
    wrong = {"wrong": [("man", "woman", "king", "paris"), ("king", "queen", "man", "woman")]}
    assert answer(vectors, wrong) == {"wrong": Answers(1, 2, 2)}


EXPECTED = "words, expected four, or a section, for example ': name'"


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("a b c d\na b c\n", ":2", f"3 {EXPECTED}"),
        (": x\na b c d e\n", ":2", f"5 {EXPECTED}"),
        (":\n", ":1", f"1 {EXPECTED}"),
        (": x\n\n", "", "the file has no questions"),
        ("", "", "the file has no questions"),
    ],
)
def test_bad_files(tmp_path, text, where, what):
    path = tmp_path / "questions.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SennaError) as error:
        read_questions(path)
    assert (error.value.where, error.value.what) == (f"{path}{where}", what)


# --------------------------------------------------------------------------- similarity


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


def test_what_does_not_vary_has_no_correlation():
    assert math.isnan(spearman([1, 1, 1], [1, 2, 3]))
    assert math.isnan(spearman([1], [1]))


OF_PAIRS = Vectors(
    ["sea", "ocean", "desk", "Paris", "nothing"],
    np.array([[1, 0], [1, 0.1], [0, 1], [1, 1], [0, 0]], np.float16),
)
ROWS = {word: row for row, word in enumerate(OF_PAIRS.words)}


def test_only_known_pairs_count():
    pairs = [("Sea", "ocean", 9), ("sea", "Paris", 5), ("sea", "desk", 1), ("sea", "nothing", 1)]
    pairs += [("sea", "unknown", 8), ("paris", "sea", 5)]  # the table has Paris with a capital only
    assert score_pairs(OF_PAIRS, ROWS, pairs) == (5, 6, pytest.approx(1))


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
