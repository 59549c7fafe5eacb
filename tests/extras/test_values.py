"""Dates, times, money and numbers: what is found in words, and what it is worth."""

import re
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import senna
from senna.extras.values import _TABLES, RULES, find, number, shown, value_of
from senna.text.sentences import split
from tests.extras import value_forms

WORDS = (
    "a an and of to in the between half quarter two twenty hundred million dozen second third may "
    "March Monday last next few years hour hours minutes past ago old between 1 12 2/0 3/4 12.5 "
    "1990s '80s 2020 1,000 5th ½ ٣ 25:10 10:30 a.m. pm 13/13/2020 31.12.99 2021-05-03 $ € % - – "
    "percent dollars cents pounds USD km m per feet inches ° C century BC q3 one p 80p k , . ( )"
).split()


def spans(text: str) -> list[tuple[str, str, str]]:
    words = text.split()
    return [
        (label, " ".join(words[first:last]), value_of(words[first:last], label))
        for first, last, label in find(words)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on 3 May 2021 .", [("DATE", "3 May 2021", "2021-05-03")]),
        ("you may march", []),
        ("between 1914 and 1918", [("DATE", "1914", "1914"), ("DATE", "1918", "1918")]),
        ("between 5 and 10 % of", [("PERCENT", "5 and 10 %", "5-10 %")]),
        ("54 to 46", [("CARDINAL", "54", "54"), ("CARDINAL", "46", "46")]),
        ("46 to 54", [("CARDINAL", "46 to 54", "46-54")]),
        ("in 2019 sales rose", [("DATE", "2019", "2019")]),
        ("twenty pounds for a book", [("MONEY", "twenty pounds", "20 GBP")]),
        ("twenty pounds of flour", [("QUANTITY", "twenty pounds", "20 lb")]),
        ("the forty - second floor", [("ORDINAL", "forty - second", "42")]),
        ("a five - year plan", [("DATE", "five - year", "P5Y")]),
        ("13/12/2020 or 12/13/2020", [
            ("DATE", "13/12/2020", "2020-12-13"), ("DATE", "12/13/2020", "2020-12-13")
        ]),
        ("$ 5 - $ 10 million", [("MONEY", "$ 5 - $ 10 million", "5000000-10000000 USD")]),
        ("7 - 10 am or 11:30 to 2 p.m.", [
            ("TIME", "7 - 10 am", "T07:00/T10:00"), ("TIME", "11:30 to 2 p.m.", "T11:30/T14:00")
        ]),
        ("quarter past 5", [("TIME", "quarter past 5", "T05:15")]),
        ("on 10/4 , 8/10 good", [("DATE", "10/4", "XXXX-10-04"), ("CARDINAL", "8/10", "0.8")]),
        ("2021/05/12 or 2021/05-12", [("DATE", "2021/05/12", "2021-05-12")]),
        ("5 ' 10 \" tall , the ' 5 ' key", [
            ("QUANTITY", "5 ' 10 \"", "5 ft 10 in"), ("CARDINAL", "5", "5")
        ]),
        ("1 tsp. salt at 25 ° C.", [("QUANTITY", "1 tsp.", "1 tsp"), ("QUANTITY", "25 °", "25 °")]),
        ("in 1850 C. Poe wrote", [("DATE", "1850", "1850")]),
        ("3 + years and 2 wks", [("DATE", "3 + years", "P3Y"), ("DATE", "2 wks", "P2W")]),
        ("the iPhone 12 and Route 66 .", []),
        ("6 ft. 2 in . tall , 6 ft 2", [
            ("QUANTITY", "6 ft. 2 in", "6 ft 2 in"), ("QUANTITY", "6 ft 2", "6 ft 2 in")
        ]),
        ("12 ft. 5 people", [("QUANTITY", "12 ft.", "12 ft"), ("CARDINAL", "5", "5")]),
        ("several dozen eggs", []),
        ("passing H.R. 810 and U.S. 70", []),
        ("1 , 5 million ; 8.30 - 17.00 ; Boeing 787 - 9", []),
        ("call 020 7946 0018", []),
        ("no one saw that one", []),
        ("", []),
    ],
)  # fmt: skip
def test_spans_and_values(text, expected):
    assert spans(text) == expected


