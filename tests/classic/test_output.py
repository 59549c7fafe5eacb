"""The original's columns and tag schemes."""

from __future__ import annotations

import pytest

from senna.classic.input import Word
from senna.classic.options import Options
from senna.classic.output import Found, VerbTags, in_scheme, written

WORDS = [Word("Zoë", 0, 4), Word("incomprehensibilities", 5, 26)]
FOUND: Found = {
    "psg": ["(S1(S*", "*))"],
    "srl": VerbTags([1], [["S-A0", "S-V"]]),
    "ner": ["S-PER", "O"],
    "chk": ["B-NP", "E-NP"],
    "pos": ["S-x", "NNS"],
}


def test_all_columns_in_their_order_padded_by_bytes() -> None:
    assert written(WORDS, FOUND, Options(offsets=True)).decode().split("\n") == [
        "           Zoë\t0 4\t       S-x\t      B-NP\t     S-PER\t              -"
        "\t      S-A0\t(S1(S*",
        "incomprehensibilities\t5 26\t       NNS\t      E-NP\t         O\tincomprehensibilities"
        "\t       S-V\t*))",
        "",
        "",
    ]


def test_without_tokens_a_line_begins_with_a_tab() -> None:
    found = {"ner": FOUND["ner"]}
    assert written(WORDS, found, Options(tokens=False)) == b"\t     S-PER\n\t         O\n\n"
    offsets = Options(tokens=False, offsets=True)
    assert written(WORDS, found, offsets) == b"\t0 4\t     S-PER\n\t5 26\t         O\n\n"


def test_a_sentence_without_verbs_has_no_columns_of_roles() -> None:
    text = written(WORDS[:1], {"srl": VerbTags([], [])}, Options(tokens=False))
    assert text == b"\t              -\n\n"


def test_schemes_are_for_phrases_alone() -> None:
    text = written(WORDS, FOUND, Options(tokens=False, scheme="bracket")).decode()
    assert [line.split() for line in text.split("\n")[:2]] == [
        ["S-x", "(NP*", "(PER*)", "-", "(A0*)", "(S1(S*"],
        ["NNS", "*)", "*", "incomprehensibilities", "(V*)", "*))"],
    ]


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [
        ("iobes", "O B-A I-A E-A S-A E- E-A-B"),
        ("iob", "O B-A I-A I-A B-A E- I-A-B"),
        ("bracket", "* (A* * *) (A*) *) *)"),
    ],
)
def test_tags_are_rewritten_one_by_one(scheme: str, expected: str) -> None:
    assert list(in_scheme("O B-A I-A E-A S-A E- E-A-B".split(), scheme)) == expected.split()
