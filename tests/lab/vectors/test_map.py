"""Maps of words: the points by themselves, t-SNE and the drawing where their packages are."""

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from senna.errors import SennaError
from senna.formats.vectors import Vectors
from senna.lab.vectors import METHODS
from senna.lab.vectors.neighbours import label_shifts, principal_components, tsne, write_map

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


def test_without_scikit_learn(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    monkeypatch.setitem(sys.modules, "sklearn.manifold", None)
    with pytest.raises(SennaError, match=r"t-SNE needs scikit-learn.*pip install matplotlib sc"):
        write_map(VECTORS, ["w1", "w2"], tmp_path / "m.svg", method="tsne")
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


def test_without_matplotlib(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(SennaError, match=r"needs matplotlib.*pip install matplotlib scikit-learn"):
        write_map(VECTORS, ["w1", "w2"], tmp_path / "m.svg", "pca")


def test_what_is_no_map(tmp_path):
    with pytest.raises(SennaError, match="no vector for 'x'"):
        write_map(VECTORS, ["w1", "x"], tmp_path / "m.svg", "pca")
    with pytest.raises(SennaError, match="at least two words"):
        write_map(VECTORS, ["w1", "W1"], tmp_path / "m.svg", "pca")
    with pytest.raises(SennaError, match=r"an \.svg or a \.png"):
        write_map(VECTORS, ["w1", "w2"], tmp_path / "m.pdf", "pca")
