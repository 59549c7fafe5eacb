"""scripts/paper_tables.py: rows are run once, go on after an interruption, and are written down."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from senna.files import locked, resource
from senna.toml import write_config
from senna.training import run
from senna.training.build import check_names
from senna.training.unused import unused
from tests.tiny import small_config

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    monkeypatch.chdir(tmp_path)
    for name in ("paper_tables", "paper_rows"):
        sys.modules.pop(name, None)
    script = import_module("paper_tables")
    test = resource("data/demo/ner/test.txt")
    monkeypatch.setitem(script.TESTS, "ner", f"{test.name} test")
    return script


def tables(script: ModuleType, *settings: str) -> object:
    """Two rows, of which one can be run."""
    config = Path("tiny.toml")
    write_config(config, small_config("ner", "network.gated.units=8"))
    fake = {
        "fake": script.Training(str(config), settings),
        "long": script.Training(str(config), (*settings, "train.epochs=3"), slow=True),
    }
    rows = [
        script.Row("4", "NN+WLL", "ner", 79.53, "fake"),
        script.Row("4", "NN+SLL", "ner", 81.47, "long"),
        script.Row("13", "Brown", "ner", 87.15, "long"),
    ]
    return script.Tables(rows, fake, Path("runs/paper"))


def lines(script: ModuleType) -> list[dict[str, object]]:
    return [json.loads(text) for text in Path("runs/paper/results.jsonl").read_text().splitlines()]


PICKS = ("worst", "mean", "best")
WRITE = ("--write", "paper.md", "--seeds", "2")


def test_rows_are_run_once_and_written_beside_the_published(
    script: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    assert script.main(WRITE, tables(script)) == 0
    assert [(line["training"], line["seed"]) for line in lines(script)] == [
        ("fake", 1),
        ("fake", 2),
    ]
    values = [line["scores"]["ner"]["test.txt test"] for line in lines(script)]
    mean, spread = sum(values) / 2, abs(values[0] - values[1]) / 2**0.5
    page = Path("paper.md").read_text(encoding="utf-8")
    assert f"| NN+WLL | 79.53; {mean:.2f} ± {spread:.2f} (2) | fake |" in page
    assert "| NN+SLL | 81.47; not run | long |" in page
    assert "| Brown | 87.15; not run | long |" in page
    capsys.readouterr()
    assert script.main(WRITE, tables(script)) == 0
    assert "to do" not in capsys.readouterr().err
    assert len(lines(script)) == 2


def test_rows_are_trained_on_the_device_named(
    script: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    other = replace(tables(script), device="gpu7")  # type: ignore[type-var]
    script.main((*WRITE[:2], "--seeds", "1"), other)
    assert "fake, seed 1 failed: --device: cannot be used here" in capsys.readouterr().err
    assert not Path("runs/paper/results.jsonl").exists()


def test_what_was_not_run_stays_as_the_page_has_it(script: ModuleType) -> None:
    page = (SCRIPTS.parent / "docs/paper.md").read_text(encoding="utf-8")
    every = script.Tables(script.rows(), script.trainings(), Path("runs/none"))
    assert script.page(every, page) == page
    scores = {"chunk": {"x dev": 91.0, "research/conll2000 test": 90.25}}
    done = {"training": "chunk-word", "seed": 1, "scores": scores, "cpu_minutes": 2.5}
    done["settings"] = [script.trainings()["chunk-word"].config, "train.criterion=word"]
    every.path.parent.mkdir(parents=True)
    every.path.write_text(json.dumps(done) + "\n", encoding="utf-8")
    before, after = page.splitlines(), script.page(every, page).splitlines()
    assert len(before) == len(after)
    changed = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
    (row, times) = (b for _, b in changed)
    assert row.startswith("| NN+WLL | 96.31; 93.08 | 89.13; 90.25 | 79.53;")
    assert "chunk-word 2.5, " in times and "ner-constrained 1.6" in times


def test_causes_have_dev_and_test(script: ModuleType) -> None:
    known = tables(script, "train.epochs=1")
    known.rows[:] = [script.Row("causes", "start", "ner", 0.0, "fake")]
    assert script.main(("--write", "paper.md", "--seeds", "1"), known) == 0
    (line,) = lines(script)
    scores = line["scores"]["ner"]
    page = Path("paper.md").read_text(encoding="utf-8")
    assert f"| start | {scores['dev.txt dev']:.2f}; {scores['test.txt test']:.2f} | fake |" in page
    assert f"Of a seed, on one core: fake {line['cpu_minutes']:.1f}.\n" in page


def test_ensembles_of_seeds(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its members are trained first, whatever --seeds is; it is made once."""
    monkeypatch.setattr(script, "MEMBERS", 3)
    known = tables(script, "train.epochs=1")
    known.rows.extend(script.Row("11", f"the {pick}", "ner", 8.5, "fake", pick) for pick in PICKS)
    for kind in ("vote", "join"):
        known.trainings[kind] = replace(known.trainings["fake"], ensemble=kind, of="fake")
        known.rows.append(script.Row("11", f"a {kind}", "ner", 0.0, kind))
    options = ("--write", "paper.md", "--seeds", "1", "--table", "11")
    assert script.main(options, known) == 0
    noted = lines(script)
    assert [(line["training"], line["seed"]) for line in noted] == [
        *(("fake", seed) for seed in (1, 2, 3)),
        ("vote", 0),
        ("join", 0),
    ]
    scores = {line["training"]: line["scores"]["ner"]["test.txt test"] for line in noted}
    assert scores["vote"] != scores["join"]
    members = [line["scores"]["ner"]["test.txt test"] for line in noted[:3]]
    page = Path("paper.md").read_text(encoding="utf-8")
    for pick, figure in zip(PICKS, (min(members), sum(members) / 3, max(members)), strict=True):
        assert f"| the {pick} | 8.50; {figure:.2f} | fake |" in page
    assert f"| a vote | -; {scores['vote']:.2f} | vote |" in page
    assert [path.name for path in Path("runs/paper").iterdir() if path.is_dir()] == ["fake"]
    capsys.readouterr()
    assert script.main(options, known) == 0
    assert "to do" not in capsys.readouterr().err
    assert script.main(("--list", "--table", "11"), known) == 0
    time = ", 0 CPU minutes"
    listed = f"fake seeds 1, 2, 3{time} vote done{time} join done{time}"
    assert capsys.readouterr().out.split() == listed.split()
    assert script.main(("--commands", "--only", "fake,join"), known) == 0
    assert capsys.readouterr().out.splitlines() == [
        "senna train --config tiny.toml --set train.epochs=1",
        "senna ensemble join runs/paper/fake/seed-{1..3} --out join",
    ]
    # One of its members could not be trained.
    monkeypatch.setattr(script, "MEMBERS", 4)
    monkeypatch.setattr(script.Tables, "_train", lambda *rest: None)
    assert script.main(options, known) == 0
    assert "vote is left out: runs/paper/fake/seed-4 is not trained" in capsys.readouterr().err


