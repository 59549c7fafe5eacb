"""senna train --runs: the same training with several seeds; senna runs."""

import json
import statistics
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from senna.atomic import locked
from senna.lab.records import read_record, records_of
from senna.lab.repetition import curve
from senna.model.folder import read_model
from senna.training.config import Config, write_config
from tests.tiny import SMALL
from tests.toys import stop_at_save

TRAIN = "Ada\tB-PER\nran\tO\n\nthe\tO\nFlu\tB-ILL\n\n" * 6
SMALLEST = [part for setting in (*SMALL, "network.gated.units=8") for part in ("--set", setting)]
OPTIONS = ("train", "--task", "ner", "--train", "mine.txt", "--dev", "mine.txt", *SMALLEST)
THREE = (*OPTIONS, "--runs", "3", "--name", "three")


@pytest.fixture(autouse=True)
def empty_folder(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.txt").write_text(TRAIN, encoding="utf-8", newline="\n")


def arrays(path: str) -> dict[str, np.ndarray]:
    return dict(read_model(Path(path)).arrays())


def figures(name: str) -> dict[str, Any]:
    """The scores of repeated runs."""
    found: dict[str, Any] = json.loads(Path(f"runs/{name}/runs.json").read_text())["scores"]
    return found


def test_figures_of_three_runs(senna):
    done = senna(*THREE)
    assert done.code == 0, done.err
    records = [read_record(Path(f"runs/three/seed-{seed}")) for seed in (1, 2, 3)]
    values = [record.scores["ner"]["mine.txt dev"] for record in records]
    row = figures("three")["ner"]["mine.txt dev"]
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


@pytest.mark.slow
def test_processes_train_the_same(senna):
    assert senna(*THREE).code == 0
    done = senna(*OPTIONS, "--runs", "3", "--name", "jobs", "--jobs", "2")
    assert done.code == 0, done.err
    assert figures("three") == figures("jobs")


def test_the_same_command_goes_on(senna, monkeypatch):
    """Stopped in the second epoch of the second run: the first is not trained again."""
    with monkeypatch.context() as patch:
        stop_at_save(patch, 3)
        stopped = senna(*THREE)
    assert stopped.code == 143
    told = "senna: stopped; 1 of 3 runs are complete, the same command continues"
    assert stopped.err.splitlines()[-1] == told
    before = Path("runs/three/seed-1/model/model.toml").stat().st_mtime_ns
    done = senna(*THREE)
    assert done.code == 0, done.err
    assert "runs/three/seed-1:" not in done.err
    assert Path("runs/three/seed-1/model/model.toml").stat().st_mtime_ns == before
    assert len(read_record(Path("runs/three/seed-2")).epochs) == 2
    assert senna(*OPTIONS, "--runs", "3", "--name", "whole").code == 0
    assert figures("three") == figures("whole")
    assert senna(*THREE).err.count("epoch") == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--runs 1 --name x", "--runs 1: one run has no standard deviation. Give 2 or more."),
        ("--runs 3", "--runs: a name is needed."),
        ("--jobs 2", "--jobs 2: --jobs needs --runs"),
        ("--runs 2 --jobs 0 --name x", "--jobs 0: expected at least 1"),
        ("--runs 2 --name x --set train.seed=7", "train.seed: --runs trains with seeds 1 to 2"),
    ],
)
def test_numbers_that_make_no_sense(senna, options, message):
    assert senna(*OPTIONS, *options.split()).error.startswith(message)
    assert not Path("runs").exists()


def test_a_folder_of_other_runs_is_refused(senna):
    assert senna(*THREE, "--set", "train.epochs=1").code == 0
    error = senna(*THREE, "--set", "train.epochs=3").error
    assert error == "runs/three: contains runs with other settings or data. Choose another --name."
    assert senna(*OPTIONS, "--name", "alone").code == 0
    error = senna(*OPTIONS, "--runs", "2", "--name", "alone").error
    assert error == "runs/alone: already contains a run. Choose another --name."
    error = senna("train", "--from", "runs/three", "--train", "mine.txt").error
    assert error.startswith("runs/three: 3 runs with models. Name one of them, for example ")
    error = senna("train", "--resume", "runs/three", "--runs", "3").error
    assert "continues with its own settings, so --runs cannot be given" in error
    with locked(Path("runs/three/runs.lock")):
        error = senna(*THREE).error
    assert error.endswith("is writing it. Wait for its end, or choose another --name.")


# --------------------------------------------------------------------------- runs list, runs plot

LINE = (
    '{{"epoch": {n}, "loss": 0.5, "dev": {{"ner": {score}, "ner:a": 1.0}}, '
    '"tokens_per_second": 9, "seconds": 2.6}}\n'
)


