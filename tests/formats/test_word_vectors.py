"""Word vectors by word."""

import numpy as np
import pytest

import senna
from senna.formats.vectors import WordVectors, load_vectors

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
