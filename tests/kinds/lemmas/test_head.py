"""Lemmas of known forms, and of those that no table and no network knows: words."""

import pytest

import senna
from senna.document.nlp import Nlp
from senna.kinds.lemmas.head import LemmaHead
from senna.text.lemmas import LemmaTable
from senna.text.vocabulary import PADDING_FORM, Vocabulary

RARE_ENTRY = "rare"


def head(*words: str) -> LemmaHead:
    """A head without a network, whose table and words are small."""
    made = LemmaHead.__new__(LemmaHead)
    made.table = LemmaTable.learn([("swam", "VBD", "swim"), ("sang", "VBD", "sing")])
    made.columns = {"lower 0+": 0, "lower 3+ing": 1}
    made.words = Vocabulary([PADDING_FORM, RARE_ENTRY, *words])
    return made


def test_a_rule_of_the_table_that_the_network_does_not_have_is_applied():
    found = head()._lemma("lower 2+all", "swam", "VBD", False, False)
    assert found == "swim"
    assert head()._lemma("lower 3+ing", "sang", "VBD", False, False) == "sing"


def test_a_form_of_which_the_network_makes_no_word_stays():
    assert head("clung")._lemma("lower 3+", "clung", "VBD", False, False) == "clung"
    assert head("rung")._lemma("lower 3+", "rung", "NN", False, False) == "rung"
    assert head("stood", "stand")._lemma("lower 3+and", "stood", "VBD", False, False) == "stand"
    # A regular form of a rare word is one.
    assert head("spammers")._lemma("lower 1+", "spammers", "NNS", False, False) == "spammer"
    # A name that is written small has a capital.
    assert head("tesco")._lemma("title 0+", "tesco", "NNP", False, False) == "Tesco"


def test_an_irregular_form_with_an_unlikely_tag_is_read_as_the_table_knows_it():
    made = head()
    made.table = LemmaTable.learn([("bacteria", "NNS", "bacterium"), ("strung", "VBN", "string")])
    pairs = [("bacteria", "NN"), ("strung", "VBG"), ("tests", "NN"), ("testing", "VBG")]
    assert [made._likely_tag(*pair) for pair in pairs] == ["NNS", "VBN", "NN", "VBG"]
    assert made._lemma("lower 0+", "bacteria", "NN", False, False) == "bacterium"
    assert made._lemma("lower 0+", "bacteria", "NNS", False, False) == "bacterium"


def test_lemmas_of_comparatives():
    made = head("rude", "rud", "sunni", "sunny")
    assert made._lemma("lower 0+", "ruder", "JJR", False, False) == "rude"
    assert made._lemma("lower 0+", "sunniest", "JJS", False, False) == "sunny"


def test_the_last_part_of_a_word_with_a_hyphen_is_inflected():
    made = head("wife")
    assert made._lemma("lower 3+", "out-sang", "VBD", False, False) == "out-sing"
    assert made._lemma("lower 1+", "Ex-wives", "NNS", False, True) == "ex-wife"
    assert made._lemma("lower 0+", "mid-1980s", "NNS", False, False) == "mid-1980s"


def test_the_lemma_of_an_acronym_or_name_keeps_its_capitals():
    made = head("ceo", "bus", "buse", "netherland")
    assert made._lemma("lower 1+", "CEOs", "NNS", False, False) == "CEO"
    assert made._lemma("lower 1+", "buses", "NNS", False, False) == "bus"
    assert made._lemma("lower 1+", "Buses", "NNPS", False, False) == "Bus"
    assert made._lemma("lower 1+", "Knicks", "NNPS", False, False) == "Knick"
    assert made._lemma("title 0+", "Netherlands", "NNPS", False, False) == "Netherlands"


def test_no_unknown_form_has_the_lemma_of_another_word():
    assert head("she")._lemma("whole she", "ur", "PRP", False, False) == "ur"


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
