"""Whole runs: from configuration to model folder, resumed, unwritable, with several tasks."""

import dataclasses
import json
import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import senna
from senna.corpora.store import demo_data
from senna.errors import SennaError
from senna.files import resource
from senna.kinds import output_of
from senna.model.folder import read_model, shipped
from senna.model.writing import check
from senna.pipeline.pipeline import Pipeline
from senna.training.build import build
from senna.training.config import Config, DataConfig, Source, override, read_config
from senna.training.examples.corpora import Example, TaskCorpus, annotated, fold_of, read_source
from senna.training.run import Run, score_model, train
from senna.training.trainer import Trainer
from tests import toys
from tests.faults import no_space

SMALL = ("network.window.hidden=[20]", "train.epochs=3", "train.learning_rate=0.01")


def config_of(tasks: str, *settings: str, sentences: Path | None = None) -> Config:
    """The demonstration corpus, or the same file of one's own for train, dev and test."""
    config = toys.small(tasks, *SMALL, *settings)
    own = DataConfig(*[(Source(str(sentences)),)] * 3)
    data = {t: own if sentences else demo_data(t, resource("data/demo")) for t in config.tasks}
    return dataclasses.replace(config, data=data)


@pytest.fixture
def twenty(tmp_path) -> Path:
    """Twenty sentences as a file of the user's own."""
    path = tmp_path / "twenty.txt"
    text = (resource("data/demo") / "ner" / "train.txt").read_text(encoding="utf-8")
    path.write_text("\n\n".join(text.split("\n\n")[:20]) + "\n", encoding="utf-8")
    return path


def contents(model: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in model.iterdir()}


def scores_of(model: Path) -> dict[str, Any]:
    found: dict[str, Any] = read_model(model).about["scores"]
    return found


# --------------------------------------------------------------------------- a whole run


def test_a_run_learns_and_tells_all_about_itself(tmp_path, twenty):
    said: list[str] = []
    config = config_of("ner", "train.epochs=15", sentences=twenty)
    config = dataclasses.replace(config, notes=("A toy.",))
    run = Run(tmp_path / "runs" / "toy", command="senna train --name toy")
    model = train(config, run, said.append)
    assert model == run.out / "model"
    assert "distinct" in said[0]
    assert sorted(p.name for p in run.out.iterdir()) == [
        "checkpoint.pt", "config.toml", "metrics.jsonl", "model", "versions.json",
    ]  # fmt: skip
    assert read_config(run.out / "config.toml") == config
    versions = json.loads((run.out / "versions.json").read_text(encoding="utf-8"))
    assert versions["torch"] == torch.__version__
    assert versions["seed"] == 1
    assert versions["command"] == "senna train --name toy"
    lines = (run.out / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["epoch"] for line in lines] == list(range(1, 16))

    meta = read_model(model).about
    assert check(model) > 10
    assert scores_of(model)["ner"] == {
        "measure": "F1", f"{twenty.name} dev": 100.0, f"{twenty.name} test": 100.0
    }  # fmt: skip
    assert meta["made"]["command"] == "senna train --name toy"
    assert meta["made"]["epochs"] == 15
    assert meta["config"]["train"]["learning_rate"] == 0.01
    card = (model / "README.md").read_text(encoding="utf-8")
    for part in (
        "A toy.",
        "senna train --name toy",
        f"{twenty.name} test | 100.00",
        "a file of its maker's own",
    ):
        assert part in card


def test_vectors_of_ones_own(tmp_path, twenty):
    said: list[str] = []
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("the 1 2 3\nnowhere 4 5 6\n", encoding="utf-8")
    word = f"features.word={{size=3, embeddings='{vectors}', scale=0.5}}"
    config = config_of("ner", word, sentences=twenty)
    model = train(config, Run(tmp_path / "run"), said.append)
    assert "% of them have a vector" in said[0]
    folder = read_model(model)
    assert folder.lines("words.txt")[:2] == ["the", "nowhere"]
    scaled = np.array([[1, 2, 3], [4, 5, 6]]) * (0.5 / np.std([1, 2, 3, 4, 5, 6]))
    found = dict(folder.arrays())["words"][2:4]
    np.testing.assert_allclose(found[1], scaled[1], rtol=1e-3, err_msg="unseen: as it was")
    assert (found[0] != scaled[0].astype(np.float16)).any(), "seen: trained"

    config = override(config, ["features.word.size=4"])
    with pytest.raises(SennaError, match=r"of 3 numbers.*settings=\[.features\.word\.size=3"):
        train(config, Run(tmp_path / "other"), str)


