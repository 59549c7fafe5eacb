"""senna neighbors and senna vectors: convert, join, similarity, analogies, cluster, map."""

from pathlib import Path

import numpy as np
import pytest

from senna.formats.vectors import read_vectors
from senna.model import folder as model_folder
from senna.model.writing import quantise, write_model
from tests.processes import python

TEXT = "north 0 1\neast 1 0\nsouth 0 -1\nwest -1 0\nnorth-east 1 1\nps0 5 4\n"


@pytest.fixture
def vectors(tmp_path) -> Path:
    """Words of a compass, as GloVe text."""
    path = tmp_path / "compass.glove"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_neighbours_as_a_table(senna, vectors):
    done = senna("neighbors", "North", "PS12", "--vectors", vectors, "-n", 2)
    assert (done.code, done.err) == (0, "")
    rows = done.out.decode().splitlines()
    assert [row.split() for row in rows[:3]] == [["north", "ps0"], ["1", "6"], ["north-east"] * 2]
    done = senna("neighbors", "south", "--vectors", vectors, "--by", "euclidean", "--distances")
    rows = done.out.decode().splitlines()
    assert rows[:4] == ["south", "3", "east        1.414", "west        1.414"]


def test_neighbours_in_the_package_s_table(senna, tmp_path, monkeypatch):
    table = np.array([[0, 0], [0, 0], [1, 0], [1, 0.1], [0, 1]], np.float32)
    words = {"words.txt": ["a", "b", "c"]}
    write_model(tmp_path / "base", {"tasks": []}, quantise(table, "int8"), words)
    monkeypatch.setattr(model_folder, "MODELS", tmp_path)
    assert senna("neighbors", "a").out == b"a\n1\nb\nc\n"
    assert senna("neighbors", "a", "--vectors", tmp_path / "base").out == b"a\n1\nb\nc\n"
    (tmp_path / "here" / "base").mkdir(parents=True)  # a folder of that name changes nothing
    monkeypatch.chdir(tmp_path / "here")
    assert senna("neighbors", "a").out == b"a\n1\nb\nc\n"
    assert senna("neighbors", "a", "--vectors", "./base").error.startswith("base: expected one")


def test_neighbours_in_the_real_table_need_no_torch():
    code = "import sys; sys.argv[0] = 'senna'; from senna.cli.main import main\ntry: main()\n"
    code += "finally: assert 'torch' not in sys.modules"
    done = python("-c", code, "neighbors", "france", "jesus", check=True)
    lines = done.stdout.decode().splitlines()
    assert len(lines) == 12
    assert lines[0].split() == ["france", "jesus"]


def test_converts_round(senna, vectors, tmp_path):
    source = vectors
    for name in ("a.npz", "b.vec.gz", "c.bin", "d", "e.txt", "f.glove"):
        done = senna("vectors", "convert", source, tmp_path / name)
        assert (done.code, done.err) == (0, "")
        assert done.out.decode() == f"{tmp_path / name}: 6 words of 2 numbers\n"
        source = tmp_path / name
    found, expected = read_vectors(source), read_vectors(vectors)
    assert found.words == expected.words
    np.testing.assert_array_equal(found.table, expected.table)


def test_joins(senna, vectors, tmp_path):
    other = tmp_path / "other.txt"
    other.write_text("west 8\nnorth 4\nup 1\n", encoding="utf-8")
    out = tmp_path / "both.glove"
    done = senna("vectors", "join", vectors, other, out)
    assert done.out.decode() == f"{out}: 2 words of 3 numbers\n"
    assert done.err.splitlines() == [
        f"senna: {vectors}: 4 of 6 words dropped, 33.3 % are in all files",
        f"senna: {other}: 1 of 3 words dropped, 66.7 % are in all files",
    ]
    assert out.read_text(encoding="utf-8").splitlines()[1].startswith("west -1.0 0.0 2.828")
    senna("vectors", "join", vectors, other, out, "--keep-scale", "--force")
    assert out.read_text(encoding="utf-8") == "north 0.0 1.0 4.0\nwest -1.0 0.0 8.0\n"


