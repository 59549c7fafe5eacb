"""The trial of a memory of a document's names."""

from __future__ import annotations

from pathlib import Path

import pytest

from senna.text.schemes import Phrase

SCRIPTS = Path(__file__).parents[3] / "scripts" / "experiments"


@pytest.fixture(autouse=True)
def scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SCRIPTS))


def test_what_came_before_amends_what_follows() -> None:
    from measure_memory import remembered

    document = [
        ("Anna Weber met Shell in Ulm".split(), [Phrase(0, 2, "PER"), Phrase(3, 4, "ORG")]),
        ("Shell thanked Weber".split(), [Phrase(2, 3, "LOC")]),
        ("Shell is in Ulm".split(), [Phrase(0, 1, "PER"), Phrase(3, 4, "LOC")]),
    ]
    assert remembered(document, whole=False) == [
        document[0][1],
        [Phrase(0, 1, "ORG"), Phrase(2, 3, "PER")],
        [Phrase(0, 1, "PER"), Phrase(3, 4, "LOC")],  # once ORG, once PER: as it was tagged
    ]


def test_the_whole_document_asks_for_a_name_twice() -> None:
    from measure_memory import remembered

    document = [
        ("Ulm and Bonn".split(), []),
        ("In Ulm .".split(), [Phrase(1, 2, "LOC")]),
        ("Of Ulm and Bonn".split(), [Phrase(1, 2, "LOC"), Phrase(3, 4, "LOC")]),
    ]
    assert remembered(document, whole=True)[0] == [Phrase(0, 1, "LOC")]


def test_documents_are_told_apart(tmp_path: Path) -> None:
    from measure_memory import read_documents

    path = tmp_path / "two.txt"
    opening = "-DOCSTART-\tO\n\n"
    path.write_text(f"{opening}Ann\tB-PER\nran\tO\n\n{opening}Bo\tB-PER\n\n", encoding="utf-8")
    first, second = read_documents(path)
    assert first == [(["Ann", "ran"], ["S-PER", "O"])]
    assert second == [(["Bo"], ["S-PER"])]
