"""Dictionaries: lists of words in files, and what of a text they know."""

import lzma
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.errors import SennaError
from senna.pretraining.corpus import Text, prepare, read_dictionary, remap


def text_of(counts: dict[str, int]) -> Text:
    n = sum(counts.values())
    return Text(Path("nowhere"), list(counts), np.array(list(counts.values()), np.int64), n + 1)


@pytest.mark.parametrize(
    "content", ["b\na\n", "b\na", "b\t2\na\t1\n", "\ufeffb\r\na\r\n\r\n\n", "b\n\n  \na\n"]
)
def test_words_in_their_order(tmp_path, content):
    path = tmp_path / "words.txt"
    path.write_bytes(content.encode())
    assert read_dictionary(path) == ["b", "a"]
    packed = tmp_path / "words.txt.xz"
    packed.write_bytes(lzma.compress(content.encode()))
    assert read_dictionary(packed) == ["b", "a"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a\nb\nc\nb\n", r"words.txt:4: 'b' is already on line 2\. Every word may occur only"),
        (b"a\t9\nb\na\t8\n", "words.txt:3: 'a' is already on line 1"),
        (b"", "words.txt: no words in it"),
        (b"\n\n", "words.txt: no words in it"),
        (b"a\tb\n", "words.txt:1: not a word and its count"),
        (b"a\n\t5\n", "words.txt:2: not a word and its count"),
        (b"a\t1\t2\n", "words.txt:1: not a word and its count"),
        (b"a\nb\0c\n", "words.txt:2: not a word and its count"),
        (b"a\n\xff\n", "words.txt:2: not valid UTF-8"),
    ],
)
def test_bad_dictionaries(tmp_path, content, message):
    path = tmp_path / "words.txt"
    path.write_bytes(content)
    with pytest.raises(SennaError, match=message):
        read_dictionary(path)


def test_no_dictionary(tmp_path):
    with pytest.raises(SennaError, match="no such file"):
        read_dictionary(tmp_path / "words.txt")


def test_words_of_a_text_are_a_dictionary(tmp_path):
    source = tmp_path / "in"
    source.write_text("A mill. The mill.", encoding="utf-8")
    text = prepare([source], tmp_path / "out", jobs=1, say=str)
    assert read_dictionary(text.folder / "words.tsv") == text.words == [".", "mill", "a", "the"]


def test_remap():
    table, covered = remap(text_of({"a": 5, "b": 3, "c": 2}), ["z", "c", "a"])
    assert table.tolist() == [0, 4, 1, 3] and table.dtype == np.int32
    assert covered == 0.7
    table, covered = remap(text_of({"a": 5, "b": 3}), ["z"])
    assert table.tolist() == [0, 1, 1] and covered == 0


@given(
    counts=st.dictionaries(st.text("abc", min_size=1), st.integers(1, 9), min_size=1),
    words=st.lists(st.text("abc", min_size=1), unique=True),
)
def test_remap_is_a_look_up(counts, words):
    table, covered = remap(text_of(counts), words)
    rows = ["", None, *words]
    assert table[0] == 0 and table.max() < len(rows)
    for i, word in enumerate(counts, 1):
        assert rows[table[i]] == (word if word in words else None)
    known = sum(n for word, n in counts.items() if word in words)
    assert covered == pytest.approx(known / sum(counts.values()))
