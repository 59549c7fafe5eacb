"""The measurement of tables: every way that is installed gives the same, and is printed."""

from __future__ import annotations

import pytest

import senna
from scripts import measure_tables
from senna.model.folder import shipped

pytestmark = pytest.mark.skipif("ner" not in shipped(), reason="no models in the package")


def test_all_ways_find_the_same(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = ["Ada Lovelace lived in Turin.", "It rained."]
    ways = list(measure_tables.ways(senna.load("ner"), texts))
    first, *others = [list(way()) for package, _, way in ways if package in ("", "pandas")]
    assert first[0][:2] == ["B-PER", "E-PER"]
    assert all(found == first for found in others)
    monkeypatch.setattr("sys.argv", ["measure_tables.py", "--rows", "3", "--runs", "1"])
    measure_tables.main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("3 texts, ") and len(lines) == 1 + len(ways)
    assert lines[1].endswith(" 1.00 times the first")
