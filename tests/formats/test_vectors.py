"""Word vectors of files in all formats, of models and of the package, whole and damaged."""

import gzip
import lzma
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import senna
from senna.errors import SennaError
from senna.formats.vectors import Vectors, WordVectors, load_vectors, model_vectors, read_vectors
from senna.model.folder import read_model
from senna.model.writing import quantise, write_model

WORDS = ["the", "Zürich", "日本", ". . .", "a\u00a0b"]
TABLE = np.array([[0.5, -1.25, 3], [0, 1e-3, -2], [7, 8, 9], [-1, 0, 1], [2, 2, 2]], np.float32)


def text_of(words: list[str], table: np.ndarray) -> str:
    rows = zip(words, table, strict=True)
    return "".join(f"{word} {' '.join(map(str, row))}\n" for word, row in rows)


def binary_of(words: list[str], table: np.ndarray, line_feeds: bool = True) -> bytes:
    content = f"{len(words)} {table.shape[1]}\n".encode()
    for word, row in zip(words, table, strict=True):
        content += word.encode() + b" " + struct.pack(f"<{len(row)}f", *row)
        content += b"\n" if line_feeds else b""
    return content


def assert_same(actual: Vectors, words: list[str] = WORDS, table: np.ndarray = TABLE) -> None:
    assert actual.words == words
    np.testing.assert_allclose(actual.table, table, rtol=1e-3)


@pytest.mark.parametrize("suffix", [".txt", ".vec", ".gz", ".xz", ""])
@pytest.mark.parametrize("heading", ["", "5 3\n"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", " \n"])
def test_text(tmp_path, suffix, heading, ending):
    path = tmp_path / f"vectors{suffix}"
    text = (heading + text_of(WORDS, TABLE)).replace("\n", ending)
    open_ = {".gz": gzip.open, ".xz": lzma.open}.get(suffix, open)
    with open_(path, "wb") as file:
        file.write(text.encode())
    assert_same(read_vectors(path))


@pytest.mark.parametrize(
    ("text", "words", "table"),
    [
        ("a 1 2\nb 3 4", ["a", "b"], [[1, 2], [3, 4]]),
        ("\ufeff2 2\na 1 2\nb 3 4\n", ["a", "b"], [[1, 2], [3, 4]]),
        ("\ufeffa 1 2\nb 3 4\n", ["a", "b"], [[1, 2], [3, 4]]),
        ("a 1 2\nb 3 4\na 5 6\n", ["a", "b"], [[1, 2], [3, 4]]),  # the first vector of a word
        ("1 2\n7 8\n", ["7"], [[8]]),  # a heading; then the word 7 of size 1
    ],
)
def test_text_as_people_have_it(as_file, text, words, table):
    path = as_file("v.txt", text)
    assert_same(read_vectors(path), words, np.array(table))


@pytest.mark.parametrize("line_feeds", [True, False])
def test_word2vec_binary(tmp_path, line_feeds):
    words = ["the", "Zürich", "日本"]
    path = tmp_path / "v.bin"
    path.write_bytes(binary_of(words, TABLE[:3], line_feeds))
    assert_same(read_vectors(path), words, TABLE[:3])


def test_npz(tmp_path):
    path = tmp_path / "v.npz"
    np.savez(path, words=np.array(WORDS), vectors=TABLE)
    assert_same(read_vectors(path))


@pytest.mark.parametrize("name", ["words.txt", "words.txt.xz"])
@pytest.mark.parametrize("numbers", [np.float16, np.float32, np.float64])
def test_folder(tmp_path, name, numbers):
    open_ = lzma.open if name.endswith("xz") else open
    with open_(tmp_path / name, "wb") as file:
        file.write("".join(word + "\n" for word in WORDS).encode())
    np.save(tmp_path / "table.npy", TABLE.astype(numbers))
    assert_same(read_vectors(tmp_path))


def test_a_table_of_more_than_one_block(as_file):
    n = 10_001
    path = as_file("v.txt", "".join(f"w{i} {i % 7} {i % 5}\n" for i in range(n)))
    actual = read_vectors(path)
    assert actual.words == [f"w{i}" for i in range(n)]
    assert actual.table.tolist() == [[i % 7, i % 5] for i in range(n)]
    assert actual.table.nbytes == 2 * 2 * n, "two bytes a number, so that all of GloVe fits"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file has no vectors"),
        ("5 3\n", "the file has no vectors"),
        ("\n", r"v\.txt:1: 0 numbers"),
        ("word\n", r"v\.txt:1: 0 numbers"),
        ("a 1 2\nb 1\n", r"v\.txt:2: 1 numbers, expected 2"),
        ("a 1 2\n\nb 1 2\n", r"v\.txt:2: 0 numbers, expected 2"),
        ("a 1 2\nb 1 2 3\n", r"v\.txt:2: 3 numbers, expected 2"),
        ("a 1 2\nb 1e-3 .5 -7 +4.\n", r"v\.txt:2: 4 numbers, expected 2"),
        ("2 3\na 1 2 3\nb 1 2\n", r"v\.txt:3: 2 numbers, expected 3"),
        ("a 1 2\nb x 2\n", r"v\.txt:2: not a vector"),
        ("a 1 2\nb 1 2 3x\n", r"v\.txt:2: not a vector"),
        ("a nan 2\n", r"v\.txt:1: a number is infinite or too large"),
        ("a 1 2\nb inf 2\n", r"v\.txt:2: a number is infinite or too large"),
        (
            "a 1 2\nb 1e9 2\n",
            r"v\.txt:2: a number is infinite or too large",
        ),  # too large for two bytes
    ],
)
def test_damaged_text(as_file, text, message):
    path = as_file("v.txt", text)
    with pytest.raises(SennaError, match=message):
        read_vectors(path)


