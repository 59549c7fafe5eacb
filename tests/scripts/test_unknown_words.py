"""What unknown words of phrases cost."""

from __future__ import annotations

from pathlib import Path

import pytest

EXPERIMENTS = Path(__file__).parents[2] / "scripts" / "experiments"


def test_a_phrase_counts_as_known_if_all_its_words_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    from unknown_words import recall

    forms = [["New", "Zembla", "and", "Rome"], ["Oslo"]]
    gold = [["B-LOC", "I-LOC", "O", "B-LOC"], ["B-LOC"]]
    found = [["B-LOC", "E-LOC", "O", "O"], ["S-LOC"]]
    known = {"new", "and", "rome", "oslo"}
    assert recall((forms, gold), found, known) == {True: [False, True], False: [True]}
    assert recall((forms, gold), found, known | {"zembla"})[False] == []
