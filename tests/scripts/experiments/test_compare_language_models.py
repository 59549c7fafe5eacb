"""scripts/experiments/compare_language_models.py: one table, of runs that are not repeated."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.pretraining.toytext import prepared

SCRIPTS = Path(__file__).parents[3] / "scripts" / "experiments"


def test_one_command_trains_and_prints_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    import compare_language_models

    text = prepared(tmp_path, 200)
    command = [
        "compare", str(text.folder), "--out", str(tmp_path / "runs"), "--size", "30",
        "--words", "900", "--held-out", "150", "--epochs", "0.5",
        "--only", "feed-forward", "feed-forward, NCE", "feed-forward, classes", "CBOW",
    ]  # fmt: skip
    monkeypatch.setattr(sys, "argv", command)
    compare_language_models.main()
    printed = capsys.readouterr()
    lines = printed.out.splitlines()
    names = [line.split("|")[1].strip() for line in lines]
    assert names == [
        "model", "---", "Kneser-Ney trigrams", "feed-forward", "feed-forward, NCE", "CBOW",
    ]  # fmt: skip  # without clusters there are no classes
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    assert {len(row) for row in cells} == {7}
    assert all(float(row[2]) > 1 for row in cells[2:5]) and cells[5][2] == ""
    assert all(1 <= float(row[3]) <= 31 for row in cells[3:])
    compare_language_models.main()
    again = capsys.readouterr()
    assert again.out == printed.out and "100%" not in again.err