def test_similarity(senna, vectors, tmp_path):
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("North\tSOUTH\t1\nnorth\tnorth-east\t8\nnorth\tup\t3\n", encoding="utf-8")
    few = tmp_path / "few.v2.tsv"
    few.write_text("a\tb\t1\n", encoding="utf-8")
    done = senna("vectors", "similarity", vectors, pairs, few)
    assert done.out.decode().splitlines() == [
        "list    known  all  Spearman",
        "pairs   2      3    1.000",
        "few.v2  0      1    -",
    ]
    few.write_text("a b 1\n", encoding="utf-8")
    assert senna("vectors", "similarity", vectors, few).error.startswith(f"{few}:1: expected")


def test_analogies(senna, vectors, tmp_path):
    path = tmp_path / "questions.txt"
    path.write_text(
        ": compass\nNorth East north-east south\nnorth east south west\n: up\nup down a b\n",
        encoding="utf-8",
    )
    done = senna("vectors", "analogies", vectors, path)
    assert done.out.decode().splitlines() == [
        "section  right  known  all  accuracy",
        "compass  0      2      2    0.00",
        "up       0      0      1    -",
        "all      0      2      3    0.00",
    ]
    done = senna("vectors", "analogies", vectors, path, "--size", 4)
    assert done.out.decode().splitlines()[1].split() == ["compass", "1", "1", "2", "100.00"]
    path.write_text("north east south\n", encoding="utf-8")
    error = senna("vectors", "analogies", vectors, path).error
    assert error == f"{path}:1: 3 words, expected four, or a section, for example ': name'"
    assert senna("vectors", "analogies", "none", tmp_path / "x").error.startswith(str(tmp_path))


def test_cluster(senna, tmp_path):
    text, out, ids = tmp_path / "text.txt", tmp_path / "paths.txt", tmp_path / "ids"
    text.write_text("a b c\nA d c\n" * 9 + "a rare c\n", encoding="utf-8")
    arguments = ("vectors", "cluster", text, "--input", "tokens", "--clusters", 3, "--jobs", 1)
    done = senna(*arguments, "--size", 4, "-o", out)
    assert (done.code, done.out) == (0, b"")
    assert f"{out}: 4 words in 3 clusters" in done.err.splitlines()
    lines = [line.split("\t") for line in out.read_text(encoding="utf-8").splitlines()]
    paths = {word: path for path, word, _ in lines}
    assert {(word, count) for _, word, count in lines} == {
        ("a", "19"), ("c", "19"), ("b", "9"), ("d", "9"),
    }  # fmt: skip
    assert paths["b"] == paths["d"] and len(set(paths.values())) == 3
    assert senna(*arguments, "-o", out).error == f"{out}: already exists. --force replaces it."
    assert senna(*arguments, "-o", out, "--cased", "--ids", ids, "--force").code == 0
    assert "\tA\t9\n" in out.read_text(encoding="utf-8")
    other = ("vectors", "cluster", "--ids", ids, "-o")
    assert senna(*other, tmp_path / "again", "--clusters", 3).code == 0
    assert (tmp_path / "again").read_bytes() == out.read_bytes()
    assert senna("vectors", "cluster", "-o", tmp_path / "x").error == "TEXT: no text is given"
    assert senna(*arguments).error == "--out: no output file is given. Give its name."
    assert senna(*arguments, "-o", "-").error == "--out: no output file is given. Give its name."
    assert senna(*other, tmp_path / "x", "--clusters", 1).code == 2


def test_map(senna, vectors, tmp_path):
    pytest.importorskip("matplotlib")
    listed = tmp_path / "words.txt"
    listed.write_text("south\n\nwest\n", encoding="utf-8")
    out = tmp_path / "map.svg"
    done = senna("vectors", "map", vectors, "north", "--words", listed, "--out", out)
    assert (done.code, done.out, done.err) == (0, b"", "")
    assert all(word in out.read_bytes() for word in (b"north", b"south", b"west"))
