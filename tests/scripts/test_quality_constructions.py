"""The sentences of tests/quality/constructions, and how they are scored."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

import senna
from senna.text.conllu import Arc
from senna.text.roles import Predicate

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
ANSWERS = {
    "pos": ["VBD", "DT", "NN", "VBN", "."],
    "ner": ["O", "B-PER", "E-PER", "O", "O"],
    "dep": [
        Arc(4, "aux:pass"),
        Arc(3, "det"),
        Arc(4, "nsubj:pass"),
        Arc(0, "root"),
        Arc(4, "punct"),
    ],
    "srl": [Predicate(3, ["O", "B-A1", "E-A1", "S-V", "O"])],
}


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    import quality_constructions

    return quality_constructions


def test_every_line_is_a_sentence_with_a_decision(script: ModuleType) -> None:
    kinds = sorted(script.FILES.glob("*.txt"))
    assert len(kinds) == 11
    for path in kinds:
        items = script.read(path)
        assert len(items) >= 30
        assert len({str(item) for item in items}) == len(items)


@pytest.mark.parametrize(
    ("decision", "is_right"),
    [
        ("frame killed", True),
        ("frame was", False),
        ("role killed A1 the king", True),
        ("role killed A0 the king", False),
        ("role killed A1 king", False),
        ("role king A1 the", False),
        ("arc king nsubj killed", True),
        ("arc killed root", True),
        ("arc king root", False),
        ("arc the det killed", False),
        ("pos killed VBN", True),
        ("pos killed VBD", False),
        ("name PER the king", True),
        ("name ORG the king", False),
    ],
)
def test_decisions_are_right_or_wrong(decision: str, is_right: bool, script: ModuleType) -> None:
    item = script.item(f"was the king killed ? | {decision}", "here")
    assert script.right(item, ANSWERS) is is_right


@pytest.mark.parametrize("decision", ["", "frame", "frame kings", "tense was", "arc king nsubj he"])
def test_what_is_no_decision_is_refused(decision: str, script: ModuleType) -> None:
    with pytest.raises(senna.SennaError, match="no decision"):
        script.item(f"was the king killed ? | {decision}", "here")
