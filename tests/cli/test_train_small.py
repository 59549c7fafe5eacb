"""senna train on small files: epochs, hints, the part that is held out, learning curves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from senna.training.trainer import is_rising
from tests.cli.conftest import Senna
from tests.tiny import SMALL

SENTENCES = "Anna S-PER\nran O\n\nthe O\ndog O\nsaw O\nRome S-LOC\n\n"
OTHERS = [part for setting in SMALL if "epochs" not in setting for part in ("--set", setting)]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.txt").write_text(SENTENCES * 10, encoding="utf-8")
    return "x.txt"


def test_few_sentences_get_more_epochs_unless_these_are_named(senna: Senna, file: str) -> None:
    done = senna("train", "--task", "ner", "--train", file, "--name", "a", *OTHERS)
    lines = done.err.splitlines()
    assert lines[1] == (
        "30 epochs, as there are only 20 sentences (--set train.epochs=N changes it)"
    )
    assert "ner in 18 training sentences: PER 9, LOC 9" in lines
    assert "dev: the last 2 of the 20 sentences of ner (10%) are held out" in lines
    done = senna(
        "train", "--task", "ner", "--train", file, *OTHERS, "--set", "train.epochs=1", "--name", "b"
    )
    assert "epoch   1" in done.err and "epoch   2" not in done.err and " epochs, " not in done.err


def test_a_model_that_finds_nothing_is_told(senna: Senna, file: str) -> None:
    slow = ("--set", "train.learning_rate=1e-9", "--set", "train.epochs=1")
    Path("dev.txt").write_text("Bob S-PER\nslept O\n\n", encoding="utf-8")
    files = ("--train", file, "--dev", "dev.txt", "--name", "a")
    done = senna("train", "--task", "ner", *files, *OTHERS, *slow)
    assert "hint: the model predicts only O for ner on dev, or nothing right: " in done.err


def test_a_learning_curve_has_a_run_per_size(senna: Senna, file: str) -> None:
    options = ("--task", "ner", "--train", file, *OTHERS, "--set", "train.epochs=1")
    done = senna("train", *options, "--sizes", "9,4", "--name", "c")
    assert done.code == 0, done.err
    assert sorted(json.loads(Path("runs/c/sizes.json").read_text())["sizes"]) == ["4", "9"]
    table = done.err[done.err.index("sentences  ") :].splitlines()
    assert [line.split()[0] for line in table[:3]] == ["sentences", "4", "9"]
    assert "ner in 4 training sentences" in done.err
    again = senna("train", *options, "--sizes", "9,4", "--name", "c")
    assert again.code == 0 and "epoch" not in again.err


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (("--sizes", "5"), "a learning curve needs two sizes or more"),
        (("--sizes", "5,x"), "'5,x' is no list of numbers"),
        (("--sizes", "5,6", "--runs", "2"), "--runs and --sizes cannot be combined"),
        (("--sizes", "5,60"), "60 of 18 training sentences"),
    ],
)
def test_sizes_that_cannot_be(senna: Senna, file: str, options: tuple[str, ...], what: str) -> None:
    epochs = ("--set", "train.epochs=1", "--name", "c")
    done = senna("train", "--task", "ner", "--train", file, *OTHERS, *options, *epochs)
    assert done.code == 2 and what in done.err.splitlines()[-1]
    assert "epoch" not in done.err


@pytest.mark.parametrize(
    ("means", "rising"),
    [
        ([10, 20], False),  # the last two are the best two of any two that rise
        ([10, 20, 30], True),
        ([10, 30, 20], False),
        ([30, 10, 20], False),
        ([20, 20.1, 20.2], False),
        ([5, 30, 20, 31, 32], True),
    ],
)
def test_a_score_is_rising_when_its_last_two_steps_go_up(means: list[float], rising: bool) -> None:
    assert is_rising(means) is rising
