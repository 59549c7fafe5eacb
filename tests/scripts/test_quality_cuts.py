"""scripts/quality_cuts.py: the format of its texts, and that none is cut worse than it was."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
RIGHT = {
    "biology-and-law": 18,
    "headings": 13,
    "office": 28,
    "real-ends": 16,
    "thanks": 16,
    "tokens": 32,
}


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    import quality_cuts

    return quality_cuts


def test_a_line_shows_where_it_is_cut(script: ModuleType) -> None:
    assert script.cut("It rained. He left.") == "It rained. | He left."
    assert script.cut("A title\\n\\nSome text") == "A title |\\n\\nSome text"
    assert script.cut("It's.\tno") == "It's.\tIt 's ."


def test_each_kind_is_as_right_as_it_was(script: ModuleType) -> None:
    rows = [line.split(" | ") for line in script.report([], False)][1:]
    right = {kind.strip("| "): int(number.strip("| ")) for kind, _, number in rows}
    assert right.keys() == RIGHT.keys()
    assert all(right[kind] >= least for kind, least in RIGHT.items()), right