def test_text_keeps_all_of_float32_where_asked_to(as_file):
    path = as_file("v.txt", "a 0.1 1e9\n")
    actual = read_vectors(path, exact=True)
    assert actual.table.dtype == np.float32
    assert actual.table.tolist() == [[np.float32(0.1), 1e9]]
    path.write_text("a 0.1 1e39\n", encoding="utf-8")
    with pytest.raises(SennaError, match=r"v\.txt:1: a number is infinite or too large"):
        read_vectors(path, exact=True)


WHOLE = binary_of(["a", "bc"], TABLE[:2])
NUMBERS = "".join(f"word{i} {'0.12345 ' * 10}\n" for i in range(50))
BINARY = r"binary, not text\..*\.bin"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("v.txt", WHOLE, BINARY),
        ("v.txt", bytes(100_000), BINARY),
        ("v.gz", gzip.compress(WHOLE, mtime=0), BINARY),
        ("v.txt", b"PK\x03\x04\x14\x00\x08\x00", r"is a \.zip file.*Decompress it first"),
        ("v.bin", f"50 10\n{NUMBERS}".encode(), "longer than its heading says"),
        ("v.txt", b"a 1 2\nb\xff 1 2\n", r"v\.txt:2: not valid UTF-8"),
        ("v.gz", gzip.compress(text_of(WORDS, TABLE).encode(), mtime=0)[:-12], "cannot be read"),
        ("v.txt", None, r"v\.txt: no such file or model"),
        ("v.bin", b"", "no word2vec heading"),
        ("v.bin", b"a b\n", "no word2vec heading"),
        ("v.bin", b"0 3\n", "the file has no vectors"),
        ("v.bin", b"-1 3\n", "shorter than its heading says"),
        ("v.bin", b"2 0\n", "shorter than its heading says"),
        ("v.bin", WHOLE.replace(b"2 3\n", b"9 3\n"), "shorter than its heading says"),
        ("v.bin", WHOLE[:-2], "ends within vector 2 of 2"),
        ("v.bin", WHOLE + b"bc", "longer than its heading says"),
        ("v.bin", b"1 3\n" + b"x" * 20_000, "not word2vec's binary format"),
        ("v.bin", binary_of(["a"], np.array([[1, np.nan]])), "infinite or too large"),
        ("v.bin", binary_of(["a"], np.array([[1, 1e9]])), "infinite or too large"),
    ],
)
def test_damaged_files_and_those_of_another_kind(tmp_path, name, content, message):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(SennaError, match=message):
        read_vectors(tmp_path / name)