def test_the_size_follows_the_vectors(tmp_path, twenty):
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("the 1 2 3\nThe 4 5 6\n", encoding="utf-8")
    word = f"features.word={{size=0, embeddings='{vectors}'}}"
    config = config_of("ner", word, sentences=twenty)
    model = train(config, Run(tmp_path / "run"), str)
    assert dict(read_model(model).arrays())["words"].shape[1] == 3
    # A model folder will do as well.
    config = override(config, [f"features.word.embeddings={model}"])
    again = train(config, Run(tmp_path / "again"), str)
    assert read_model(again).lines("words.txt")[:2] == ["the", "The"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nowhere 1 2\nnever 3 4\n", "no word of the training set has a vector"),
        ("the 0 0\nof 0 0\n", "all numbers of the vectors are equal"),
    ],
)
def test_vectors_of_no_use(tmp_path, twenty, text, message):
    vectors = tmp_path / "vectors.txt"
    vectors.write_text(text, encoding="utf-8")
    word = f"features.word={{size=2, embeddings='{vectors}', scale=0.12}}"
    config = config_of("ner", word, sentences=twenty)
    with pytest.raises(SennaError, match=message):
        train(config, Run(tmp_path / "run"), str)


@pytest.mark.slow
def test_several_tasks_in_one_model(tmp_path):
    """Shared tables and first layer; one folder tags all three in one pass."""
    tasks = ("pos", "chunk", "ner")
    network = "network.window={widths=[3,1], hidden=[30,20]}"
    config = config_of("pos,chunk,ner", network, "train.batch=8")
    model = train(config, Run(tmp_path / "run"), str)
    pipeline = Pipeline.load(None, model)
    assert pipeline.tasks == tasks
    assert len(pipeline.networks) == 1
    line = json.loads((tmp_path / "run" / "metrics.jsonl").read_text().splitlines()[-1])
    assert set(line["dev"]) == set(tasks)
    table = scores_of(model)
    sentences = {task: toys.demo(task, 1000, "test") for task in tasks}
    found = pipeline.annotate([s.forms for s in sentences["pos"]])
    for task in tasks:
        value = output_of(task).measure([s.gold for s in sentences[task]], found[task]).percent
        assert value > 65, task
        (name,) = (name for name in table[task] if name.endswith(" test"))
        assert table[task][name] == round(value, 2)
        alone = Pipeline.load([task], model).annotate([s.forms for s in sentences["pos"]])
        assert alone == {task: found[task]}


# --------------------------------------------------------------------------- parts of speech


def test_own_parts_of_speech_as_input(tmp_path):
    """The chunker's folder holds the part-of-speech model and needs nothing else."""
    config = dataclasses.replace(config_of("pos"), data={"pos": toys.demo_part("pos", 20, 8)})
    pos = train(config, Run(tmp_path / "pos"), str)
    config = dataclasses.replace(config_of("chunk"), data={"chunk": toys.demo_part("chunk", 20, 8)})
    config = override(config, [f"features.tags.pos={{size=4, model='{pos}'}}"])
    model = train(config, Run(tmp_path / "chunk"), str)
    forms = [s.forms for s in toys.demo("chunk", 30, "test")]
    expected = Pipeline.load(None, model).annotate(forms)
    pos.rename(tmp_path / "moved")
    model = model.rename(tmp_path / "elsewhere")
    assert Pipeline.load(None, model).annotate(forms) == expected
    assert not Pipeline.load(None, model).needs_pos_column
    assert read_model(model / "pos").about["made"]["epochs"] == 3, "a copy tells all about itself"


def test_folds_tag_a_sentence_by_the_model_that_has_not_seen_it(tmp_path):
    folders = []
    for i, tag in enumerate(("ZERO", "ONE")):
        sets = {"pos": TaskCorpus([Example(["x", "y"], [tag, tag])], [])}
        made = build(toys.small("pos"), sets, torch.device("cpu"))
        folders.append(toys.exported(made, tmp_path / f"fold-{i}"))
    train_set = [Example([f"w{i}"], ["O"]) for i in range(20)]
    own = f"features.tags.pos={{size=3, model='{folders[1]}', folds='{tmp_path}'}}"
    config = toys.small("ner", own)
    found = annotated(config.features, {"ner": TaskCorpus(train_set, [("dev", train_set)])})["ner"]
    expected = [[("ZERO", "ONE")[fold_of(s.forms, 2)]] for s in train_set]
    assert [s.tags["pos"] for s in found.train] == expected
    assert {tag for (tag,) in expected} == {"ZERO", "ONE"}
    assert [s.tags["pos"] for s in found.dev[0][1]] == [["ONE"]] * 20


