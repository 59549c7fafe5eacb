"""senna ensemble: several models as one folder."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import toys
from tests.tiny import made_once, train_small


@pytest.fixture(scope="module")
def runs(tmp_path_factory) -> Path:
    """Models of ner with three seeds, one of other tags, and one of another task."""

    def make(folder: Path, new_run: Callable[[], Path]) -> None:
        for seed in (1, 2, 3):
            train_small("ner", folder / f"seed-{seed}", f"train.seed={seed}", "data.ner.size=60")
        train_small("pos", folder / "pos", "data.pos.size=20")
        toys.exported(toys.setup(toys.TREES), folder / "psg" / "model")

    return made_once(tmp_path_factory, "ensembles", make)


@pytest.fixture(autouse=True)
def here(runs, monkeypatch, tmp_path) -> None:
    shutil.copytree(runs, tmp_path / "runs")
    monkeypatch.chdir(tmp_path)


THREE = ("runs/seed-1", "runs/seed-2/model", "runs/seed-3")


@pytest.mark.parametrize(
    ("kind", "made", "by"),
    [
        ("vote", "a vote of 3 models", "the vote of 3 models"),
        ("join", "a linear layer over 3 models", "a linear layer over the scores of 3 models"),
    ],
)
def test_an_ensemble_tags_and_is_scored_like_any_model(senna, kind, made, by):
    done = senna("ensemble", kind, *THREE, "--out", "made")
    assert (done.code, done.out) == (0, f"made: {made}\n".encode())
    assert ("words through 3 models" in done.err) == (kind == "join")
    assert senna("models", "check", "made").code == 0
    card = senna("models", "show", "made").out.decode()
    assert f"Tags by {by}." in card
    assert "train.txt" in card and ("test.txt test" in card) == (kind == "join")
    shutil.move("made", "elsewhere")
    shutil.rmtree("runs")
    test = Path("test.txt")
    test.write_text("Anna\tS-PER\nran\tO\n\n", encoding="utf-8")
    assert senna("eval", "--task", "ner", "--model", "./elsewhere", test).code == 0
    text = b"Anna Weber flew to Lisbon .\n"
    options = ("--model", "./elsewhere", "--input", "tokens")
    tagged = senna("tag", *options, data=text)
    assert tagged.code == 0 and tagged.out.count(b"\n") == 7
    assert kind == "vote" or senna("tag", *options, "--jobs", "2", data=text).out == tagged.out
    assert b"0." in senna("tag", *options, "--scores", data=text).out
    assert kind == "vote" or senna("tag", *options, "--nbest", "2", data=text).code == 0
    again = senna("ensemble", "vote", "elsewhere", "elsewhere", "--out", "more")
    assert again.error == "elsewhere: this is already an ensemble. Give its members."
    assert senna("train", "--from", "elsewhere", "--task", "ner").error == (
        "elsewhere: an ensemble cannot be trained further. Start from one of its members."
    )


# What is given to the command, and what it says.
REFUSED = """
vote runs/seed-1 | an ensemble needs several models. Give two or more.
vote runs/seed-1 runs/seed-2 runs/seed-1/model | runs/seed-1/model: the same model twice, as runs/
vote runs/seed-1 copy | copy: the same model twice, as runs/seed-1/model
vote runs/seed-1 runs/pos | runs/pos/model: it has the tasks pos, but runs/seed-1/model has ner
vote runs/psg runs/seed-1 | runs/psg/model: psg does not tag words
vote runs/seed-1 none | none: not a model folder (it has no model.toml)
vote runs/seed-1 other | other: tags of ner differ from those of runs/seed-1/model: B-
vote runs/seed-1 runs/seed-2 --out runs | runs: the folder already exists. Choose another --out.
join runs/seed-1 runs/seed-2 --train ill.txt | a tag of ner in the training data that the members
join runs/seed-1 runs/seed-2 --dev ill.txt | --train: --dev or --test without --train. Name the
join runs/seed-1 runs/seed-2 --train none.txt | none.txt: no such file. Check the path.
""".strip().splitlines()


@pytest.mark.parametrize("line", REFUSED)
def test_what_cannot_be_an_ensemble(senna, line):
    given, _, message = line.partition(" | ")
    shutil.copytree("runs/seed-1/model", "copy")
    Path("ill.txt").write_text("the\tO\nFlu\tB-ILL\n\n" * 4, encoding="utf-8")
    if "other" in given:
        learnt = ("--train", "ill.txt", "--set", "train.epochs=1", "--name", "other")
        assert senna("train", "--from", "runs/seed-2", *learnt).code == 0
        shutil.move("runs/other/model", "other")
    kind, *options = given.split()
    assert senna("ensemble", kind, "--out", "out", *options).error.startswith(message)
    assert not Path("out").exists()


def test_a_layer_that_learns_from_files(senna):
    """It learns which member is right: sentences are tagged as its own file has them."""
    Path("mine.txt").write_text("Anna\tO\nran\tS-PER\n\n" * 300, encoding="utf-8")
    options = ("--train", "mine.txt", "--dev", "mine.txt", "--test", "mine.txt")
    done = senna("ensemble", "join", *THREE, "--out", "joined", *options)
    assert done.code == 0
    assert "100.00  mine.txt test" in done.err
    assert "mine.txt" in senna("models", "show", "joined").out.decode()
