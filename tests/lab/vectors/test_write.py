"""Every format of vectors written and read back, what it cannot hold, what is not overwritten."""

import bz2
import gzip
import lzma
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from senna.errors import SennaError
from senna.formats.vectors import Vectors, read_vectors
from senna.lab.vectors import write
from senna.lab.vectors.write import form_of, join, output_form, write_vectors
from tests.faults import no_space

NAMES = {"word2vec": "v.txt", "glove": "v.glove", "binary": "v.bin", "npz": "v.npz", "folder": "v"}
WORDS = ["the", "Zürich", "日本", "a\u00a0b", "0", "nan", "\r"]
TABLE = np.random.default_rng(5).normal(size=(7, 3)).astype(np.float32)
VECTORS = Vectors(WORDS, TABLE)


def assert_same(actual: Vectors, expected: Vectors = VECTORS) -> None:
    assert actual.words == expected.words
    np.testing.assert_array_equal(actual.table, expected.table)


@pytest.mark.parametrize("form", NAMES)
@pytest.mark.parametrize("numbers", [np.float16, np.float32, np.float64])
def test_round_trip(tmp_path, form, numbers):
    path = tmp_path / NAMES[form]
    vectors = Vectors(WORDS, TABLE.astype(numbers))
    write_vectors(vectors, path)
    actual = read_vectors(path, exact=True)
    assert_same(actual, vectors)
    kept = numbers if form in ("npz", "folder") else np.float32
    assert actual.table.dtype == kept
    short = np.float16 if form in ("word2vec", "glove", "binary") else kept
    assert read_vectors(path).table.dtype == short
    assert os.listdir(tmp_path) == [path.name], "nothing temporary is left"


FLOATS = st.floats(width=32, allow_nan=False, allow_infinity=False)


@given(table=arrays(np.float32, st.tuples(st.integers(1, 4), st.integers(1, 4)), elements=FLOATS))
@pytest.mark.parametrize("form", ["word2vec", "glove", "binary"])
def test_every_float32_comes_back(tmp_path_factory, form, table):
    path = tmp_path_factory.getbasetemp() / f"exact-{NAMES[form]}"
    vectors = Vectors([f"w{i}" for i in range(len(table))], table)
    write_vectors(vectors, path, form, force=True)
    assert_same(read_vectors(path, exact=True), vectors)


ANY_WORDS = st.lists(st.text(max_size=6), min_size=1, max_size=5, unique=True)


@given(words=ANY_WORDS)
@pytest.mark.parametrize("form", NAMES)
def test_words_come_back_or_are_refused(tmp_path_factory, form, words):
    path = tmp_path_factory.getbasetemp() / f"words-{NAMES[form]}"
    vectors = Vectors(words, np.full((len(words), 2), 0.5, np.float32))
    try:
        write_vectors(vectors, path, form, force=True)
    except SennaError:
        return
    assert_same(read_vectors(path, exact=True), vectors)


@pytest.mark.parametrize(
    ("form", "word", "fault"),
    [
        ("word2vec", "New York", "'New York', holds a space: word2vec cannot have it"),
        ("binary", "New York", "holds a space"),
        ("glove", "windows 95", "before what would be read as a number"),
        ("word2vec", "", "holds nothing"),
        ("npz", "a\0", "holds a zero byte"),
        ("folder", "a\nb", "holds a line feed"),
        ("folder", "\ud800", "holds half a character"),
    ],
)
def test_words_that_a_format_cannot_hold(tmp_path, form, word, fault):
    path = tmp_path / NAMES[form]
    with pytest.raises(SennaError, match=fault) as caught:
        write_vectors(Vectors(["a", word], np.ones((2, 3), np.float32)), path)
    assert "word 2" in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_what_text_and_binary_look_like(tmp_path):
    vectors = Vectors(["a", "é"], np.array([[0.1, -2, 1e-7], [3, 0, 1e20]], np.float32))
    write_vectors(vectors, tmp_path / "v.vec")
    text = "a 0.1 -2.0 1e-07\né 3.0 0.0 1e+20\n"
    assert (tmp_path / "v.vec").read_bytes() == f"2 3\n{text}".encode()
    write_vectors(vectors, tmp_path / "v.glove")
    assert (tmp_path / "v.glove").read_bytes() == text.encode()
    write_vectors(vectors, tmp_path / "v.bin")
    rows = vectors.table.astype("<f4")
    expected = b"2 3\na " + rows[0].tobytes() + b"\n\xc3\xa9 " + rows[1].tobytes() + b"\n"
    assert (tmp_path / "v.bin").read_bytes() == expected
    write_vectors(vectors, tmp_path / "v")
    assert (tmp_path / "v" / "words.txt").read_bytes() == "a\né\n".encode()
    assert np.load(tmp_path / "v" / "vectors.npy").tolist() == vectors.table.tolist()


@pytest.mark.parametrize("name", ["v.txt", "v.vec", "v.glove"])
def test_compressed_text(tmp_path, name):
    write_vectors(VECTORS, tmp_path / name)
    for suffix, module in ((".gz", gzip), (".xz", lzma), (".bz2", bz2)):
        path = tmp_path / f"{name}{suffix}"
        write_vectors(VECTORS, path)
        assert module.decompress(path.read_bytes()) == (tmp_path / name).read_bytes()
        assert_same(read_vectors(path, exact=True))
        once = path.read_bytes()
        write_vectors(VECTORS, path, force=True)
        assert path.read_bytes() == once, "no time in it"


