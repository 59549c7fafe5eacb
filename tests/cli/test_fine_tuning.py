"""senna train --from: a model is trained on, on data of one's own."""

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from senna.model.folder import read_model
from senna.training import loop, run, start_from
from senna.training.config import read_config

TRAIN = "Ada\tB-PER\nran\tO\n\nthe\tO\nFlu\tB-ILL\n\n" * 6


@pytest.fixture(autouse=True)
def empty_folder(tmp_path, monkeypatch, shipped) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(start_from, "MODELS", shipped)
    Path("mine.txt").write_text(TRAIN, encoding="utf-8", newline="\n")


OWN = ("train", "--task", "ner", "--train", "mine.txt", "--dev", "mine.txt")
FROM = (*OWN, "--from", "ner")


def test_a_model_of_the_package_learns_a_new_type(senna, shipped):
    done = senna(*FROM, "--name", "ill", "--set", "train.learning_rate=0.01")
    assert done.code == 0, done.err
    assert f"ner tags that {shipped}/ner lacks: B-ILL, I-ILL, E-ILL, S-ILL" in done.err
    assert "before training:  dev ner " in done.err
    folder = read_model(Path("runs/ill/model"))
    before = read_model(shipped / "ner")
    assert folder.lines("ner.tags.txt")[:-4] == before.lines("ner.tags.txt")
    assert folder.used("base") is None
    tagged = senna("tag", "--model", "runs/ill/model", "--input", "tokens", data=b"the Flu\n")
    assert tagged.out == b"the\tO\nFlu\tS-ILL\n\n"
    for table in ("features", "network"):
        assert folder.meta[table] == before.meta[table]
    about = tomllib.loads((folder.path / "about.toml").read_text(encoding="utf-8"))
    assert about["config"]["train"]["model"] == "ner"
    assert set(about["data"]) == {"train.txt", "mine.txt"}, "of the model, and its own"
    assert set(before.about["notes"]) <= set(about["notes"])
    assert "CC BY-SA 4.0" in (folder.path / "README.md").read_text(encoding="utf-8")


def test_a_run_and_a_folder_are_models_too_and_the_run_can_be_repeated(senna):
    assert senna(*FROM, "--name", "first", "--set", "train.epochs=1").code == 0
    again = senna("train", "--config", "runs/first/config.toml", "--name", "again")
    assert again.code == 0, again.err
    first, second = (read_model(Path(f"runs/{name}/model")) for name in ("first", "again"))
    files = [{n: f["sha256"] for n, f in m.meta["files"].items()} for m in (first, second)]
    assert files[0] == files[1]
    for name in ("runs/first", "runs/first/model"):
        done = senna("train", "--from", name, "--train", "mine.txt", "--set", "train.epochs=1")
        assert done.code == 0, done.err
        assert "lacks" not in done.err


def test_an_interrupted_run_goes_on(senna, monkeypatch):
    options = (*FROM, "--set", "train.epochs=4", "--set", "train.thaw=1")
    assert senna(*options, "--name", "whole").code == 0
    save, epochs = loop.save, []

    def stop(trainer: Any) -> None:
        save(trainer)
        epochs.append(trainer.state.epoch)
        trainer.interruption.number = 15 * (len(epochs) == 2)

    monkeypatch.setattr(loop, "save", stop)
    stopped = senna(*options, "--name", "parts")
    assert "continue with senna train --resume runs/parts" in stopped.err
    monkeypatch.setattr(loop, "save", save)
    whole, parts = Path("runs/whole"), Path("runs/parts")
    assert len((parts / "metrics.jsonl").read_text().splitlines()) < 4
    done = senna("train", "--resume", "runs/parts")
    assert done.code == 0, done.err
    assert "before training" not in done.err
    first, second = (dict(read_model(path / "model").arrays()) for path in (whole, parts))
    assert all(np.array_equal(array, second[name]) for name, array in first.items())


@pytest.mark.parametrize("extends", ["", 'extends = "ner"\n'])
def test_a_configuration_builds_on_the_model(senna, extends):
    """In the place of the default of its tasks."""
    Path("mine.toml").write_text(f"{extends}[train]\nepochs = 1\nbatch = 3\n", encoding="utf-8")
    done = senna(*FROM, "--config", "mine.toml")
    assert done.code == 0, done.err
    config = read_config(Path("runs/ner/config.toml"))
    assert (config.train.batch, config.network.gated.units) == (3, 32)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--set", "features.suffix.size=5"), "features.suffix.size = 5, but the model has 4"),
        (("--set", "network.kind=window"), "network.kind = 'window', but the model has 'gated'"),
        (("--embeddings", "base"), "--embeddings: the model trained on has vectors of its own."),
        (("--set", "train.encoder=runs/x"), "train.model and train.encoder exclude"),
        (("--config", "other.toml"), "but the model has"),
        (("--task", "srl"), "no model for task 'srl'. It has ner."),
    ],
)
def test_what_does_not_fit_the_model(senna, monkeypatch, options, message):
    monkeypatch.setattr(run, "read_corpora", pytest.fail)
    other = 'extends = ""\ntasks = ["ner"]\n'
    Path("other.toml").write_text(other, encoding="utf-8")
    assert message in senna(*FROM, *options).error
    assert not Path("runs").exists()


def test_thawing_needs_a_model(senna):
    error = senna(*OWN, "--set", "train.thaw=1").error
    assert error == "--set: train.thaw needs a model to start from (--from)"
