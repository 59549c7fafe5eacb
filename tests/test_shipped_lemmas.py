"""Lemmas of the package's model are words."""

import pytest

import senna
from senna.document.nlp import Nlp


@pytest.fixture(scope="module")
def nlp() -> Nlp:
    return senna.load(tasks=["lemma"])


@pytest.mark.parametrize(
    ("sentence", "form", "lemma"),
    [
        ("She watches television .", "watches", "watch"),
        ("He smiled .", "smiled", "smile"),
        ("We ate the potatoes .", "potatoes", "potato"),
        ("The knives were old .", "knives", "knife"),
        ("They outran us .", "outran", "outrun"),
        ("Visitors came .", "Visitors", "visitor"),
        ("He spat .", "spat", "spit"),
        ("I du n no .", "no", "know"),
    ],
)
def test_the_lemma_of_an_unknown_form_is_a_word(nlp, sentence, form, lemma):
    words = sentence.split()
    assert nlp.tag([words])["lemma"][0][words.index(form)] == lemma
