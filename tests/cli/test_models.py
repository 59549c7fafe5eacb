"""senna models: list, show, check."""

import shutil
from pathlib import Path

import pytest

from senna.model.folder import read_model
from senna.tasks import TASKS


@pytest.mark.usefixtures("shipped")
@pytest.mark.parametrize("command", [("models",), ("models", "list")])
def test_lists_the_models_that_ship(senna, command):
    done = senna(*command)
    assert (done.code, done.err) == (0, "")
    heading, *rows = [line.split("\t") for line in done.out.decode().splitlines()]
    assert heading == ["task", "model", "size", "scores"]
    assert [row[0] for row in rows] == ["pos", "chunk", "ner"]
    assert all(senna("models", "show", row[1]).code == 0 for row in rows)
    assert all(row[2].endswith(" MB") for row in rows)
    assert rows[0][3].startswith("accuracy ")
    assert rows[1][3].startswith("F1 ")


def test_shows_the_card_of_a_task_or_a_folder(senna, shipped):
    done = senna("models", "show", "ner")
    assert done.code == 0
    assert done.out == (shipped / "ner" / "README.md").read_bytes()
    assert senna("models", "show", shipped / "ner").out == done.out
    text = done.out.decode()
    assert text.startswith("# ner\n")
    assert "## Scores, ner (F1)" in text
    assert "test ner" in text
    assert "not a model folder" in senna("models", "show", "srl").error


def test_a_run_is_no_model_but_has_one(senna, models, tmp_path):
    path = Path(shutil.copytree(models / "pos", tmp_path / "run" / "model"))
    error = senna("tag", "--model", tmp_path / "run", data=b"We ran.").error
    assert error.endswith(f"not a model folder (it has no model.toml). That of this run is {path}.")


def test_a_model_inside_another_is_checked_too(senna, models, tmp_path):
    path = Path(shutil.copytree(models / "ner", tmp_path / "model"))
    shutil.copytree(models / "pos", path / "pos")
    n_own = len(read_model(path).meta["files"]) + len(read_model(path / "pos").meta["files"])
    assert f": {n_own} files" in senna("models", "check", path).out.decode()
    tags = path / "pos" / "pos.tags.txt"
    tags.write_bytes(tags.read_bytes().swapcase())
    assert "pos.tags.txt: its contents have changed" in senna("models", "check", path).error


def test_shipped_models_are_whole(senna):
    done = senna("models", "check")
    assert (done.code, done.err) == (0, "")
    assert all(line.endswith("files, OK") for line in done.out.decode().splitlines())
    usual = [name for name, task in TASKS.items() if task.head not in ("labels", "rules")]
    paper = ["pos", "chunk", "ner", "predicates", "srl"]
    listed = [line.split("\t")[0] for line in senna("models").out.decode().splitlines()]
    assert listed == ["task", *usual, *paper]


def test_the_card_of_the_word_table_has_a_heading(senna):
    assert senna("models", "show", "base").out.startswith(b"# word table\n")
