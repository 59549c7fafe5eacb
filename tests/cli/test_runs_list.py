"""senna runs: how far trainings are, and their curves."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from senna.config import Config
from senna.files import locked
from senna.toml import write_config
from senna.training.runs.records import records_of
from tests.cli.conftest import Senna

LINE = (
    '{{"epoch": {n}, "loss": 0.5, "dev": {{"ner": {score}, "ner:a": 1.0}}, '
    '"tokens_per_second": 9, "seconds": 2.6}}\n'
)


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(name: str, *scores: float, model: str = "") -> Path:
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


def test_a_line_for_each_run(senna: Senna) -> None:
    run("done", 70.5, 80.25, 79.0, model="[made]\nepochs = 3\n")
    run("stopped", 60.0, model="[made]\nstopped = true\n")
    run("begun")
    run("many/seed-1", 50.0, model="[made]\nepochs = 1\n")
    Path("runs/empty").mkdir()
    with locked(run("going", 61.0) / "metrics.jsonl"):
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


def test_what_is_no_run(senna: Senna) -> None:
    error = senna("runs", "list").error
    assert error == "runs: no such folder. `senna train` makes runs."
    run("damaged", 1.0)
    Path("runs/damaged/metrics.jsonl").write_text('{"epoch": 1', encoding="utf-8")
    vectors = run("vectors", 1.0)
    (vectors / "run.json").touch()
    assert senna("runs", "list").out.endswith(b"\ndamaged\t\t-\t0/0\t0\tdamaged\n")
    error = senna("runs", "plot", "damaged").error
    assert error == "runs/damaged/metrics.jsonl: a line of it is not JSON"
    error = senna("runs", "plot", "none").error
    assert error == "none: not a run (it has no config.toml). `senna runs list` lists the runs."
    run("begun")
    assert (
        senna("runs", "plot", "begun").error == "runs/begun: the run has no complete epoch to draw"
    )
    run("done", 1.0)
    assert "an .svg or a .png" in senna("runs", "plot", "done", "--out", "x.pdf").error


def test_curves(senna: Senna) -> None:
    pytest.importorskip("matplotlib")
    run("$a$", 70.5, 80.25)
    run("other", 60.0)
    assert senna("runs", "plot", "$a$", "runs/other").code == 0
    drawing = Path("curves.svg").read_bytes()
    assert b"$a$" in drawing and b"other" in drawing
    assert senna("runs", "plot", "$a$", "runs/other").code == 0
    assert Path("curves.svg").read_bytes() == drawing
    assert senna("runs", "plot", "other", "-o", "c.png").code == 0
    assert Path("c.png").read_bytes().startswith(b"\x89PNG")


def test_without_matplotlib(senna: Senna, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    run("done", 1.0)
    error = senna("runs", "plot", "done").error
    assert error.endswith("which is not installed. pip install 'senna[plot]'")
    assert not Path("curves.svg").exists()


def test_all_seeds_of_a_repeated_run_are_drawn(senna: Senna) -> None:
    run("many/seed-1", 50.0)
    run("many/seed-2", 60.0)
    write_config(Path("runs/many/config.toml"), Config(tasks=("ner",)))
    assert [record.best for record in records_of("many")] == [50.0, 60.0]
    done = senna("runs", "plot", "many")
    assert done.code == 0 or "pip install 'senna[plot]'" in done.err


def test_to_show_a_run_creates_no_file_in_it() -> None:
    path = run("begun")
    (path / "metrics.jsonl").unlink()
    before = sorted(path.iterdir())
    assert [record.state for record in records_of("begun")] == ["begun"]
    assert sorted(path.iterdir()) == before