@given(st.lists(st.sampled_from(WORDS) | st.text(max_size=3), max_size=9))
def test_any_words_have_spans_in_order_that_have_values(words):
    check(words)


def check(words: list[str]) -> None:
    """Spans come in order, and each has a value."""
    free = 0
    for first, last, label in find(words):
        assert free <= first < last <= len(words)
        free = last
        assert value_of(words[first:last], label), words


UNITS = sorted(
    {form for word in _TABLES["units"].values() for form in re.split(r"[|(?:)\\]+", word) if form}
)
NUMBERS = "0 1 2 3/4 12.5 007 1,000 5th ½ two twenty - five hundred million half a an".split()
SIGNS = "- – − + $ € £ % ° ' \" / ( ) , : US$ C$".split()
MONTHS = "jan Feb. March May sept. June 1999 '05 BC Monday".split()


@given(
    st.lists(
        st.builds(
            str.__add__,
            st.sampled_from([*NUMBERS, *SIGNS, *MONTHS, *UNITS, *_TABLES["short_scales"]]),
            st.sampled_from(["", "", "", ".", "s"]),
        ),
        max_size=7,
    )
)
@settings(max_examples=250)
def test_numbers_units_signs_and_months_in_any_order_have_values(words):
    check(words)


@pytest.mark.parametrize("every", [61, pytest.param(1, marks=pytest.mark.exhaustive)])
def test_every_unit_after_every_unit_has_a_value(every):
    """Six feet and two inches, and all that looks so."""
    for one, other in [*product(UNITS, UNITS)][::every]:
        check(["6", f"{one}.", "2", other, "12", one, "5", f"{other}."])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("two hundred and fifty", 250), ("1.3 million", 1_300_000), ("half a million", 500_000),
        ("two and a half", Fraction(5, 2)), ("three quarters of a", Fraction(3, 4)),
        ("twenty - one", 21), ("one million two hundred thousand and six", 1_200_006),
        ("1 1/2", Fraction(3, 2)), ("3½", Fraction(7, 2)), ("five hundredth", 500),
    ],
)  # fmt: skip
def test_numbers(text, value):
    assert number(text) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [(Fraction(5, 2), "2.5"), (Fraction(-1, 4), "-0.25"), (Fraction(2, 3), "2/3"), (0, "0"),
     (1200, "1200"), (Fraction(1, 1000), "0.001")],
)  # fmt: skip
def test_numbers_are_shown_exactly(value, text):
    assert shown(Fraction(value)) == text


def test_generated_forms_are_right_and_none_has_a_wrong_value():
    """Also in the half with which no rule was written; where no value is due none is given."""
    right, wrong = {True: [], False: []}, []
    for form in value_forms.forms():
        found = [
            (form.text[tokens[0].start : tokens[-1].end], phrase.label, value)
            for sentence in split(form.text)
            for phrase in find(sentence.words)
            if (tokens := sentence[phrase.start : phrase.end])
            for value in [value_of(tokens.words, phrase.label)]
        ]
        right[form.held_out].append(found == form.values)
        if not form.values:
            wrong.append(any(value for *_, value in found))
    assert all(sum(side) >= 0.97 * len(side) for side in right.values())
    assert sum(wrong) <= 0.02 * len(wrong)


def test_every_rule_names_a_label_that_is_explained():
    meanings = {meaning.tag for meaning in senna.explain(task="value")}
    assert {rule.label for rule in RULES if rule.label} == meanings


def test_values_are_found_only_by_name():
    assert senna.load("value").tasks == ("value",)
    assert "value" not in senna.load("all").tasks
    assert senna.load(["pos", "value"]).tasks == ("pos", "value")


def test_documents_have_values():
    doc = senna.load("value")("It opened on 3 May 2021.\n\nThey paid $5 million.")
    assert [(span.text, span.label, span.value) for span in doc.spans("value")] == [
        ("3 May 2021", "DATE", "2021-05-03"), ("$5 million", "MONEY", "5000000 USD")
    ]  # fmt: skip
    record = doc.to_dict()
    assert record["sentences"][0]["spans"]["value"][0]["value"] == "2021-05-03"
    assert senna.Document.from_dict(record) == doc


def test_values_are_not_trained():
    with pytest.raises(senna.SennaError, match="rules"):
        senna.train("value")
