"""Scores that are printed of runs are those of their models."""

import json
from pathlib import Path

from typer.testing import CliRunner

from senna.cli.app import app
from senna.lab.records import read_record
from senna.lab.repetition import curve
from senna.training.config import Config, write_config


def run_of(folder: Path, epochs: list[float], model: float) -> None:
    """A run whose model is that which it began with: no epoch was better on dev."""
    (folder / "model").mkdir(parents=True)
    write_config(folder / "config.toml", Config(tasks=("ner",)))
    lines = [{"epoch": i, "dev": {"ner": s}, "seconds": 1.0} for i, s in enumerate(epochs, 1)]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "metrics.jsonl").write_text(text, encoding="utf-8")
    about = f'[scores.ner]\nmeasure = "F1"\n"dev.txt dev" = {model}\n"test.txt test" = 1.0\n'
    (folder / "model" / "about.toml").write_text(about, encoding="utf-8")
    (folder / "model" / "README.md").write_text("", encoding="utf-8")


def test_the_model_may_be_better_than_every_epoch(tmp_path, monkeypatch):
    run_of(tmp_path / "runs" / "a", [55.0, 56.56], 57.69)
    record = read_record(tmp_path / "runs" / "a")
    assert record.best == record.of_model("ner") == 57.69
    assert record.of_model("pos") is None
    scores = {"ner": [record.of_model("ner") or 0.0]}
    assert [*curve([50], scores)][1].split() == ["50", "57.69"]
    monkeypatch.chdir(tmp_path)
    listed = CliRunner().invoke(app, ["runs", "list"]).output
    assert listed.splitlines()[1].split("\t")[2] == "57.69"
