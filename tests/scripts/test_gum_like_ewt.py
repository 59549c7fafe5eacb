"""Scripts: lemmas and features as another treebank has them."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts/experiments"


@pytest.fixture(autouse=True)
def _importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(SCRIPTS), *sys.path])


@pytest.mark.parametrize(
    ("value", "places", "there"),
    [
        ("person", {"people": 30}, "people"),
        ("person", {"people": 2}, "person"),  # too few places to say
        ("person", {"people": 95, "person": 5}, "person"),  # that is found there too
        ("person", {"people": 80, "folk": 20}, "person"),  # not nearly always one way
        ("people", {"people": 30}, "people"),
    ],
)
def test_a_value_is_changed_where_the_other_treebank_is_sure(
    value: str, places: dict[str, int], there: str
) -> None:
    from gum_like_ewt import as_there

    assert as_there(value, Counter(places)) == there


@pytest.mark.parametrize(
    ("xpos", "said", "left"),
    [
        ("RB", "Degree=Pos", "_"),
        ("RB", "Degree=Cmp", "Degree=Cmp"),
        ("NNP", "Abbr=Yes|Number=Sing", "Number=Sing"),
        ("VB", "Mood=Imp|Person=2|VerbForm=Fin", "Mood=Imp|VerbForm=Fin"),
        ("PRP", "Case=Nom|Number=Plur|Person=2|PronType=Prs", "Case=Nom|Person=2|PronType=Prs"),
        ("PRP", "Number=Plur|Person=1", "Number=Plur|Person=1"),
    ],
)
def test_what_only_one_treebank_says_is_left_out(xpos: str, said: str, left: str) -> None:
    from gum_like_ewt import features

    assert features(["1", "word", "word", "X", xpos, said, "0", "root", "_", "_"]) == left
