"""Lemmas by edits of endings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.errors import SennaError
from senna.text.lemmas import (
    LemmaTable,
    apply_rule,
    contracted_lemmas,
    inflected,
    irregular_plurals,
    is_rule,
    lemma_rule,
    regular_lemmas,
)


def guess(table: LemmaTable, form: str, tag: str) -> str:
    """The lemma of any form, by the table alone."""
    rule = table.known_rule(form, tag) or table.ending_rule(form, tag)
    return apply_rule(rule or "same 0+", form)


@given(st.text(max_size=12), st.text(min_size=1, max_size=12))
def test_a_rule_makes_its_lemma(form, lemma):
    rule = lemma_rule(form, lemma)
    assert is_rule(rule)
    assert apply_rule(rule, form) == lemma


@pytest.mark.parametrize(
    ("form", "lemma", "rule"),
    [
        ("houses", "house", "lower 1+"),
        ("Cities", "city", "lower 3+y"),
        ("London", "London", "same 0+"),
        ("LONDON", "London", "title 0+"),
        ("NATO", "NATO", "same 0+"),
        ("were", "be", "whole be"),
        ("wo", "will", "lower 1+ill"),
        ("n't", "not", "lower 2+ot"),
        ("'ll", "will", "whole will"),
        ("10,000", "10000", "lower 0+"),
        ("1,5", "1,5", "lower 0+"),
        ("http://A.org/B", "http://A.org/B", "same 0+"),
        ("Mr.", "Mr.", "same 0+"),
    ],
)
def test_rules_of_words(form, lemma, rule):
    assert lemma_rule(form, lemma) == rule
    assert apply_rule(rule, form) == lemma


def test_a_rule_that_cuts_more_than_there_is_changes_capitals_alone():
    assert apply_rule("lower 3+y", "IES") == "ies"


@pytest.mark.parametrize("text", ["", "lower", "whole ", "lower x+y", "lower 3y", "other 0+"])
def test_what_is_no_rule(text):
    assert not is_rule(text)


WORDS = [
    ("saw", "VBD", "see"),
    ("saw", "NN", "saw"),
    ("Saw", "VBD", "see"),
    ("cities", "NNS", "city"),
    ("parties", "NNS", "party"),
    ("Rome", "NNP", "Rome"),
    ("Oslo", "NNP", "Oslo"),
]


@pytest.mark.parametrize(
    ("form", "tag", "lemma"),
    [
        ("saw", "VBD", "see"),
        ("SAW", "NN", "saw"),
        ("berries", "NNS", "berry"),
        ("Lima", "NNP", "Lima"),
        ("zzz", "??", "zzz"),
    ],
)
def test_a_table_knows_its_words_and_guesses_others_by_their_endings(form, tag, lemma):
    assert guess(LemmaTable.learn(WORDS), form, tag) == lemma


def test_a_form_has_the_lemma_of_its_twin_tag_where_its_own_is_not_known():
    table = LemmaTable.learn(
        [("Taught", "VBD", "teach"), ("lay", "VBD", "lie"), ("lay", "VB", "lay")]
    )
    assert guess(table, "taught", "VBN") == "teach" and table.known_rule("TAUGHT", "VBN")
    assert guess(table, "lay", "VBD") == "lie" and guess(table, "lay", "VBP") == "lay"
    assert not table.known_rule("taught", "NN")


FORMS = st.text("abyiesYES\u00e9", min_size=1, max_size=8)
CORPORA = st.lists(st.tuples(FORMS, st.sampled_from(["NN", "NNP"]), FORMS), min_size=1, max_size=20)


@given(CORPORA)
def test_a_compact_table_says_the_same_of_the_words_that_it_knows(
    words,
):
    table = LemmaTable.learn(words)
    smaller = table.compact()
    assert len(smaller.known) <= len(table.known) and len(smaller.endings) <= len(table.endings)
    for form, tag, _ in words:
        assert guess(smaller, form, tag) == guess(table, form, tag)
        assert smaller.known_rule(form, tag) and not smaller.known_rule(form + "x", tag)


@given(CORPORA)
def test_a_table_is_read_back_from_its_lines(words):
    table = LemmaTable.learn(words).compact()
    assert LemmaTable.of_lines(table.lines()) == table


@pytest.mark.parametrize("line", ["", "=saw\tVBD", "=saw\tVBD\tsee", "\tVBD\tlower 0+"])
def test_what_is_no_entry_of_a_table(line):
    with pytest.raises(SennaError, match="no entry"):
        dict(LemmaTable.of_lines([line]).known)


@pytest.mark.parametrize(
    ("lemma", "ending", "form"),
    [line.split() for line in """
        watch s watches; fix s fixes; quiz s quizzes; try s tries; play s plays; go s goes
        use s uses
        smile ed smiled; plan ed planned; visit ed visited; control ed controlled; try ed tried
        panic ed panicked; box ed boxed; play ed played; free ed freed; equip ed equipped
        hope ing hoping; hop ing hopping; die ing dying; dye ing dyeing; see ing seeing
        quit ing quitting
        hot er hotter; simple er simpler; happy er happier; free er freer; loud er louder
        shy er shyer; big est biggest; wise est wisest; funny est funniest; odd est oddest
    """.replace("\n", ";").split(";") if line.strip()],
)  # fmt: skip
def test_a_regular_form_and_its_lemma(lemma, ending, form):
    assert form in inflected(lemma, ending)
    tag = {"s": "VBZ", "ed": "VBD", "ing": "VBG", "er": "JJR", "est": "JJS"}[ending]
    assert lemma in regular_lemmas(form, tag)


def test_a_short_verb_doubles_its_last_letter():
    assert "plan" not in regular_lemmas("planed", "VBD")
    assert regular_lemmas("hoping", "VBG") == ["hope"]
    assert regular_lemmas("swam", "VBD") == [] == regular_lemmas("watches", "NN")


def test_no_comparative_is_of_a_word_in_i():
    assert regular_lemmas("sunnier", "JJR") == ["sunnie", "sunny"]


def test_irregular_plurals():
    assert "wolf" in irregular_plurals("wolves") and "knife" in irregular_plurals("knives")
    assert "analysis" in irregular_plurals("analyses") and "radius" in irregular_plurals("radii")
    assert "goose" in irregular_plurals("geese") and "louse" in irregular_plurals("lice")
    assert irregular_plurals("i") == irregular_plurals("ves") == []


def test_a_prefix_before_a_known_irregular_form():
    table = LemmaTable.learn([("ran", "VBD", "run"), ("walked", "VBD", "walk")])
    assert table.prefixed("outran", "VBD") == "outrun"
    assert table.prefixed("outwalked", "VBD") is None
    assert table.prefixed("ran", "VBD") is None


@pytest.mark.parametrize(
    ("text", "lemmas"),
    [
        ("Gim me it , or LEM ME go", {0: "give", 1: "I", 5: "let", 6: "I"}),
        ("What cha say ? I du n no", {0: "what", 1: "you", 5: "do", 6: "not", 7: "know"}),
        ("y’ all , ‘T was fun", {0: "you", 1: "all", 3: "it", 4: "be"}),
        ("the cha cha is no dance , all told", {}),
    ],
)
def test_lemmas_of_pieces_of_contractions(text, lemmas):
    assert dict(contracted_lemmas(text.split())) == lemmas
