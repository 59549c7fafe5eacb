"""Language models in use: each probability against the model's scores, one word at a time."""

import math
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch

from senna.errors import SennaError
from senna.pretraining.config import Job, Pretraining
from senna.pretraining.language import LanguageRun
from senna.pretraining.run import pretrain
from senna.text.vocabulary import PADDING, RARE
from tests.pretraining.toytext import SMALL, prepared, small_config, write_text

OBJECTIVES = {
    "recurrent": ("hidden=12", "projection=6", "network_rate=0.02"),
    "likelihood": ("ahead=true", "softmax=nce"),
    "bilinear": (),
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory) -> dict[str, tuple[Path, list[str]]]:
    """A run of each objective, and the perplexities that it printed: its own, that of trigrams."""
    folder = tmp_path_factory.mktemp("language")
    text, found = prepared(folder), {}
    for name, settings in OBJECTIVES.items():
        config, said = small_config(name, "epochs=3", *settings), list[str]()
        assert isinstance(config, Pretraining)
        pretrain(config, Job(folder / name, text=text.folder, kind="tokens"), said.append)
        found[name] = folder / name, re.findall(r"^perplexity ([\d.]+)", "\n".join(said), re.M)
    return found


@pytest.mark.parametrize("name", OBJECTIVES)
def test_each_probability_is_that_of_the_scores(name, runs, tmp_path):
    run = LanguageRun.load(runs[name][0])
    (tmp_path / "new.txt").write_text("axk bxl cxk\ndyk nothing . eym\n", encoding="utf-8")
    rows = run.read([tmp_path / "new.txt"], "tokens")
    known = [row > RARE for row in rows.tolist()]
    assert known == [True, True, True, False, True, False, True, True, False]
    of_text = run.score(rows)
    words = torch.arange(RARE, len(run.words) + RARE + 1)
    model, half = run.model, run.model.width // 2
    expected = []
    for place in np.flatnonzero(rows != PADDING).tolist():
        if name == "recurrent":  # it has read all the text before
            seen = torch.tensor([[PADDING, *rows[:place].tolist()]])
            states, _ = model.read(0, model.words.weight[seen], None)
            scores = model.softmax.scores(states[:, -1], words)[0]
        else:
            wide = np.pad(rows, half)[place : place + 2 * half + 1]
            scores = model.scores(torch.from_numpy(wide.astype(np.int64))[None], words)[0]
        expected.append(torch.log_softmax(scores, 0)[int(rows[place]) - RARE].item())
    assert of_text.logs == pytest.approx(expected, abs=1e-4)
    assert of_text.perplexity == pytest.approx(math.exp(-np.mean(expected)), rel=1e-4)
    assert of_text.unknown == 1 / 7


@pytest.mark.parametrize("name", OBJECTIVES)
def test_what_a_run_held_out_is_scored_as_at_its_end(name, runs):
    path, shown = runs[name]
    run = LanguageRun.load(path)
    train, held = run.own_text
    found = run.score(held), run.score_by_ngrams(held, 3)
    assert [f"{scores.perplexity:.2f}" for scores in found] == shown
    assert len(train) > len(held) > 100


def test_samples_are_drawn_by_probability(runs):
    for name in ("recurrent", "likelihood"):
        run = LanguageRun.load(runs[name][0])
        drawn = list(run.sample(400, ["axk"], 1, 1.0))
        assert drawn == list(run.sample(400, ["axk"], 1, 1.0)) != list(run.sample(400, [], 2, 1.0))
        assert set(drawn) <= set(run.words)
        follows = pairwise(drawn)
        places = [(a[0], b[0]) for a, b in follows if a != "." != b]
        assert np.mean([ord(b) - ord(a) == 1 for a, b in places]) > 0.6  # a, b, c, d, e
        surest = list(run.sample(5, ["axk"], 1, 1e-4))
        rows = {word: row for row, word in enumerate(run.words, RARE + 1)}
        scores = run.score(np.array([rows["axk"], rows[surest[0]]], np.int32))
        others = [run.score(np.array([rows["axk"], row], np.int32)) for row in rows.values()]
        assert scores.logs[1] == pytest.approx(max(other.logs[1] for other in others))


def test_what_is_no_language_model_is_refused(runs, tmp_path):
    with pytest.raises(SennaError, match="not a run of `senna pretrain`. Name the folder"):
        LanguageRun.load(tmp_path)
    with pytest.raises(SennaError, match="on both sides, so it cannot go on from left to right"):
        next(LanguageRun.load(runs["bilinear"][0]).sample(1, [], 1, 1.0))
    text = prepared(tmp_path)
    config = small_config("skipgram", "epochs=0.2")
    pretrain(config, Job(tmp_path / "s", text=text.folder, kind="tokens"), print)
    with pytest.raises(SennaError, match="skipgram gives words no probabilities"):
        LanguageRun.load(tmp_path / "s")
    empty = tmp_path / "empty.txt"
    empty.write_text("\n")
    with pytest.raises(SennaError, match="empty.txt: no words in it"):
        LanguageRun.load(runs["recurrent"][0]).read([empty], "tokens")
    path = runs["likelihood"][0] / "words.txt"
    words = path.read_text(encoding="utf-8")
    try:
        path.write_text(words + "more\n", encoding="utf-8")
        with pytest.raises(SennaError, match=r"words in words.txt, \d+ in the model"):
            LanguageRun.load(runs["likelihood"][0])
    finally:
        path.write_text(words, encoding="utf-8")


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
