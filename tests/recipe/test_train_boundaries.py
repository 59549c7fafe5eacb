"""recipe/train_boundaries.py on a small corpus."""

import json
import lzma
import sys
from types import ModuleType
from unittest.mock import patch

import pytest

from senna.text import sentence_model
from senna.text.sentences import split

TEXT = "Stops: Here (a) Nowhere else."


@pytest.fixture
def script(monkeypatch, tmp_path) -> ModuleType:
    folder = tmp_path / "data" / "tokenization"
    folder.mkdir(parents=True)
    document = {"text": TEXT, "sentences": [[0, 6], [7, len(TEXT)]], "tokens": []}
    for name in ("ewt-train", "gum-train", "ewt-dev", "gum-dev"):
        with lzma.open(folder / f"{name}.jsonl.xz", "wt", encoding="utf-8") as file:
            file.write((json.dumps(document) + "\n") * 20)
    monkeypatch.setenv("SENNA_DATA", str(tmp_path / "data"))
    import train_boundaries

    return train_boundaries


def test_gaps_are_those_that_the_splitter_asks_about(script):
    rows, gold, ruled = script.gaps("ewt-train")
    assert rows.shape == (40, 10)
    assert gold.tolist() == [True, False] * 20
    assert not ruled.any()


def test_learnt_weights_split_as_the_corpus_does(script, tmp_path, monkeypatch, capsys):
    out = tmp_path / "boundaries.bin"
    monkeypatch.setattr(sys, "argv", ["train_boundaries", "--out", str(out)])
    script.main()
    assert "ewt-dev: 100.00% right of 40, by rules 50.00%" in capsys.readouterr().out
    assert len(out.read_bytes()) == sentence_model.N_ROWS
    learnt = memoryview(out.read_bytes()).cast("b")
    with patch.object(sentence_model, "weights", lambda: learnt):
        assert [sentence[-1].text for sentence in split(TEXT)] == [":", "."]
