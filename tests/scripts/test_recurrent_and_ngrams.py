"""The comparison of recurrent language models with n-grams, on a toy text."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tests.pretraining.toytext import KNOWN, N_WORDS, prepared

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts" / "experiments"
SMALL = ("dimension=8", "hidden=16", "steps=8", "sample=40", "batch=64", "network_rate=0.01")


def test_table_of_two_sizes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    from recurrent_and_ngrams import HEADING, main

    from senna.pretraining.language import LanguageRun

    text = prepared(tmp_path)
    arguments = [str(text.folder), "--words", "600", "6000", "--size", str(N_WORDS)]
    arguments += ["--held-out", "700", "--out", str(tmp_path / "runs"), "--set", *SMALL]
    main(arguments)
    lines = capsys.readouterr().out.splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert cells[0] == list(HEADING) and len(cells) == 4
    few, many = (dict(zip(HEADING, row, strict=True)) for row in cells[2:])
    assert (few["words"], many["words"]) == ("600", "6,000")
    for name in ("3-grams", "recurrent"):
        assert float(many[name]) < float(few[name])
    assert KNOWN * 0.9 < float(many["recurrent"]) < KNOWN * 1.3
    # Each word's probability is the mean of two: the perplexity is at most that of either, doubled.
    model = LanguageRun.load(tmp_path / "runs" / "6000")
    rows = model.own_text[1]
    ours, theirs = (np.exp(told.logs) for told in (model.tell(rows), model.told_by_ngrams(rows, 5)))
    both = math.exp(-np.log((ours + theirs) / 2).mean())
    assert float(many["both"]) == pytest.approx(both, abs=0.06)
    assert len(model.own_text[0]) < 7500 and len(rows) == 700
    with pytest.raises(SystemExit):
        main([*arguments, "--epochs", "1"])
    capsys.readouterr()
    main(arguments)  # trains no more
    again = capsys.readouterr().out.splitlines()
    assert [line.split("|")[:8] for line in again] == [line.split("|")[:8] for line in lines]