def test_it_goes_on_where_it_was_stopped(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    save, saved = run.Trainer.save_checkpoint, []

    def stop(trainer: run.Trainer) -> None:
        save(trainer)
        saved.append(trainer)
        trainer.interruption.number = 15 * (len(saved) == 3)

    monkeypatch.setattr(run.Trainer, "save_checkpoint", stop)
    assert script.main(WRITE, tables(script)) == 130
    assert [line["seed"] for line in lines(script)] == [1]
    assert not Path("paper.md").exists()
    # Killed before the line of a whole run was written: it is not trained again.
    Path("runs/paper/results.jsonl").unlink()
    capsys.readouterr()
    assert script.main(WRITE, tables(script)) == 0
    assert [line["seed"] for line in lines(script)] == [1, 2]
    assert "to do: fake, seed 1" not in capsys.readouterr().err
    assert len(saved) == 4


def test_other_settings_are_other_results(
    script: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    assert script.main(WRITE, tables(script)) == 0
    changed = tables(script, "train.batch=3")
    assert script.main((*WRITE, "--page"), changed) == 0
    assert "| NN+WLL | 79.53; not run |" in Path("paper.md").read_text()
    assert script.main(WRITE, changed) == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert error == (
        "paper_tables: runs/paper/fake/seed-1: holds a run with other settings. Remove it."
    )


def test_what_fails_leaves_the_other_rows(
    script: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    """A corpus that is not there, and a training that diverges."""
    missing = tables(script, 'data.ner.train=["none/such"]')
    assert script.main(WRITE, missing) == 0
    assert not Path("paper.md").exists()  # nothing is known: an older page stays
    assert "fake is left out: no corpus is called 'none/such'" in capsys.readouterr().err
    sgd = ("train.optimiser=sgd", "train.learning_rate=1000", "train.clip=0.0")
    assert script.main(WRITE, tables(script, *sgd)) == 0
    error = capsys.readouterr().err
    assert "fake, seed 1 failed: train.learning_rate = 1000: the training diverged" in error
    assert "fake, seed 2 failed: " in error


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--only", "none"), "--only: no training 'none'. --list names them."),
        (("--table", "5"), "--table: no rows of table 5. There are 4, 13."),
        (("--seeds", "0"), "--seeds, --jobs: expected at least 1"),
    ],
)
def test_bad_input(
    script: ModuleType,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    message: str,
) -> None:
    assert script.main(arguments, tables(script)) == 2
    assert capsys.readouterr().err == f"paper_tables: {message}\n"


def test_one_at_a_time(script: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Path("runs/paper")
    folder.mkdir(parents=True)
    with locked(folder / "results.lock"):
        assert script.main(WRITE, tables(script)) == 2
    assert "another process is writing it" in capsys.readouterr().err


def test_every_row_has_a_training_that_can_be_configured(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(SCRIPTS.parent)
    sys.modules.pop("paper_rows")
    tests_of = import_module("paper_rows").TESTS  # without that of the fixture
    known = script.Tables(script.rows(), script.trainings(), Path("none"))
    assert {row.training for row in known.rows} == set(known.trainings)
    for row in known.rows:
        config = known.configuration(row.training, 1)
        assert row.task in config.tasks
        name, _, split = tests_of[row.task].partition(" ")
        tests = config.data[row.task].test
        assert any((s.corpus, s.split or "test") == (name, split) for s in tests)
    # Every training could begin: its names fit each other, and each setting has an effect.
    for name in known.trainings:
        config = known.configuration(name, 1)
        check_names(config)
        known_ones = {
            'warning: network.constrained = false has no effect with train.criterion = "word"',
            'warning: network.window.hidden = [500] has no effect with network.kind = "sentence"',
            'warning: network.sentence.hidden = 500 has no effect with network.kind = "window"',
        }
        assert set(unused(config)) <= known_ones, name
    names = known.chosen("", (), slow=False)
    assert "chunk-word" in names and "srl-word" not in names
    assert known.chosen("4", (), slow=True)[:3] == ["pos-word", "chunk-word", "ner-word"]


@pytest.mark.parametrize("name", ["paper_tables.py", "thesis_tables.py"])
def test_a_reader_that_leaves_ends_the_list_without_a_traceback(name: str) -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, str(SCRIPTS / name), "--list"]
    try:
        done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    finally:
        os.close(write)
    assert (done.returncode, done.stderr) == (141, "")
