"""The original's tokens: the specification's examples, and that nothing is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.extras.classic.program import bytes_of
from senna.lab.original.tagger import Tokenizer, normalised

KEYS = """
    ' 's 't 've ( ) , - . / : ; 's a b.c c++ e-mail john don n't ca they % $ 0 0s mr. u.s. http //
    naïve x. 0-year-old 'single end
""".split()


def words(line: str) -> list[str]:
    found, _ = Tokenizer(frozenset(KEYS))(line.encode())
    return [word.text for word in found]


@pytest.mark.parametrize(
    ("raw", "normal"),
    [
        *((number, "0") for number in "2,651.30 -0.5 +1,000 .5 -,5 1.2.3".split()),
        *zip("5. 1..2 1990s 10-year-old 1/2 10:30 1e5 0x1F".split(),
             "0. 0.0 0s 0-year-old 0/0 0:0 0e0 0x0F".split(), strict=True),
        *zip("555-1234 1-800-555-0199 B-52s --5 +-5 a.1 .. + 1,,2 ٣".split(),
             "00 0000 B0s -0 +0 a0 .. + 0,0 ٣".split(), strict=True),
    ],
)  # fmt: skip
def test_numbers(raw, normal):
    assert normalised(raw) == normal


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("John's e-mail", "John 's e-mail"),
        ("don't they've", "don 't they 've"),
        ("$5.50 10% 1990s 10-year-old", "$ 5.50 10 % 1990s 10-year-old"),
        ("U.S. Mr. end. C++", "U.S. Mr. end . C++"),
        ("a/b.com", "a / b.c om"),
        ("http://www.x.com", "http : // www . x. com"),
        ("'single naïve Naïves", "'single naïve Naïves"),
        ("Zu\u0308rich", "Zu\u0308rich"),
        ("“caf\u00e9s”", "“ caf\u00e9s ”"),
        ("\tx\x00y\r", "x y"),
    ],
)
def test_tokens(line, expected):
    assert words(line) == expected.split()


def test_what_no_rule_takes_is_told():
    found, skipped = Tokenizer(frozenset(KEYS))(b"<john^ \xe9t\xe9>")
    assert [word.text for word in found] == ["john", "\udce9t\udce9"]
    assert skipped == ["<", "^", ">"]


@given(st.binary(max_size=40))
def test_words_stand_where_they_say(line):
    found, skipped = Tokenizer(frozenset(KEYS))(line)
    end = 0
    for word in found:
        assert word.start >= end and line[word.start : word.end] == bytes_of(word.text)
        end = word.end
    lost = len(line.translate(None, b" \t\n\v\f\r\0")) - sum(w.end - w.start for w in found)
    assert lost == len(skipped)
    assert all(character.isascii() for character in skipped)
