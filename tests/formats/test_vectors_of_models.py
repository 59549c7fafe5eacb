"""Vectors of the package, of model folders, of files."""

from pathlib import Path

import numpy as np
import pytest

from senna.errors import SennaError
from senna.formats.vectors import load_vectors, model_vectors
from senna.model.folder import read_model
from senna.model.writing import quantise, write_model

TABLE = np.random.default_rng(0).normal(size=(5, 4)).astype(np.float32)
WORDS = ["a", "b", "c"]


@pytest.fixture
def base(tmp_path) -> Path:
    """A base table of three words, one byte a number."""
    path = tmp_path / "base"
    write_model(path, {"tasks": []}, quantise(TABLE, "int8"), {"words.txt": WORDS})
    return path


def test_a_model_on_a_base_has_its_own_rows_and_the_base_s(tmp_path, base):
    digest = read_model(base).meta["files"]["words.npy"]["sha256"]
    changed = np.arange(16, dtype=np.float32).reshape(4, 4)
    arrays = {"words": changed, "words.rows": np.array([0, 1, 3, 5], np.int32)}
    use = {"base": "../base", "base_sha256": digest}
    write_model(tmp_path / "m", {"tasks": [], "use": use}, arrays, {"words.txt": ["own"]})
    words, table = model_vectors(tmp_path / "m")
    assert words == ["a", "b", "c", "own"]
    np.testing.assert_array_equal(table[[1, 3]], changed[2:])
    np.testing.assert_array_equal(table[[0, 2]], model_vectors(base).table[[0, 2]])


def test_by_name(tmp_path, base, monkeypatch):
    assert load_vectors(str(base), limit=2).words == ["a", "b"]
    assert load_vectors(str(base), limit=2).table.shape == (2, 4)
    (tmp_path / "v.txt").write_text("x 0.1\ny 2\n", encoding="utf-8")
    assert load_vectors(str(tmp_path / "v.txt")).table.dtype == np.float16
    read = load_vectors(str(tmp_path / "v.txt"), exact=True, limit=1)
    assert (read.words, read.table.tolist()) == (["x"], [[np.float32(0.1)]])
    with pytest.raises(SennaError, match="no such file or model"):
        load_vectors(str(tmp_path / "none"))
    monkeypatch.setattr("senna.model.folder.MODELS", tmp_path)
    assert load_vectors("base").words == WORDS
    (tmp_path / "here" / "base").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    assert load_vectors("base").words == WORDS  # the package's, whatever lies here
    for name in ("./base", Path("base")):
        with pytest.raises(SennaError, match=r"expected one words\.txt"):
            load_vectors(name)
