"""Phrase lists: matching against the obvious way, reading, codings."""

import gzip
import lzma

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.errors import SennaError
from senna.text import gazetteer
from senna.text.gazetteer import (
    BEGIN,
    END,
    INSIDE,
    OUTSIDE,
    SINGLE,
    build_gazetteer,
    read_gazetteer,
)
from tests import oracles

TOKENS = st.sampled_from(["a", "b", "A", "c"])
PHRASES = st.lists(st.lists(TOKENS, min_size=1, max_size=4).map(" ".join), max_size=6)


@given(PHRASES, PHRASES, st.lists(TOKENS, max_size=12), st.booleans())
def test_marks_against_the_obvious_way(first, second, words, position):
    made = build_gazetteer({"X": first, "Y": second}, position=position)
    both = made.mark([words, words])
    found = both[: len(words)]
    assert (both[len(words) :] == found).all(), "no phrase goes on in the next sentence"
    assert found.shape == (len(words), 2)
    assert found.dtype == np.int32
    for column, phrases in enumerate((first, second)):
        expected = np.full(len(words), OUTSIDE)
        for start, end in oracles.marks(words, phrases):
            if not position or end - start == 1:
                expected[start:end] = SINGLE
            else:
                expected[start:end] = INSIDE
                expected[start], expected[end - 1] = BEGIN, END
        assert found[:, column].tolist() == expected.tolist()


def test_words_that_are_forgotten_are_found_again(monkeypatch):
    lists, words = {"X": ["a b", "c"]}, "a b c d a b c d newark New York".split()
    expected = build_gazetteer(lists, position=True).mark([words])
    monkeypatch.setattr(gazetteer, "MOST_PLACES", 2)
    made = build_gazetteer(lists, position=True)
    assert (made.mark([words]) == expected).all()
    assert len(made._places) <= 2


def test_on_off_coding_marks_all_words_alike():
    made = build_gazetteer({"ORG": ["Bank of the North"]}, position=False)
    words = "the Bank of the North".split()
    assert made.mark([words])[:, 0].tolist() == [OUTSIDE, SINGLE, SINGLE, SINGLE, SINGLE]


def test_phrases_are_tokenised_as_text_is():
    made = build_gazetteer({"ORG": ["Moody's", "  ", ""]}, position=True)
    assert made.lines == ["moody 's\t1"]
    assert made.mark([["Moody", "'s"]])[:, 0].tolist() == [BEGIN, END]


def test_reading_files_and_folders(tmp_path):
    folder = tmp_path / "lists"
    folder.mkdir()
    (folder / "per.txt").write_text("Ann\n\nBob Lee\n", encoding="utf-8", newline="\n")
    with gzip.open(folder / "loc.txt.gz", "wt", encoding="utf-8") as file:
        file.write("Rome\n")
    own = tmp_path / "org.txt.xz"
    with lzma.open(own, "wt", encoding="utf-8") as file:
        file.write("Acme\n")
    made = read_gazetteer([folder, own], position=False)
    assert made.types == ("LOC", "PER", "ORG")
    assert made.lines == ["acme\t4", "ann\t2", "bob lee\t2", "rome\t1"]
    assert made.position is False


def test_nothing_to_read(tmp_path):
    with pytest.raises(SennaError, match="no phrase lists"):
        read_gazetteer([tmp_path], position=True)
    with pytest.raises(SennaError, match="no phrase lists"):
        read_gazetteer([], position=True)
    with pytest.raises(SennaError, match=r"none\.txt: no such file"):
        read_gazetteer([tmp_path / "none.txt"], position=True)


def test_more_phrases_of_known_types():
    made = build_gazetteer({"PER": ["Anna", "Bo Ray"], "LOC": ["Paris"]}, position=True)
    more = made.extended({"LOC": ["anna", "Bo"], "X": ["Ray"]})
    assert more.mark([["Anna", "Bo", "Ray"]]).tolist() == [
        [SINGLE, SINGLE],
        [BEGIN, SINGLE],
        [END, OUTSIDE],
    ]
    assert made.mark([["Anna"]]).tolist() == [[SINGLE, OUTSIDE]], "the first is as it was"


def test_phrases_of_all_types_are_found_the_longest_first():
    made = build_gazetteer({"PER": ["Bo", "x"], "LOC": ["Bo Ray", "x"]}, position=True)
    assert made.find("Bo Ray Bo x".split()) == [(0, 2, "LOC"), (2, 3, "PER"), (3, 4, "PER")]
    assert made.find([]) == []