def test_word2vec_binary_cut_off_anywhere(tmp_path):
    path = tmp_path / "v.bin"
    for n in range(len(WHOLE) - 1):  # the last line feed may be missing
        path.write_bytes(WHOLE[:n])
        with pytest.raises(SennaError):
            read_vectors(path)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"words": ["a"]}, "expected arrays 'words' and 'vectors'"),
        ({"words": ["a"], "vectors": [[1.0], [2.0]]}, "1 words but 2 vectors"),
        ({"words": ["a", "b"], "vectors": [1.0, 2.0]}, "expected a table"),
        ({"words": ["a"], "vectors": [["x"]]}, "expected a table"),
        ({"words": "a", "vectors": [[1.0]]}, "expected a list of words"),
        ({"words": [["a", "b"]], "vectors": [[1.0]]}, "expected a list of words"),
        ({"words": ["a\nb"], "vectors": [[1.0]]}, "a word contains a line feed"),
        ({"words": ["a"], "vectors": [[np.nan]]}, "infinite or too large"),
        ({"words": np.array(["a"], object), "vectors": [[1.0]]}, "allow_pickle"),
    ],
)
def test_damaged_npz(tmp_path, arrays, message):
    path = tmp_path / "v.npz"
    np.savez(path, **{name: np.asarray(value) for name, value in arrays.items()})
    with pytest.raises(SennaError, match=message):
        read_vectors(path)


@given(st.binary(max_size=40))
def test_npz_of_any_bytes(tmp_path_factory, content):
    path = tmp_path_factory.getbasetemp() / "any.npz"
    path.write_bytes(content)
    with pytest.raises(SennaError):
        read_vectors(path)


def test_damaged_folder(tmp_path):
    with pytest.raises(SennaError, match=r"expected one words\.txt and one \.npy"):
        read_vectors(tmp_path)
    (tmp_path / "words.txt").write_text("a\nb\n", encoding="utf-8")
    table = tmp_path / "table.npy"
    table.write_bytes(b"nothing like it")
    with pytest.raises(SennaError, match="not a NumPy array"):
        read_vectors(tmp_path)
    np.save(table, np.array([None, None]), allow_pickle=True)
    with pytest.raises(SennaError, match="not a NumPy array"):
        read_vectors(tmp_path)
    np.save(table, np.ones(2))
    with pytest.raises(SennaError, match="expected a table"):
        read_vectors(tmp_path)
    np.save(table, np.ones((2, 2), np.int32))
    with pytest.raises(SennaError, match="expected a table of floating point"):
        read_vectors(tmp_path)
    np.save(table, np.ones((3, 2)))
    with pytest.raises(SennaError, match="2 words but 3 vectors"):
        read_vectors(tmp_path)
    np.save(table, np.ones((2, 2)))
    table.write_bytes(table.read_bytes()[:-4])
    with pytest.raises(SennaError, match="not a NumPy array"):
        read_vectors(tmp_path)


SMALL = WordVectors(["a", "b", "0", "a", "c"], np.array([[3, 4], [6, 8], [0, 0], [9, 9], [4, -3]]))


def test_words_are_found_as_written_and_normalised():
    assert [len(SMALL), "A" in SMALL, "17" in SMALL, "x" in SMALL, 5 in SMALL] == [
        4, True, True, False, False
    ]  # fmt: skip
    assert SMALL["A"].tolist() == [3, 4] and SMALL["a"].dtype == np.float32


@pytest.mark.parametrize(("word", "other", "cosine"), [("a", "b", 1), ("a", "c", 0), ("a", "5", 0)])
def test_similarity_is_the_cosine(word, other, cosine):
    assert SMALL.similarity(word, other) == pytest.approx(cosine)


def test_a_word_without_a_vector_is_an_error():
    with pytest.raises(senna.SennaError, match="no vector of 'xyzzy'"):
        SMALL["xyzzy"]


def test_the_base_table_has_the_vectors_of_its_folder():
    words, table = load_vectors("base")
    vectors = senna.word_vectors()
    assert len(vectors) == len(words)
    for row in (0, 7, len(words) - 1):
        assert np.array_equal(vectors[words[row]], table[row].astype(np.float32))


STORED = np.random.default_rng(0).normal(size=(5, 4)).astype(np.float32)
ENTRIES = ["a", "b", "c"]


@pytest.fixture
def base(tmp_path) -> Path:
    """A base table of three words, one byte a number."""
    path = tmp_path / "base"
    write_model(path, {"tasks": []}, quantise(STORED, "int8"), {"words.txt": ENTRIES})
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
    assert load_vectors("base").words == ENTRIES
    (tmp_path / "here" / "base").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    assert load_vectors("base").words == ENTRIES  # the package's, whatever lies here
    for name in ("./base", Path("base")):
        with pytest.raises(SennaError, match=r"expected one words\.txt"):
            load_vectors(name)
