"""senna.train: what the command does, from Python."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import senna
from senna.errors import SennaError
from senna.training.start import configuration
from tests.processes import ROOT
from tests.tiny import SMALL

TRAIN = "Ada B-PER\nran O\n\nBo B-PER\nsat O\n\n" * 4


@pytest.fixture(autouse=True)
def empty_folder(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("train.txt").write_text(TRAIN, encoding="utf-8", newline="\n")


def test_own_files_to_a_model_that_tags(capsys):
    said: list[str] = []
    settings, data = [*SMALL, "train.epochs=30"], [Path("train.txt")]
    names: dict[str, Any] = {"columns": "word,tag", "settings": settings, "out": "mine"}
    folder = senna.train("ner", train="train.txt", dev=data, say=said.append, **names)
    assert folder == Path("mine/model")
    assert senna.load(model=folder).tag([["Ada", "ran"]])["ner"] == [["S-PER", "O"]]
    assert said[-1].startswith("model: mine/model")
    assert sum(line.startswith("epoch ") for line in said) == 30
    assert capsys.readouterr().err == "", "all that is said goes to say"
    assert "senna.train()" in (folder / "README.md").read_text(encoding="utf-8")


def test_settings_as_a_dictionary_and_the_next_free_folder(capsys):
    settings = {
        "features.word.embeddings": "", "features.word.size": 16, "features.characters.filters": 8,
        "network.gated.units": 16, "train.epochs": 1, "data.pos.size": 40,
    }  # fmt: skip
    folders = [senna.train(["pos"], corpus="demo", settings=settings) for _ in range(2)]
    assert folders == [Path("runs/pos/model"), Path("runs/pos-2/model")]
    assert capsys.readouterr().out == ""
    assert senna.load(model=folders[0]).tasks == ("pos",)
    with pytest.raises(SennaError, match="already contains a run"):
        senna.train("pos", corpus="demo", settings=settings, out="runs/pos")


def test_what_cannot_be_trained():
    with pytest.raises(SennaError, match="corpus demo: a corpus beside files of your own"):
        senna.train("pos", train="x", corpus="demo", out="run")
    with pytest.raises(SennaError, match="no task is given"):
        senna.train()
    with pytest.raises(SennaError, match="unknown task 'colour'"):
        senna.train("colour")
    with pytest.raises(SennaError, match="missing.txt: no such file"):
        senna.train("ner", train="missing.txt")
    with pytest.raises(SennaError, match="epoch"):
        senna.train("ner", corpus="demo", settings={"train.epoch": 1})
    with pytest.raises(SennaError, match="no such run"):
        senna.train(resume="runs/none")
    assert not Path("runs").exists()


def test_the_task_that_is_named_is_trained_on_though_its_model_has_others():
    assert configuration([], None, [], {}, print, "chunk").tasks == ("chunk",)
    assert configuration(["pos", "chunk"], None, [], {}, print, "chunk").tasks == ("pos", "chunk")


@pytest.mark.parametrize(("command", "given"), [("train", "active"), ("pretrain", None)])
def test_threads_sleep_while_they_wait(command, given):
    """It is set before PyTorch is loaded, and left alone where the user has set it."""
    Path("torch").mkdir()
    loaded = "import os; print(os.environ.get('OMP_WAIT_POLICY')); raise SystemExit"
    Path("torch", "__init__.py").write_text(loaded, encoding="utf-8")
    env = {name: value for name, value in os.environ.items() if name != "OMP_WAIT_POLICY"}
    env |= {"PYTHONPATH": f"{Path.cwd()}{os.pathsep}{ROOT}"}
    env |= {} if given is None else {"OMP_WAIT_POLICY": given}
    options = {
        "train": ("--task", "pos", "--corpus", "demo"),
        "pretrain": ("train.txt", "--out", "out"),
    }
    program = [sys.executable, "-m", "senna", command, *options[command]]
    done = subprocess.run(program, env=env, capture_output=True, text=True, check=False)
    assert done.stdout == f"{given or 'passive'}\n", done.stderr
