"""Contractions: where they are written as one word, and what their pieces stand for."""

from __future__ import annotations

import pytest

from senna.text import english


def test_pieces_that_are_written_as_one_word() -> None:
    words = "’T is late and she ca n’t .".split()
    joined = [True, False, False, False, False, True, False, False]
    assert english.contractions(words, joined) == [(0, 2), (5, 7)]
    assert english.contractions(words, [False] * len(words)) == []


@pytest.mark.parametrize(
    ("text", "lemmas"),
    [
        ("Gim me it , or LEM ME go", {0: "give", 1: "I", 5: "let", 6: "I"}),
        ("What cha say ? I du n no", {0: "what", 1: "you", 5: "do", 6: "not", 7: "know"}),
        ("y’ all , ‘T was fun", {0: "you", 1: "all", 3: "it", 4: "be"}),
        ("the cha cha is no dance , all told", {}),
    ],
)
def test_lemmas_of_pieces_of_contractions(text: str, lemmas: dict[int, str]) -> None:
    assert dict(english.contracted_lemmas(text.split())) == lemmas
