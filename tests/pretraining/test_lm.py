"""senna lm, as a user types it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pretraining.toytext import SMALL, write_text

pytest.importorskip("torch")


def test_scores_and_samples(senna, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_text(Path("toy.txt"), 200)
    chosen = ("objective=bilinear", "ahead=true", *SMALL, "epochs=0.4")
    options = ["--input", "tokens", "--jobs", "1", *(p for s in chosen for p in ("--set", s))]
    assert senna("pretrain", "toy.txt", "--out", "lm", *options).code == 0
    Path("new.txt").write_text("axk bxl .\nzero axm\n", encoding="utf-8")
    done = senna("lm", "score", "new.txt", "--input", "tokens", "--model", "lm", "--ngrams", "2")
    first, second = done.out.decode().splitlines()
    assert first.startswith("perplexity ")
    assert first.endswith("of 5 words, 20.00% of them unknown, each given those before it")
    assert second.endswith("by Kneser-Ney n-grams of order 2")
    held = senna("lm", "score", "--model", "lm").out.decode()
    assert " words, 0.00% of them unknown" in held
    drawn = senna("lm", "sample", "--model", "lm", "-n", "2", "--length", "4", "--start", "axk")
    assert [len(line.split()) for line in drawn.out.decode().splitlines()] == [5, 5]
    assert drawn.out.startswith(b"axk ")
    for wrong in (("sample",), ("score", "--model", "none"), ("sample", "--temperature", "0")):
        assert senna("lm", *wrong).code == 2
