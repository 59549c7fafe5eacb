"""Contractions: where they are written as one word."""

from senna.text import word_lists


def test_pieces_that_are_written_as_one_word():
    words = "’T is late and she ca n’t .".split()
    joined = [True, False, False, False, False, True, False, False]
    assert word_lists.contractions(words, joined) == [(0, 2), (5, 7)]
    assert word_lists.contractions(words, [False] * len(words)) == []
