"""Contractions: where they are written as one word."""

from __future__ import annotations

from senna.text import english


def test_pieces_that_are_written_as_one_word() -> None:
    words = "’T is late and she ca n’t .".split()
    joined = [True, False, False, False, False, True, False, False]
    assert english.contractions(words, joined) == [(0, 2), (5, 7)]
    assert english.contractions(words, [False] * len(words)) == []
