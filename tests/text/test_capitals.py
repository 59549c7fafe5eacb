"""What the capitals of a sentence tell."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.inference.features.forms import Caps, FormFeatures, Letters
from senna.text.capitals import (
    CASELESS,
    CASES,
    MARKS,
    TITLED,
    as_read,
    in_headlines,
    in_titles,
    kind_of,
)
from senna.text.vocabulary import (
    FIRST_OF_ALL,
    N_CAPS,
    N_CAPS_READ,
    UNTOLD,
    Spelling,
    Vocabulary,
    caps,
    plain_letters,
)
from tests import strategies

SENTENCES = st.lists(strategies.any_word, max_size=8)


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("I met Anna in Rome .", ""),
        ("I met anna in rome .", ""),  # begins as any sentence does
        ("then I met anna in rome .", CASELESS),
        ("i met anna .", CASELESS),
        ("ok", CASELESS),
        ("ANNA MET BEN .", CASELESS),
        ("NASA", ""),
        ("U.S. - Korea", ""),
        ("Anna Weber", ""),
        ("Anna Weber Wins in Rome", TITLED),
        ("Anna Weber wins in Rome", ""),
        ("IBM Buys Red Hat for $ 34 bn", ""),
        ("IBM Buys Red Hat for $ 34", TITLED),
        ("the Red Hat on the Table of a King", TITLED),
        ("iPhone sales rise", ""),
        ("12 - 3", ""),
        ("日本 と", ""),
        ("", ""),
    ],
)
def test_kind_of(sentence, kind):
    assert kind_of(sentence.split()) == kind


@given(SENTENCES)
def test_marks_are_all_that_reading_adds(forms):
    kind, read = kind_of(forms), as_read(forms)
    assert list(read) == [kind + form for form in forms]
    assert kind in ("", *MARKS)


@given(SENTENCES)
def test_text_of_one_case_is_caseless(forms):
    for case in ("upper", "lower"):
        text = "".join(CASES[case](forms))
        if sum(map(str.isalpha, text)) >= 6 and (text.isupper() or text.islower()):
            assert kind_of(CASES[case](forms)) == CASELESS


@given(SENTENCES)
def test_every_case_keeps_the_number_of_words(forms):
    for cased in CASES.values():
        assert len(cased(forms)) == len(forms)


def test_headlines_leave_small_words():
    assert in_headlines("a King of the iPhone".split()) == ["A", "King", "of", "the", "IPhone"]
    assert in_titles("a King of".split()) == ["A", "King", "Of"]


@given(strategies.any_word)
def test_a_marked_form_is_spelt_as_it_is_written(form):
    for mark in MARKS:
        own = Spelling.of(mark + form)
        assert (own.form, own.mark) == (plain_letters(form), mark)
        assert own._replace(mark="")[:4] == Spelling.of(form)[:4] or form[0] in MARKS


def test_features_see_marks_only_where_they_know_them():
    words, letters = Vocabulary.of(["paris", "Paris"]), Vocabulary.of("Paris")
    spelt = [Spelling.of(form) for form in ("Paris", CASELESS + "Paris", TITLED + "Paris")]
    spelt += [Spelling.of(form) for form in (CASELESS + "PARIS", TITLED + "NASA", "")]
    tables = (Caps("caps", N_CAPS_READ), Letters("letters", len(letters), 0, 20, letters))
    plain = FormFeatures(words, tables).ids_of(spelt)
    assert plain["caps"].tolist() == [3, 3, 3, 2, 2, 0]
    assert plain["words"].tolist() == [3, 3, 3, 2, 1, 0]
    seen = FormFeatures(words, tables, marks=True).ids_of(spelt)
    assert seen["caps"].tolist() == [3, UNTOLD, FIRST_OF_ALL, UNTOLD, caps("NASA"), 0]
    assert seen["words"].tolist() == [3, 2, 3, 2, 1, 0]
    assert seen["letters"][1].tolist() == seen["letters"][3].tolist() != seen["letters"][0].tolist()
    assert UNTOLD > FIRST_OF_ALL >= N_CAPS
