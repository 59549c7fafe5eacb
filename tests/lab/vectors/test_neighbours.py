"""Nearest words against the slow, obvious search; finding words; tables and maps of words."""

import json
import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from senna.errors import SennaError
from senna.formats.vectors import Vectors
from senna.lab.vectors import METHODS, neighbours
from senna.lab.vectors.neighbours import (
    aligned,
    as_json,
    as_table,
    find_rows,
    label_shifts,
    nearest,
    principal_components,
    row_of,
    tsne,
    write_map,
)

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


# --------------------------------------------------------------------------- maps

# Two heaps of words, far apart.
HEAPS = np.concatenate(
    [np.random.default_rng(2).normal(size=(12, 8)) + 9 * side for side in (0, 1)]
)
VECTORS = Vectors([f"w{i}" for i in range(24)], HEAPS.astype(np.float32))


def test_principal_components_keep_the_distances_of_a_plane():
    plane = np.random.default_rng(0).normal(size=(9, 2))
    turned = plane @ np.linalg.qr(np.random.default_rng(1).normal(size=(6, 6)))[0][:2]
    points = principal_components(turned.astype(np.float32) + 5)
    for i in range(9):
        before = np.linalg.norm(plane - plane[i], axis=1)
        np.testing.assert_allclose(np.linalg.norm(points - points[i], axis=1), before, atol=1e-5)
    assert points[:, 0].var() >= points[:, 1].var()
    np.testing.assert_allclose(points.mean(axis=0), 0, atol=1e-6)


@pytest.mark.parametrize("table", [np.eye(2), np.ones((3, 4)), np.arange(3.0)[:, None]])
def test_tables_of_less_than_two_dimensions(table):
    points = principal_components(table)
    assert points.shape == (len(table), 2)
    np.testing.assert_allclose(points[:, 1], 0, atol=1e-12)


def test_tsne_keeps_heaps_apart_and_is_the_same_twice():
    pytest.importorskip("sklearn")
    points = tsne(HEAPS)
    assert points.shape == (24, 2)
    np.testing.assert_array_equal(points, tsne(HEAPS))
    away = np.linalg.norm(points[:, None] - points, axis=2)
    same = np.arange(24)[:, None] // 12 == np.arange(24) // 12
    assert away[same].max() < away[~same].min()


class StandIn:
    """TSNE as scikit-learn has it, which gives back where it is told to begin."""

    def __init__(self, *, perplexity: float, init: np.ndarray, random_state: int) -> None:
        self.perplexity, self.init = perplexity, init

    def fit_transform(self, table: np.ndarray) -> np.ndarray:
        assert table.dtype == np.float32 and 0 < self.perplexity < len(table)
        return np.asarray(self.init / self.init[:, 0].std(), np.float32)


@pytest.mark.parametrize("n", [4, 5, 24])
def test_tsne_begins_with_the_principal_components(monkeypatch, n):
    monkeypatch.setitem(sys.modules, "sklearn", ModuleType("sklearn"))
    monkeypatch.setitem(sys.modules, "sklearn.manifold", SimpleNamespace(TSNE=StandIn))
    expected = principal_components(HEAPS[:n])
    np.testing.assert_allclose(tsne(HEAPS[:n]), expected / expected[:, 0].std(), rtol=1e-5)


@pytest.mark.parametrize(
    ("package", "method", "needed"),
    [("sklearn", "tsne", "t-SNE needs scikit-learn"), ("matplotlib", "pca", "needs matplotlib")],
)
def test_without_a_package(tmp_path, monkeypatch, package, method, needed):
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setitem(sys.modules, f"{package}.manifold", None)
    told = f"{needed}.*pip install matplotlib scikit-learn"
    with pytest.raises(SennaError, match=told):
        write_map(VECTORS, ["w1", "w2"], tmp_path / "m.svg", method=method)
    assert not list(tmp_path.iterdir())


def test_labels_do_not_cover_one_another():
    shifts = label_shifts(["word", "word", "word"], np.array([[0, 0], [0, 1], [500, 0.0]]))
    assert shifts[0] == shifts[2] != shifts[1]
    assert len(label_shifts(["x"] * 40, np.zeros((40, 2)))) == 40


@pytest.mark.parametrize("method", METHODS)
def test_a_drawing(tmp_path, method):
    pytest.importorskip("matplotlib")
    if method == "tsne":
        pytest.importorskip("sklearn")
    vectors = Vectors(["$a$", "日本", *VECTORS.words[2:]], VECTORS.table)
    points = write_map(vectors, ["$a$", "w3", "日本", "w20", "w3"], tmp_path / "m.svg", "pca")
    assert points.shape == (4, 2), "each word once"
    svg = (tmp_path / "m.svg").read_bytes()
    assert all(word in svg for word in (b"$a$", b"w3", "日本".encode(), b"w20"))
    write_map(vectors, ["$a$", "w3", "日本", "w20"], tmp_path / "m.svg", "pca")
    assert (tmp_path / "m.svg").read_bytes() == svg
    write_map(vectors, vectors.words, tmp_path / "m.PNG", method=method)
    assert (tmp_path / "m.PNG").read_bytes().startswith(b"\x89PNG")
    (tmp_path / "folder.svg").mkdir()
    with pytest.raises(SennaError, match="cannot write"):
        write_map(vectors, ["w3", "w4"], tmp_path / "folder.svg", "pca")
    assert {path.name for path in tmp_path.iterdir()} == {"m.svg", "m.PNG", "folder.svg"}


def test_what_is_no_map(tmp_path):
    with pytest.raises(SennaError, match="no vector for 'x'"):
        write_map(VECTORS, ["w1", "x"], tmp_path / "m.svg", "pca")
    with pytest.raises(SennaError, match="at least two words"):
        write_map(VECTORS, ["w1", "W1"], tmp_path / "m.svg", "pca")
    with pytest.raises(SennaError, match=r"an \.svg or a \.png"):
        write_map(VECTORS, ["w1", "w2"], tmp_path / "m.pdf", "pca")
