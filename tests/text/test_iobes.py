"""Which IOBES tag may follow which, against the rule for one pair at a time."""

from __future__ import annotations

import itertools

import pytest

from senna.text.iobes import forbidden
from senna.text.schemes import phrases_of, tags_of
from tests import oracles

TAGS = ["O", *(f"{p}-{kind}" for kind in ("PER", "A-B", "ER") for p in "BIES")]


@pytest.mark.parametrize("tags", [TAGS, TAGS[::-1], ["O"], ["S-X", "I-X", "B-Y", "E-X"]])
def test_against_the_rule(tags: list[str]) -> None:
    rules = forbidden(tags)
    assert rules.shape == (len(tags) + 2, len(tags))
    for j, right in enumerate(tags):
        assert rules[0, j] == (not oracles.follows("", right)), f"begin {right}"
        assert rules[-1, j] == (not oracles.follows(right, "")), f"{right} end"
        for i, left in enumerate(tags):
            assert rules[1 + i, j] == (not oracles.follows(left, right)), f"{left} {right}"


def test_what_it_allows_is_what_tags_of_phrases_look_like() -> None:
    tags = ["O", "B-X", "I-X", "E-X", "S-X", "S-Y"]
    rules = forbidden(tags)
    for path in itertools.product(range(len(tags)), repeat=4):
        pairs = itertools.pairwise(path)
        allowed = not (
            rules[0, path[0]] or rules[-1, path[-1]] or any(rules[1 + i, j] for i, j in pairs)
        )
        names = [tags[i] for i in path]
        valid = tags_of(phrases_of(names, "iobes"), 4, "iobes") == names
        assert allowed == valid, names