def test_folds_part_the_training_set():
    sentences = toys.demo("ner", 381)
    parts = [{i for i, s in enumerate(sentences) if fold_of(s.forms, 3) == k} for k in range(3)]
    assert sum(map(len, parts)) == len(sentences)
    assert all(80 < len(part) < 180 for part in parts)
    assert fold_of(["The", "x"], 5) == fold_of(["the", "X"], 5), "not told apart by case"


def test_a_fold_is_left_out(twenty):
    config = override(config_of("ner", sentences=twenty), ["data.ner.fold=1/3"])
    sentences = toys.corpora_of(config_of("ner", sentences=twenty))["ner"].train
    kept = [s for s in sentences if fold_of(s.forms, 3) != 1]
    assert 0 < len(kept) < len(sentences)
    assert toys.corpora_of(config)["ner"].train == kept


# --------------------------------------------------------------------------- interruption


def stop_at(patch: pytest.MonkeyPatch, step: int) -> None:
    """Ctrl-C at a step of training."""
    really = Trainer.step

    def stepped(trainer: Trainer, *arguments: Any) -> int:
        found = really(trainer, *arguments)
        if trainer.state.step == step:
            os.kill(os.getpid(), signal.SIGINT)
        return found

    patch.setattr(Trainer, "step", stepped)


def test_a_resumed_run_gives_the_same_model(tmp_path, twenty, monkeypatch):
    """With its notes: that it learnt from the demonstration corpus, for example."""
    settings = ("train.epochs=4", "train.dropout_input=0.2", "train.average=0.9")
    config = config_of("ner", "notes=['A toy.']", *settings, sentences=twenty)
    whole = train(config, Run(tmp_path / "whole"), str)
    with monkeypatch.context() as patched:
        stop_at(patched, 7)
        with pytest.raises(
            KeyboardInterrupt,
            match=r"the best model so far: .*; continue with senna train --resume .*broken",
        ):
            train(config, Run(tmp_path / "broken"), str)
    model = tmp_path / "broken" / "model"
    assert check(model), "the best epoch so far was written"
    assert read_model(model).about["made"]["epochs"] < 4
    run = Run(tmp_path / "broken", command="senna train --resume")
    resumed = train(Config(), run, str, resume=True)
    assert resumed == model
    assert contents(resumed) == contents(whole)
    about = read_model(resumed).about
    assert (about["notes"], about["made"]["command"]) == (["A toy."], "")


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="which files are open?")
def test_nothing_is_left_where_open_files_cannot_be_removed(tmp_path, twenty, monkeypatch):
    """On Windows the file whose lock a run holds is one."""
    unlink = Path.unlink

    def refusing(path: Path, missing_ok: bool = False) -> None:
        held = {os.path.realpath(own) for own in Path("/proc/self/fd").iterdir()}
        if str(path) in held:
            raise PermissionError
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", refusing)
    stop_at(monkeypatch, 2)
    run = Run(tmp_path / "run")
    with pytest.raises(KeyboardInterrupt, match="stopped; nothing is kept"):
        train(config_of("ner", sentences=twenty), run, str)
    assert not run.out.exists()


@pytest.mark.parametrize("there", [False, True])
def test_a_run_without_an_epoch_removes_no_files_of_others(tmp_path, twenty, monkeypatch, there):
    run, notes = Run(tmp_path / "run"), tmp_path / "run" / "my-notes.txt"
    if there:
        run.out.mkdir()
    stop_at(monkeypatch, 2)

    def say(line: str) -> None:
        notes.write_text("mine")
        notes.with_name("sub").mkdir(exist_ok=True)
        notes.with_name("sub").joinpath("a.txt").touch()

    with pytest.raises(KeyboardInterrupt, match="stopped; nothing is kept"):
        train(config_of("ner", sentences=twenty), run, say)
    assert sorted(path.name for path in run.out.iterdir()) == ["my-notes.txt", "sub"]
    assert notes.with_name("sub").joinpath("a.txt").is_file()


@pytest.mark.parametrize("numbered", [False, True])
def test_two_runs_of_one_name_at_once(tmp_path, twenty, numbered):
    """The second is refused, or where the name is free to choose it takes the next."""
    config = config_of("ner", "train.epochs=2", sentences=twenty)
    both, refused = threading.Barrier(2), threading.Event()
    run = Run(tmp_path / "run", numbered=numbered)

    def say(line: str) -> None:
        if "distinct" in line:  # with the other one on its way
            both.wait(60) if numbered else refused.wait(60)

    def one(_: int) -> Path | str:
        try:
            return train(config, run, say)
        except SennaError as error:
            refused.set()
            return str(error)

    with ThreadPoolExecutor() as pool:
        found = sorted(map(str, pool.map(one, range(2))))
    made = sorted(map(str, tmp_path.glob("run*/model")))
    assert all(check(Path(model)) for model in made)
    if numbered:
        assert found == made
        assert {Path(model).parent.name for model in made} == {"run", "run-2"}
    else:
        assert found[1:] == made
        assert "run/metrics.jsonl: another process is writing it" in found[0]


