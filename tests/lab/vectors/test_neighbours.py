"""Nearest words against the slow, obvious search; finding words; the table of the paper."""

import json

import numpy as np
import pytest

from senna.errors import SennaError
from senna.formats.vectors import Vectors
from senna.lab.vectors import neighbours
from senna.lab.vectors.neighbours import aligned, as_json, as_table, find_rows, nearest, row_of

# On a circle, so that who is near to whom is plain to see.
WORDS = ["north", "east", "south", "west", "north-east", "far"]
TABLE = np.array([[0, 1], [1, 0], [0, -1], [-1, 0], [1, 1], [9, 9]], np.float32)
COMPASS = Vectors(WORDS, TABLE)


def slow(vectors: Vectors, row: int, n: int, by: str) -> list[int]:
    """All rows sorted by their float64 cosine or distance."""
    table = np.asarray(vectors.table, np.float64)
    away = []
    for other in range(len(table)):
        a, b = table[row], table[other]
        if by == "euclidean":
            away.append(np.sqrt(((a - b) ** 2).sum()))
        else:
            away.append(-(a @ b) / ((np.sqrt(a @ a) * np.sqrt(b @ b)) or 1.0))
    order = sorted(range(len(table)), key=lambda i: (round(away[i], 5), i))
    return [i for i in order if i != row][:n]


@pytest.mark.parametrize("numbers", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("by", ["cosine", "euclidean"])
@pytest.mark.parametrize("block", [1, 7, 4096])
def test_as_the_slow_search(numbers, by, block, monkeypatch):
    monkeypatch.setattr(neighbours, "BLOCK", block)
    # Whole numbers: many exact ties.
    table = np.random.default_rng(3).integers(-2, 3, (60, 3)).astype(numbers)
    vectors = Vectors([f"w{i}" for i in range(60)], table)
    letters = [f"w{i}" for i in range(0, 60, 7)]
    rows = [[int(w[1:]) for w in item.words] for item in nearest_by_name(vectors, letters, by)]
    assert rows == [slow(vectors, i, 12, by) for i in range(0, 60, 7)]


def nearest_by_name(vectors: Vectors, words: list[str], by: str) -> list[neighbours.Neighbours]:
    # Cosines of whole numbers tie only up to rounding: compare what is the same to 5 digits.
    results = nearest(vectors, words, len(vectors.words), by)
    sorted_ = []
    for item in results:
        pairs = zip(item.words, item.values, strict=True)
        sign = -1 if by == "cosine" else 1
        order = sorted(pairs, key=lambda pair: (round(sign * pair[1], 5), int(pair[0][1:])))
        sorted_.append(item._replace(words=[word for word, _ in order][:12]))
    return sorted_


@pytest.mark.parametrize("by", ["cosine", "euclidean"])
def test_equal_rows_stand_in_the_order_of_the_table(by, monkeypatch):
    monkeypatch.setattr(neighbours, "BLOCK", 8)
    row = np.random.default_rng(1).normal(size=51).astype(np.float32)
    vectors = Vectors([f"w{i}" for i in range(50)], np.tile(row, (50, 1)))
    [result] = nearest(vectors, ["w7"], 20, by)
    assert result.words == [f"w{i}" for i in range(21) if i != 7]
    assert len(set(result.values)) == 1


def test_zeros_and_fewer_words_than_asked_for():
    vectors = Vectors(["zero", "a", "b"], np.array([[0, 0], [1, 0], [-1, 0]], np.float16))
    [zero, a] = nearest(vectors, ["zero", "a"], 10)
    assert (zero.words, zero.values) == (["a", "b"], [0, 0])
    assert (a.words, a.values) == (["zero", "b"], [0, -1])
    assert not any(str(value).startswith("-0") for value in zero.values)
    assert nearest(Vectors(["a"], np.ones((1, 2))), ["a"]) == [neighbours.Neighbours(0, [], [])]


def test_words_are_found_as_given_then_in_lower_case_then_normalised():
    rows = {"Paris": 0, "paris": 1, "ps0": 2, "1990": 3, "0": 4, '"': 5, "(": 6}
    asked = ["Paris", "PARIS", "PS12", "1990", "1991", "``", "-LRB-", "nowhere"]
    assert [row_of(rows, word) for word in asked] == [0, 1, 2, 3, 4, 5, 6, None]


def test_unknown_words_are_all_named_with_what_is_spelt_alike():
    words = ["france", "francs", "gigabytes", "xbox"]
    vectors = Vectors(words, np.ones((4, 2)))
    with pytest.raises(SennaError) as caught:
        find_rows(vectors, ["Frnace", "xbox", "zzz", "Frnace"], "base")
    assert str(caught.value).startswith(
        "base: no vector for 'Frnace', 'zzz'. Similar spellings: Frnace:"
    )
    assert "france" in str(caught.value)
    with pytest.raises(SennaError, match="There are no similar spellings"):
        find_rows(vectors, ["zzz"])
    with pytest.raises(SennaError, match=r"'q9' and 5 more"):
        find_rows(vectors, [f"q{i}" for i in range(15)])
    with pytest.raises(SennaError, match="no vector for ''"):
        find_rows(vectors, [""])


def test_a_table_as_in_the_paper():
    neighbours = nearest(COMPASS, ["North", "west"], 2)
    rows = as_table(COMPASS, neighbours, values=False)
    assert rows == [["north", "west"], ["1", "4"], ["north-east", "north"], ["far", "south"]]
    assert aligned(rows) == [
        "north       west",
        "1           4",
        "north-east  north",
        "far         south",
    ]
    assert as_table(COMPASS, neighbours, values=True)[1:3] == [
        ["1", "", "4", ""],
        ["north-east", "0.707", "north", "0.000"],
    ]


def test_json_of_a_word():
    [item] = nearest(COMPASS, ["south"], 1, "euclidean")
    assert json.loads(as_json(COMPASS, item, "euclidean")) == {
        "word": "south",
        "rank": 3,
        "neighbours": [{"word": "east", "euclidean": 1.414214}],
    }