def made_run(name: str, *scores: float, model: str = "") -> Path:
    """A run's folder, and with `model` its about.toml."""
    path = Path("runs") / name
    (path / "model").mkdir(parents=True)
    write_config(path / "config.toml", Config(tasks=("ner",)))
    lines = [LINE.format(n=n, score=score) for n, score in enumerate(scores, start=1)]
    (path / "metrics.jsonl").write_text("".join(lines), encoding="utf-8")
    if scores:
        (path / "checkpoint.pt").touch()
    if model:
        (path / "model" / "about.toml").write_text(model, encoding="utf-8")
        (path / "model" / "README.md").touch()
    return path


def test_a_line_for_each_run(senna):
    made_run("done", 70.5, 80.25, 79.0, model="[made]\nepochs = 3\n")
    made_run("stopped", 60.0, model="[made]\nstopped = true\n")
    made_run("begun")
    made_run("many/seed-1", 50.0, model="[made]\nepochs = 1\n")
    Path("runs/empty").mkdir()
    with locked(made_run("going", 61.0) / "metrics.jsonl"):
        done = senna("runs", "list")
    assert done.code == 0, done.err
    assert done.out.decode().splitlines() == [
        "name\ttasks\tdev\tepochs\tseconds\tstate",
        "begun\tner\t-\t0/10\t0\tbegun",
        "done\tner\t80.25\t3/10\t8\tfinished",
        "going\tner\t61.00\t1/10\t3\trunning",
        "many/seed-1\tner\t50.00\t1/10\t3\tfinished",
        "stopped\tner\t60.00\t1/10\t3\tstopped",
    ]


def test_what_is_no_run(senna):
    listed = senna("runs", "list")
    assert listed.out == b"" and listed.error == "runs: no such folder. `senna train` makes runs."
    made_run("damaged", 1.0)
    Path("runs/damaged/metrics.jsonl").write_text('{"epoch": 1', encoding="utf-8")
    vectors = made_run("vectors", 1.0)
    (vectors / "run.json").touch()
    assert senna("runs", "list").out.endswith(b"\ndamaged\t\t-\t0/0\t0\tdamaged\n")
    error = senna("runs", "plot", "damaged").error
    assert error == "runs/damaged/metrics.jsonl: a line of it is not JSON"
    error = senna("runs", "plot", "none").error
    assert error == "none: no such run (it has no config.toml). `senna runs list` lists the runs."
    made_run("begun")
    error = senna("runs", "plot", "begun").error
    assert error == "runs/begun: the run has no complete epoch to draw"
    made_run("done", 1.0)
    assert "an .svg or a .png" in senna("runs", "plot", "done", "--out", "x.pdf").error


def test_curves(senna):
    pytest.importorskip("matplotlib")
    made_run("$a$", 70.5, 80.25)
    made_run("other", 60.0)
    assert senna("runs", "plot", "$a$", "runs/other").code == 0
    drawing = Path("curves.svg").read_bytes()
    assert b"$a$" in drawing and b"other" in drawing
    assert senna("runs", "plot", "$a$", "runs/other").code == 0
    assert Path("curves.svg").read_bytes() == drawing
    assert senna("runs", "plot", "other", "-o", "c.png").code == 0
    assert Path("c.png").read_bytes().startswith(b"\x89PNG")


def test_all_seeds_of_a_repeated_run_are_drawn(senna):
    made_run("many/seed-1", 50.0)
    made_run("many/seed-2", 60.0)
    write_config(Path("runs/many/config.toml"), Config(tasks=("ner",)))
    assert [record.best for record in records_of("many")] == [50.0, 60.0]
    done = senna("runs", "plot", "many")
    assert done.code == 0 or "pip install matplotlib" in done.err


def test_to_show_a_run_creates_no_file_in_it():
    path = made_run("begun")
    (path / "metrics.jsonl").unlink()
    before = sorted(path.iterdir())
    assert [record.state for record in records_of("begun")] == ["begun"]
    assert sorted(path.iterdir()) == before


def test_the_model_may_be_better_than_every_epoch(senna):
    """Where it is the one that the run began with."""
    scores = '[scores.ner]\nmeasure = "F1"\n"dev.txt dev" = 57.69\n"test.txt test" = 1.0\n'
    record = read_record(made_run("a", 55.0, 56.56, model=scores))
    assert record.best == record.of_model("ner") == 57.69
    assert record.of_model("pos") is None
    figures = {"ner": [record.of_model("ner") or 0.0]}
    assert [*curve([50], figures)][1].split() == ["50", "57.69"]
    assert senna("runs", "list").out.splitlines()[1].split(b"\t")[2] == b"57.69"