# --------------------------------------------------------------------------- what goes wrong


def test_a_folder_that_cannot_be_written(tmp_path, twenty):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(SennaError, match="cannot write"):
        train(config_of("ner", sentences=twenty), Run(tmp_path / "file" / "run"), str)


def test_a_failed_start_leaves_nothing_but_what_was_there(tmp_path, twenty):
    config = config_of("ner", sentences=twenty)
    run = Run(tmp_path / "run")
    said: list[str] = []
    for part in ("train", "test"):
        wrong = override(config, [f"data.ner.{part}=['no/such']"])
        with pytest.raises(SennaError, match="no/such"):
            train(wrong, run, said.append)
        assert not said and not run.out.exists()
    run.out.mkdir()
    (run.out / "config.toml").touch()  # of a run that was killed
    (run.out / "versions.json").touch()
    with pytest.raises(SennaError, match="no/such"):
        train(wrong, run, str)
    assert not run.out.exists()
    run.out.mkdir()
    (run.out / "notes").touch()
    with pytest.raises(SennaError, match="no/such"):
        train(wrong, run, str)
    assert (run.out / "notes").exists()
    assert check(train(config, run, str))


def test_a_full_disk_when_the_model_is_written(tmp_path, twenty, monkeypatch):
    """Nothing half-written; with space again, --resume writes the model without training anew."""

    config = config_of("ner", sentences=twenty)
    with monkeypatch.context() as patched:
        patched.setattr(np, "save", no_space)
        with pytest.raises(SennaError, match="cannot write: No space left on device"):
            train(config, Run(tmp_path / "full"), str)
    assert not list((tmp_path / "full").glob("model*"))
    model = train(Config(), Run(tmp_path / "full"), str, resume=True)
    assert contents(model) == contents(train(config, Run(tmp_path / "whole"), str))


@pytest.mark.parametrize("change", ["data.ner={dev=[], dev_share=0.9999}", "data.ner.fold=0/1"])
def test_nothing_is_left_to_learn_from(tmp_path, twenty, change):
    config = override(config_of("ner", sentences=twenty), [change])
    with pytest.raises(SennaError, match=r"data\.ner: no sentence is left to train on"):
        train(config, Run(tmp_path / "run"), str)


def test_a_model_that_knows_no_word(tmp_path, twenty):
    """All words are RARE: letters tell them apart."""
    config = config_of("ner", "features.word.min_count=1000", sentences=twenty)
    model = train(config, Run(tmp_path / "run"), str)
    assert read_model(model).lines("words.txt") == []


@pytest.mark.parametrize(
    ("tasks", "message"), [(("ner",), "no training data for ner"), ((), "no task")]
)
def test_nothing_to_learn_from(tmp_path, tasks, message):
    config = dataclasses.replace(toys.SMALL, tasks=tasks)
    with pytest.raises(SennaError, match=message):
        train(config, Run(tmp_path / "run"), str)


def test_a_device_that_is_not_there(tmp_path, twenty):
    for device in ("nonsense", "cuda:99", "meta", "hpu"):
        with pytest.raises(SennaError, match="device: cannot be used here"):
            train(config_of("ner", sentences=twenty), Run(tmp_path / "run", device=device), str)
    assert not (tmp_path / "run").exists()


def test_trees_are_scored_as_they_are_tagged(monkeypatch):
    """With the other tasks of their model, as by senna eval: rules bring them into agreement."""
    file = resource("data/demo/ud/dev.conllu")
    sets = {
        "dep": TaskCorpus(
            [], [("demo", read_source(Source(str(file)), "dev", "dep", DataConfig(), None))]
        )
    }
    annotate, seen = Pipeline.annotate, list[tuple[str, ...]]()

    def noting(pipeline: Pipeline, *arguments: Any) -> Any:
        seen.append(pipeline.tasks)
        return annotate(pipeline, *arguments)

    monkeypatch.setattr(Pipeline, "annotate", noting)
    score_model(sets, shipped()["dep"], str)
    senna.evaluate("dep", file, model="dep")
    assert {*seen[0]} == {*seen[1]} >= {"dep", "lemma", "upos", "feats"}