def test_a_table_of_several_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr(write, "BLOCK", 2)
    for name in NAMES.values():
        write_vectors(VECTORS, tmp_path / name)
        assert_same(read_vectors(tmp_path / name, exact=True))


@pytest.mark.parametrize("form", NAMES)
def test_the_first_vectors_only(tmp_path, form):
    path = tmp_path / NAMES[form]
    write_vectors(VECTORS, path)
    for limit in (1, 4, 7, 9):
        actual = read_vectors(path, exact=True, limit=limit)
        assert_same(actual, Vectors(WORDS[:limit], TABLE[:limit]))


def test_the_format_of_a_name():
    forms = {"word2vec": "a.txt a.vec.xz", "glove": "a.glove a.glove.gz", "binary": "a.bin"}
    forms |= {"npz": "a.npz", "folder": "runs/a"}
    for form, names in forms.items():
        assert {form_of(Path(name)) for name in names.split()} == {form}
    for name in "a.gz a.bin.gz a.npz.xz a.100d a.model a.txt.zip".split():
        with pytest.raises(SennaError, match="the suffix has no known format:"):
            form_of(Path(name))


def test_a_given_format_goes_before_the_name(tmp_path):
    write_vectors(VECTORS, tmp_path / "v.100d", "glove")
    assert_same(read_vectors(tmp_path / "v.100d", exact=True))
    with pytest.raises(SennaError, match="npz is not compressed"):
        output_form(tmp_path / "v.gz", "npz")


def test_nothing_is_overwritten_unasked(tmp_path):
    path = tmp_path / "v.txt"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(SennaError, match=r"already exists. force"):
        write_vectors(VECTORS, path)
    assert path.read_text(encoding="utf-8") == "mine"
    write_vectors(VECTORS, path, force=True)
    assert_same(read_vectors(path, exact=True))
    with pytest.raises(SennaError, match="a file of this name exists"):
        write_vectors(VECTORS, path, "folder", force=True)


def test_a_folder_is_replaced_only_if_it_holds_vectors_alone(tmp_path):
    path = tmp_path / "v"
    write_vectors(VECTORS, path)
    with pytest.raises(SennaError, match="already exists"):
        write_vectors(VECTORS, path)
    smaller = Vectors(WORDS[:2], TABLE[:2])
    write_vectors(smaller, path, force=True)
    assert_same(read_vectors(path), smaller)
    mapped = read_vectors(path)  # its own source: mapped, not in memory
    write_vectors(mapped, path, force=True)
    assert_same(read_vectors(path), smaller)
    (path / "notes.txt").write_text("precious", encoding="utf-8")
    with pytest.raises(SennaError, match="contains more than vectors"):
        write_vectors(VECTORS, path, force=True)
    with pytest.raises(SennaError, match="a folder of this name exists"):
        write_vectors(VECTORS, path, "npz", force=True)
    assert (path / "notes.txt").exists()


def test_places_that_cannot_be_written(tmp_path):
    with pytest.raises(SennaError, match="cannot write: No such file"):
        write_vectors(VECTORS, tmp_path / "none" / "v.txt")
    with pytest.raises(SennaError, match="not to standard output"):
        write_vectors(VECTORS, Path("-"))
    if Path("/dev/null").exists():
        with pytest.raises(SennaError, match="neither file nor folder"):
            write_vectors(VECTORS, Path("/dev/null"), "glove", force=True)


@pytest.mark.parametrize("form", NAMES)
def test_a_full_disk_leaves_what_was_there(tmp_path, form, monkeypatch):
    path = tmp_path / NAMES[form]
    write_vectors(VECTORS, path)

    monkeypatch.setattr(write, "_rows", no_space)
    monkeypatch.setattr(write.np, "save", no_space)
    monkeypatch.setattr(write.np, "savez", no_space)
    with pytest.raises(SennaError, match=f"{path.name}: cannot write: No space left on device"):
        write_vectors(Vectors(WORDS[:1], TABLE[:1]), path, force=True)
    monkeypatch.undo()
    assert_same(read_vectors(path, exact=True))
    assert os.listdir(tmp_path) == [path.name]


def test_numbers_too_large_for_float32(tmp_path):
    vectors = Vectors(["a"], np.array([[1e300]]))
    for form in ("word2vec", "glove", "binary"):
        with pytest.raises(SennaError, match="too large for float32"):
            write_vectors(vectors, tmp_path / NAMES[form])
    write_vectors(vectors, tmp_path / "v.npz")
    assert_same(read_vectors(tmp_path / "v.npz"), vectors)


LEFT = Vectors(["a", "b", "c"], np.array([[3, 4], [6, 8], [1, 1]], np.float16))
RIGHT = Vectors(["d", "b", "a"], np.array([[9], [0.5], [0.25]], np.float64))


def test_vectors_of_the_words_of_all_in_the_order_of_the_first():
    joined = join([LEFT, RIGHT], keep_scale=True)
    assert joined.words == ["a", "b"]
    assert joined.table.dtype == np.float32
    assert joined.table.tolist() == [[3, 4, 0.25], [6, 8, 0.5]]
    assert join([RIGHT, LEFT], keep_scale=True).words == ["b", "a"]
    table = join([LEFT, RIGHT]).table  # brought to the deviation of the first
    assert table[:, :2].tolist() == [[3, 4], [6, 8]]
    np.testing.assert_allclose(table[:, 2].std(), table[:, :2].std(), rtol=1e-6)
    np.testing.assert_allclose(table[1, 2] / table[0, 2], 2)
    with pytest.raises(SennaError, match="no word is known to all of the vectors"):
        join([LEFT, Vectors(["A"], np.ones((1, 2)))])
