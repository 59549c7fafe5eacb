"""Files that list the predicates of sentences."""

import pytest

from senna.errors import SennaError
from senna.formats.gold import Listed, read_predicates


def listed(text: str) -> list[Listed]:
    return list(read_predicates(text.splitlines(keepends=True), name="p"))


def test_a_list_has_a_line_a_sentence():
    found = listed("\n3 1\n\n 2\n")
    assert [own.places for own in found] == [[], [0, 2], [], [1]]
    assert [own.where for own in found] == ["p:1", "p:2", "p:3", "p:4"]
    assert [own.places for own in listed("\n\n")] == [[], []]
    assert listed("") == []


def test_a_column_has_a_line_a_token():
    found = listed("\n-\nwants (V*)\n\n\n-\n-\n\nrun (V*)")
    assert [(own.places, own.length, own.where) for own in found] == [
        ([1], 2, "p:2"), ([], 2, "p:6"), ([0], 1, "p:9"),
    ]  # fmt: skip


ENDLESS = "9" * 5_000  # digits that Python refuses to read as a number


@pytest.mark.parametrize(
    "text", ["1 x\n", "1\n0\n", "1\n-\n", "1\n2.5\n", f"1\n{ENDLESS}\n", f"{ENDLESS}\n"]
)
def test_what_is_no_number(text):
    with pytest.raises(SennaError, match=r"p:\d: .* is not the number of a token"):
        listed(text)


def test_a_list_that_does_not_fit():
    assert listed("2\n")[0].of(["a", "b"]) == [1]
    with pytest.raises(
        SennaError, match=r'p:1: predicate 2, but .* has 1. The sentence begins "a"'
    ):
        listed("2\n")[0].of(["a"])
    with pytest.raises(SennaError, match="p:1: 2 tokens, but the sentence of the input has 1"):
        listed("-\ngo\n")[0].of(["a"])
