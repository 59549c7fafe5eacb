"""senna train --runs: the same training with several seeds."""

from __future__ import annotations

import json
import statistics
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from senna.files import locked
from senna.model.folder import read_model
from senna.training import loop
from senna.training.runs import repetition
from senna.training.runs.records import read_record
from tests.cli.conftest import Senna
from tests.tiny import SMALL

TRAIN = "Ada\tB-PER\nran\tO\n\nthe\tO\nFlu\tB-ILL\n\n" * 6
SMALLEST = [part for setting in (*SMALL, "network.gated.units=8") for part in ("--set", setting)]
OPTIONS = ("train", "--task", "ner", "--train", "mine.txt", "--dev", "mine.txt", *SMALLEST)
THREE = (*OPTIONS, "--runs", "3", "--name", "three")


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.txt").write_text(TRAIN, encoding="utf-8", newline="\n")


def arrays(path: str) -> dict[str, np.ndarray]:
    return dict(read_model(Path(path)).arrays())


def test_figures_of_three_runs(senna: Senna) -> None:
    done = senna(*THREE)
    assert done.code == 0, done.err
    values = [
        read_record(Path(f"runs/three/seed-{seed}")).scores["ner"]["mine.txt dev"]
        for seed in (1, 2, 3)
    ]
    row = json.loads(Path("runs/three/runs.json").read_text())["scores"]["ner"]["mine.txt dev"]
    assert row["values"] == values
    assert (row["worst"], row["best"]) == (sorted(values)[0], sorted(values)[-1])
    assert row["mean"] == pytest.approx(sum(values) / 3, abs=0.01)
    assert row["deviation"] == pytest.approx(statistics.stdev(values), abs=0.01)
    lines = done.err.splitlines()
    assert lines[-3].split() == ["worst", "mean", "best", "s.d.", "3", "runs"]
    numbers = [f"{row[key]:.2f}" for key in ("worst", "mean", "best", "deviation")]
    assert lines[-2].split() == ["ner", "F1", *numbers, "mine.txt", "dev"]
    assert f"model: runs/three/seed-{1 + int(np.argmax(values))}/model" in lines[-1]
    assert senna(*OPTIONS, "--name", "alone", "--set", "train.seed=2").code == 0
    alone, second = arrays("runs/alone/model"), arrays("runs/three/seed-2/model")
    assert all(np.array_equal(array, second[name]) for name, array in alone.items())
    first = arrays("runs/three/seed-1/model")
    assert not all(np.array_equal(array, second[name]) for name, array in first.items())


def test_processes_train_the_same(senna: Senna) -> None:
    assert senna(*THREE).code == 0
    done = senna(*OPTIONS, "--runs", "3", "--name", "jobs", "--jobs", "2")
    assert done.code == 0, done.err
    first, second = (json.loads(Path(f"runs/{n}/runs.json").read_text()) for n in ("three", "jobs"))
    assert first == second


def test_the_same_command_goes_on(senna: Senna, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped in the second epoch of the second run: the first is not trained again."""
    save, saved = loop.save, []

    def stop(trainer: Any) -> None:
        save(trainer)
        saved.append(trainer)
        trainer.interruption.number = 15 * (len(saved) == 3)

    monkeypatch.setattr(loop, "save", stop)
    stopped = senna(*THREE)
    assert stopped.code == 143
    assert stopped.err.splitlines()[-1] == (
        "senna: stopped; 1 of 3 runs are complete, the same command continues"
    )
    monkeypatch.setattr(loop, "save", save)
    before = Path("runs/three/seed-1/model/model.toml").stat().st_mtime_ns
    done = senna(*THREE)
    assert done.code == 0, done.err
    assert "runs/three/seed-1:" not in done.err
    assert Path("runs/three/seed-1/model/model.toml").stat().st_mtime_ns == before
    assert len(read_record(Path("runs/three/seed-2")).epochs) == 2
    assert senna(*OPTIONS, "--runs", "3", "--name", "whole").code == 0
    first, second = (
        json.loads(Path(f"runs/{n}/runs.json").read_text()) for n in ("three", "whole")
    )
    assert first == second
    assert senna(*THREE).err.count("epoch") == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--runs", "1", "--name", "x"),
            "--runs 1: one run has no standard deviation. Give 2 or more.",
        ),
        (
            ("--runs", "-4", "--name", "x"),
            "--runs -4: one run has no standard deviation. Give 2 or more.",
        ),
        (("--runs", "3"), "--runs: --runs needs --name."),
        (("--jobs", "2"), "--jobs 2: --jobs needs --runs"),
        (("--runs", "2", "--jobs", "0", "--name", "x"), "--jobs 0: expected at least 1"),
        (
            ("--runs", "2", "--name", "x", "--set", "train.seed=7"),
            "train.seed: --runs trains with seeds 1 to 2",
        ),
    ],
)
def test_numbers_that_make_no_sense(senna: Senna, options: tuple[str, ...], message: str) -> None:
    assert senna(*OPTIONS, *options).error.startswith(message)
    assert not Path("runs").exists()


def test_a_folder_of_other_runs_is_refused(senna: Senna) -> None:
    assert senna(*THREE, "--set", "train.epochs=1").code == 0
    error = senna(*THREE, "--set", "train.epochs=3").error
    assert error == "runs/three: contains runs with other settings or data. Choose another --name."
    assert senna(*OPTIONS, "--name", "alone").code == 0
    error = senna(*OPTIONS, "--runs", "2", "--name", "alone").error
    assert error == "runs/alone: already contains a run. Choose another --name."
    error = senna("train", "--from", "runs/three", "--train", "mine.txt").error
    assert (
        error == "runs/three: 3 runs with models. Name one of them, for example runs/three/seed-1."
    )
    error = senna("train", "--resume", "runs/three", "--runs", "3").error
    assert error.startswith(
        "--resume: the run continues with its own settings, so --runs cannot be given"
    )


def test_runs_of_a_name_that_go_on_are_refused(senna: Senna) -> None:
    folder = Path("runs/three")
    folder.mkdir(parents=True)
    with locked(folder / "runs.lock"):
        error = senna(*THREE).error
    assert error.endswith(
        "another process is writing it. Wait for its end, or choose another --name."
    )


def test_the_figures_of_known_scores() -> None:
    scores = [{"pos": {"measure": "accuracy", "test": value}} for value in (90.0, 93.0, 96.0)]
    row = repetition.summary(scores)["pos"]["test"]
    assert row == {
        "worst": 90.0, "mean": 93.0, "best": 96.0, "deviation": 3.0, "values": [90.0, 93.0, 96.0],
    }  # fmt: skip
