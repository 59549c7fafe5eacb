"""senna train: corpora of all kinds, interruption, what is said when something is missing."""

import json
import lzma
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from senna.files import resource
from senna.model import writing
from senna.model.folder import read_model
from senna.registry import NETWORK_SETTINGS
from senna.training import run, start
from senna.training.config import Training, read_config
from senna.training.start import configuration
from senna.training.trainer import Trainer, is_rising
from tests.processes import ROOT
from tests.tiny import SMALL

FEW_STEPS = "train.batch=64"
NOTICE = "raining on the demonstration corpus, a toy: not on real text"


@pytest.fixture(autouse=True)
def empty_folder(tmp_path, monkeypatch) -> Iterator[None]:
    """Runs go to an empty folder, and nothing outside it is found or reached."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SENNA_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")  # the discard port: closed
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    interrupt = signal.getsignal(signal.SIGINT)
    yield
    assert signal.getsignal(signal.SIGINT) is interrupt


def small(*settings: str) -> list[str]:
    """`--set` options that make a run small: what it learns matters to few tests."""
    return [part for setting in (*SMALL, FEW_STEPS, *settings) for part in ("--set", setting)]


def demo(task: str, split: str) -> str:
    """A file of the demonstration corpus."""
    return str(resource(f"data/demo/{task}/{split}.txt"))


def write(name: str, *sentences: str) -> str:
    """A column file of sentences, tokens parted by `|`."""
    text = "".join(sentence.replace("|", "\n") + "\n\n" for sentence in sentences)
    Path(name).write_text(text, encoding="utf-8", newline="\n")
    return name


# --------------------------------------------------------------------------- corpora


def test_the_demonstration_corpus_from_training_to_evaluation(senna):
    settings = small("train.epochs=6", "train.batch=16")
    done = senna("train", "--task", "pos", "--corpus", "demo", *settings)
    assert (done.code, done.out) == (0, b"")
    lines = done.err.splitlines()
    assert NOTICE in lines[0]
    assert NOTICE in lines[-1]
    assert "model: runs/pos/model" in lines[-2]
    assert lines[-4].startswith("pos        accuracy ") and lines[-4].endswith("  dev.txt dev")
    assert lines[-3].startswith("pos        accuracy ") and lines[-3].endswith("  test.txt test")
    run = Path("runs/pos")
    assert {path.name for path in run.iterdir()} >= {
        "config.toml", "versions.json", "metrics.jsonl", "checkpoint.pt", "model",
    }  # fmt: skip
    assert read_config(run / "config.toml").train.epochs == 6
    metrics = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    assert [line["epoch"] for line in metrics] == [1, 2, 3, 4, 5, 6]
    card = (run / "model" / "README.md").read_text(encoding="utf-8")
    assert NOTICE in card
    assert "senna train --task pos --corpus demo" in card
    test = demo("pos", "test")
    options = ("--merge-to", "--model", run / "model")
    scored = senna("eval", "--task", "pos", *options, test).out.decode()
    accuracy = next(line for line in scored.splitlines() if "accuracy" in line)
    assert float(accuracy.split("accuracy:")[1].split("%")[0]) > 75
    assert "unknown" in scored
    about = tomllib.loads((run / "model" / "about.toml").read_text(encoding="utf-8"))
    table = about["scores"]["pos"]
    assert any(f"{value:.2f}%" in scored for key, value in table.items() if "test" in key)
    tagged = senna("tag", "--model", run / "model", data=b"Anna ran .")
    assert tagged.out.count(b"\n") == 4


def test_where_no_corpus_can_be_had_it_stops(senna):
    """Once it trained on the demonstration corpus, and ended with exit code 0."""
    done = senna("train", "--task", "ner", *small("train.epochs=1"))
    assert done.code == 2
    last = done.err.splitlines()[-1]
    assert "cannot be reached" in last
    assert last.endswith("--corpus demo trains on the small corpus in the package, offline.")
    assert NOTICE not in done.err
    assert not Path("runs").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--task parsing", "'parsing'"),
        (
            "--task ner --config none.toml",
            "none.toml: no such configuration. Check the path; `",
        ),
        ("--task ner --config bad.toml", "bad.toml: not readable as TOML"),
        ("--task ner --train ner/docred", "ner/docred: no such file. Of a corpus: --corpus ner/"),
        ("--task ner --train .", "a folder, not a file. Name a file in it."),
        ("--task ner --train pipe", "pipe: a stream, not a file. Write it to one: a run reads it"),
        ("--task ner --train none.txt", "none.txt: no such file"),
        ("--task ner --set train.epoch=3", "unknown key 'train.epoch'"),
        ("--task ner --set data.ner.fold=six", "'six' is not of the form 2/5"),
        ("--task ner --embeddings none", "none: no such file"),
        *(
            (f"--task ner --name {name}", f"--name: {name!r} is not the name of a folder in runs")
            for name in ("..", "../x", "/dev/null/x", ".", "a/../..")
        ),
        (
            "--resume runs/x --task pos --set train.epochs=9",
            "--resume: the run continues with its own settings, so --task, --set cannot be given.",
        ),
    ],
)
def test_options_and_files_are_checked_before_pytorch_is_loaded(
    senna, monkeypatch, options, message
):
    os.mkfifo("pipe")
    Path("bad.toml").write_text("[train\n", encoding="utf-8")
    monkeypatch.setattr(start, "import_torch", pytest.fail)
    before = sorted(os.listdir())
    assert message in senna("train", *options.split()).error
    assert sorted(os.listdir()) == before


def test_pytorch_that_is_not_installed(senna, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)  # `import torch` then fails
    train = ("train", "--task", "pos", "--corpus", "demo")
    for command in (train, ("pretrain", "x.txt", "--out", "a")):
        error = senna(*command).error
        assert error.startswith("training needs PyTorch. The small build: pip install torch")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a B-X\nb O\n\nc Q-X\n", 't:4: tag "Q-X" belongs to no known scheme. Tags are O, or B-'),
        ("a NN\nb VB\n", "names their column."),
        ("a\tB-X\nb\tO \n", 't:2: tag "O " belongs to no known scheme. There is a blank before or'),
        (
            "B-X Ann\nO ran\n",
            't:1: tag "Ann" belongs to no known scheme. Are word and tag the other',
        ),
        ("word tag\nAnn B-X\n", 't:1: tag "tag" belongs to no known scheme. Is it a header?'),
        ('{"a": 1}\n', "this is JSON, not columns."),
        (" Ann\tB-X\n ran\tO\n", "has a vector. Remove the space before each line."),
        ("B-X B-X\nO O\n", "has a vector. Do --columns name the word?"),
    ],
)
def test_files_of_another_form_are_told_where_and_why(senna, text, message):
    Path("t").write_text(text, encoding="utf-8", newline="\n")
    words = write_vectors(Path("words"))
    done = senna("train", "--task", "ner", "--train", "t", "--dev", "t", "--embeddings", words)
    assert message in done.error


def test_settings_of_the_data_hold_with_a_corpus_too(senna, monkeypatch):
    """Once `--corpus` dropped them, those of `--set` too."""
    options = ("train", "--task", "pos", *small("train.epochs=1", "data.pos.size=40"))
    corpus = Path("data/pos/mine")
    corpus.mkdir(parents=True)
    for split in ("train", "dev"):
        (corpus / f"{split}.xz").write_bytes(lzma.compress(Path(demo("pos", "dev")).read_bytes()))
    monkeypatch.setenv("SENNA_DATA", "data")
    for name, folder in (("demo", "pos"), ("pos/mine", "pos-2")):
        done = senna(*options, "--corpus", name, "--set", "data.pos.fold=0/2")
        assert done.code == 0, done.err
        settings = read_config(Path(f"runs/{folder}/config.toml")).data["pos"]
        assert (settings.merge_to, settings.fold, len(settings.train)) == (True, "0/2", 1)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("data.pos.train=[{corpus='t', sentences='x'}]", "is not of the form 1-200,300-"),
        ("features.gazetteer={size=5, files=['none']}", "none: no such file or folder"),
        ("features.clusters.file=none", "none: no such file or folder"),
        ("features.tags.pos={size=5, folds='none'}", "none: it has no fold-0"),
        ("features.tags.pos={size=5, model='none'}", "none: not a model folder"),
        ("train.criterion=letter", "train.criterion = 'letter' is not one of"),
    ],
)
def test_all_of_a_configuration_is_checked_before_anything_is_read(
    senna, monkeypatch, setting, message
):
    monkeypatch.setattr(run, "read_corpora", pytest.fail)
    options = ("--train", demo("chunk", "train"), "--dev", demo("chunk", "dev"))
    assert message in senna("train", "--task", "chunk", *options, "--set", setting).error


def write_vectors(path: Path) -> Path:
    """A folder of vectors, as `senna pretrain` writes."""
    path.mkdir()
    (path / "words.txt").write_text("the\na\nto\nin\n.\n", encoding="utf-8")
    np.save(path / "vectors.npy", np.random.default_rng(1).normal(size=(5, 16)).astype(np.float16))
    return path


def test_files_whose_names_are_no_utf_8(senna):
    name = os.fsdecode(b"caf\xe9")
    try:
        vectors = ("--embeddings", write_vectors(Path(name)))
    except OSError:
        pytest.skip("no such names here")
    file = write(f"{name}.txt", "The B-NP|. O")
    own = ("--train", file, "--dev", file, "--test", file)
    options = small("train.epochs=1")[2:]
    done = senna("train", "--task", "chunk", *own, *vectors, *options)
    assert done.code == 0 and "  caf?.txt dev" in done.err, done.err
    model = Path("runs/chunk/model")
    assert "caf?.txt dev" in (model / "README.md").read_text(encoding="utf-8")
    assert read_model(model).about["config"]["features"]["word"]["embeddings"] == "caf?"


# --------------------------------------------------------------------------- configurations


NOTED = '# notes of my own\nextends = "ner"\n'


@pytest.mark.parametrize("right", [True, False])
def test_a_configuration_in_the_runs_folder_stays_as_it_is(senna, right):
    """Once it was deleted where the run failed, and written over where it did not."""
    config = Path("runs/mine/config.toml")
    config.parent.mkdir(parents=True)
    config.write_text(NOTED, encoding="utf-8")
    train = write("train.txt", "Ada B-PER|ran O" if right else "Ada B-PER x|ran O")
    options = ("--train", train, "--dev", train, *small("train.epochs=1"))
    done = senna("train", "--task", "ner", "--config", config, *options, "--name", "mine")
    assert "runs/mine/config.toml: is in the run's own folder" in done.error
    other = senna("train", "--task", "ner", *options, "--name", "mine")
    assert "already contains a config.toml" in other.error
    assert config.read_text(encoding="utf-8") == NOTED
    assert [path.name for path in config.parent.iterdir()] == ["config.toml"]


def test_a_doubt_about_a_file_of_several_tasks_is_told_once(senna):
    words = "Anna PROPN 2|bought VERB 0|old ADJ 4|books NOUN 2|today NOUN 2".split("|")
    cells = [(i, *word.split()) for i, word in enumerate(words, 1)]
    rows = [f"{i}\t{w}\t_\t{upos}\t_\t_\t{head}\tx\t_\t_" for i, w, upos, head in cells]
    for name in ("train.conllu", "dev.conllu"):
        Path(name).write_text("\n".join(rows) + "\n\n", encoding="utf-8")
    options = ("--train", "train.conllu", "--dev", "dev.conllu", *small("train.epochs=1"))
    done = senna("train", "--task", "upos,feats", *options)
    assert done.code == 0, done.err
    assert done.err.count("sentences of dev.conllu are in the training set too") == 1


# --------------------------------------------------------------------------- interruption


KEPT = "the best model so far: runs/a/model; continue with senna train --resume runs/a"
MOMENTS = {
    "corpora": (run, "read_corpora", "nothing is kept"),
    "build": (run, "build", "nothing is kept"),
    "first epoch": (Trainer, "step", "nothing is kept"),
    "dev scores": (Trainer, "scores", KEPT),
    "the model's files": (writing, "_write_lines", "continue with senna train --resume runs/a"),
    "evaluation": (run, "_score", KEPT),
}


@pytest.mark.parametrize(
    ("moment", "number", "code"),
    [*((moment, signal.SIGINT, 130) for moment in MOMENTS), ("dev scores", signal.SIGTERM, 143)],
)
def test_stopped_at_any_moment_it_ends_in_a_line_that_tells_what_is_kept(
    senna, monkeypatch, moment, number, code
):
    place, name, kept = MOMENTS[moment]
    really = getattr(place, name)

    def stopped(*arguments: Any) -> Any:
        monkeypatch.setattr(place, name, really)
        assert signal.getsignal(number) is not signal.SIG_DFL  # else the tests would end here
        os.kill(os.getpid(), number)
        return really(*arguments)

    monkeypatch.setattr(place, name, stopped)
    settings = small("data.chunk.size=60")
    options = ("train", "--task", "chunk", "--corpus", "demo", "--name", "a", *settings)
    done = senna(*options)
    assert (done.code, done.err.splitlines()[-1]) == (code, f"senna: stopped; {kept}")
    assert "Traceback" not in done.err
    if "nothing" in kept:
        assert not Path("runs/a").exists()  # the name is still free
    else:
        whole = {"checkpoint.pt", "config.toml", "metrics.jsonl", "versions.json"}
        found = set(os.listdir("runs/a"))
        assert found == (whole | {"model"} if "model" in kept else whole)
        assert "model" not in found or senna("models", "check", "runs/a/model").code == 0
        done = senna("train", "--resume", "runs/a")
        assert (done.code, done.err.splitlines()[-1]) == (0, f"T{NOTICE}")
        metrics = Path("runs/a/metrics.jsonl").read_text(encoding="utf-8").splitlines()
        assert [json.loads(line)["epoch"] for line in metrics] == [1, 2]
        assert NOTICE in Path("runs/a/model/README.md").read_text(encoding="utf-8")
        assert senna("models", "check", "runs/a/model").code == 0


INTERRUPTED_IMPORT = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
class Finder:
    def find_spec(name, path, target=None):
        if name == "torch.functional":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder)
from senna.cli.main import main
main()
"""


def program(code: str, *arguments: str) -> subprocess.Popen[str]:
    """The program in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


@pytest.mark.slow
def test_stopped_while_torch_is_loaded():
    process = program(INTERRUPTED_IMPORT, "train", "--task", "chunk", "--corpus", "demo")
    assert process.communicate(timeout=60) == ("", "senna: stopped\n")
    assert process.returncode == 130


@pytest.mark.slow
def test_one_name_is_for_one_process_which_sigterm_ends_tidily(senna):
    settings = small("train.epochs=1000000", "data.chunk.size=60")
    options = ("--task", "chunk", "--corpus", "demo", *settings)
    process = program("from senna.cli.main import main; main()", "train", *options)
    metrics = Path("runs/chunk/metrics.jsonl")
    while not (metrics.exists() and metrics.stat().st_size):
        assert process.poll() is None
        time.sleep(0.02)
    for again in (("--resume", "runs/chunk"), (*options, "--name", "chunk")):
        done = senna("train", *again)
        assert (done.code, "another process is writing it" in done.err) == (2, True)
    process.terminate()
    last = process.communicate(timeout=60)[1].splitlines()[-1]
    assert process.returncode == 143
    kept = "the best model so far: runs/chunk/model; continue with senna train --resume runs/chunk"
    assert last == f"senna: stopped; {kept}"
    assert senna("models", "check", "runs/chunk/model").code == 0


@pytest.mark.parametrize("after", [0, 1])
def test_a_run_that_diverges_stops_at_once_and_keeps_the_best_epoch(senna, monkeypatch, after):
    """Once it went on to its last epoch, and then found fault with the model's folder."""
    really, rate = Trainer.step, 1000 if after == 0 else 0.01
    steps = [0, 0]  # of each epoch

    def step(self: Trainer, batch: Any) -> int:
        if self.state.epoch == 1:
            descent = self.descent
            descent.rates = [[1e30 for _ in rates] for rates in descent.rates]
        steps[self.state.epoch] += 1
        return really(self, batch)

    monkeypatch.setattr(Trainer, "step", step)
    settings = small("train.epochs=9", "train.batch=16", f"train.learning_rate={rate}")
    done = senna("train", "--task", "ner", "--corpus", "demo", "--name", "a", *settings)
    kept = "; the model of epoch 1 is kept" if after else ""
    assert done.err.splitlines()[-1] == (
        f"senna: train.learning_rate = {rate}: the training diverged in epoch {after + 1} "
        f"(the loss is not a number){kept}. Lower train.learning_rate."
    )
    assert (done.code, "nan" in done.err) == (2, False)
    assert 0 < steps[1] < steps[0] if after else 0 < steps[0] < 10
    if after:
        assert senna("models", "check", "runs/a/model").code == 0
    else:
        assert not Path("runs/a").exists()


# --------------------------------------------------------------------------- small files

SENTENCES = "Anna S-PER\nran O\n\nthe O\ndog O\nsaw O\nRome S-LOC\n\n"
OTHERS = [part for setting in SMALL if "epochs" not in setting for part in ("--set", setting)]


@pytest.fixture
def file() -> str:
    Path("x.txt").write_text(SENTENCES * 10, encoding="utf-8")
    return "x.txt"


def test_few_sentences_get_more_epochs_unless_these_are_named(senna, file):
    done = senna("train", "--task", "ner", "--train", file, "--name", "a", *OTHERS)
    lines = done.err.splitlines()
    assert lines[1] == ("30 epochs, for only 20 sentences (--set train.epochs=N changes it)")
    assert "ner in 18 training sentences: PER 9, LOC 9" in lines
    assert "dev: the last 2 of the 20 sentences of ner (10%) are held out" in lines
    done = senna(
        "train", "--task", "ner", "--train", file, *OTHERS, "--set", "train.epochs=1", "--name", "b"
    )
    assert "epoch   1" in done.err and "epoch   2" not in done.err and " epochs, " not in done.err


def test_words_of_another_language_are_learnt_as_the_error_says(senna):
    Path("x.txt").write_text("अन्ना S-PER\nगई O\n\nरोम S-LOC\nदूर O\n\n" * 10, encoding="utf-8")
    files = ("--task", "ner", "--train", "x.txt", "--dev", "x.txt", "--name", "a")
    error = senna("train", *files).error
    [cure] = re.findall(r"need (--set .*)\.$", error)
    done = senna("train", *files, *shlex.split(cure), "--set", "train.epochs=20")
    assert re.search(r"ner +F1 +100.00  x.txt dev", done.err), done.err


@pytest.mark.parametrize("type_", ["PER", "FOOD"])
def test_both_scores_are_told_of_names_that_are_remembered(senna, file, type_):
    """As by senna eval: Anna opens a document, or not."""
    rows = "-DOCSTART-\tO\n\nAnna S-PER\nran O\n\nBob S-PER\nran O\n\n".replace("PER", type_)
    Path(file).write_text(rows * 10, encoding="utf-8")
    files = ("--train", file, "--dev", file, "--name", "a", *OTHERS)
    done = senna("train", "--task", "ner", *files, "--set", "train.epochs=2")
    [told] = [line for line in done.err.splitlines() if line.startswith("ner        F1")]
    noted = [
        line
        for line in senna("eval", "--task", "ner", "--model", "runs/a/model", file).err.splitlines()
        if "memory" in line
    ]
    value = told.split()[2]
    if type_ == "FOOD":
        assert (told, noted) == (f"ner        F1 {value:>12}  x.txt dev", [])
    else:
        [(memory, plain)] = re.findall(
            r"F1 ([0-9.]+) with the memory of names, ([0-9.]+)", noted[0]
        )
        assert told.endswith(f"{plain}  x.txt dev ({memory} with the memory of names)")


def test_training_on_files_ends_once_dev_is_not_better(senna, file):
    files = ("--train", file, "--dev", file, "--name", "a", *OTHERS)
    lines = senna("train", "--task", "ner", *files).err.splitlines()
    dev = [float(line.split()[6]) for line in lines if line.startswith("epoch ")]
    assert "stopped after 8 epochs without a better dev score (train.patience)" in lines
    assert len(dev) == dev.index(max(dev)) + 1 + 8 <= 29
    assert "patience = 8\n" in Path("runs/a/config.toml").read_text(encoding="utf-8")
    for setting, n in (("train.epochs=7", 7), ("train.patience=0", 30)):
        done = senna("train", "--task", "ner", *files[:4], *OTHERS, "--set", setting)
        assert (done.err.count("\nepoch "), "stopped after" in done.err) == (n, False)


def test_a_model_that_finds_nothing_is_told(senna, file):
    slow = ("--set", "train.learning_rate=1e-9", "--set", "train.epochs=1")
    Path("dev.txt").write_text("Bob S-PER\nslept O\n\n", encoding="utf-8")
    files = ("--train", file, "--dev", "dev.txt", "--name", "a")
    done = senna("train", "--task", "ner", *files, *OTHERS, *slow)
    assert "hint: the model predicts only O for ner on dev, or nothing right: " in done.err


def test_a_learning_curve_has_a_run_per_size(senna, file):
    options = ("--task", "ner", "--train", file, *OTHERS, "--set", "train.epochs=1")
    done = senna("train", *options, "--sizes", "9,4", "--name", "c")
    assert done.code == 0, done.err
    assert sorted(json.loads(Path("runs/c/sizes.json").read_text())["sizes"]) == ["4", "9"]
    table = done.err[done.err.index("sentences  ") :].splitlines()
    assert [line.split()[0] for line in table[:3]] == ["sentences", "4", "9"]
    assert "ner in 4 training sentences" in done.err
    again = senna("train", *options, "--sizes", "9,4", "--name", "c")
    assert again.code == 0 and "epoch" not in again.err


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (("--sizes", "5"), "a learning curve needs two sizes or more"),
        (("--sizes", "5,x"), "'5,x' is no list of numbers"),
        (("--sizes", "5,6", "--runs", "2"), "--runs and --sizes cannot be combined"),
        (("--sizes", "5,60"), "60 of 18 training sentences"),
    ],
)
def test_sizes_that_cannot_be(senna, file, options, what):
    epochs = ("--set", "train.epochs=1", "--name", "c")
    done = senna("train", "--task", "ner", "--train", file, *OTHERS, *options, *epochs)
    assert done.code == 2 and what in done.err.splitlines()[-1]
    assert "epoch" not in done.err


@pytest.mark.parametrize(
    ("means", "rising"),
    [
        ([10, 20], False),  # the last two are the best two of any two that rise
        ([10, 20, 30], True),
        ([10, 30, 20], False),
        ([30, 10, 20], False),
        ([20, 20.1, 20.2], False),
        ([5, 30, 20, 31, 32], True),
    ],
)
def test_a_score_is_rising_when_its_last_two_steps_go_up(means, rising):
    assert is_rising(means) is rising


def test_configurations_of_the_package_have_names(senna):
    listed = senna("train", "--list-configs").out.decode()
    named = dict(line.split("\t") for line in listed.splitlines())
    assert {"ner", "paper/ner", "paper/srl", "paper/multitask-sentence"} <= set(named)
    assert named["paper/ner"] == "Named entities by the window approach, from random vectors"
    done = senna("train", "--config", "paper/ner", "--corpus", "demo", "--device", "nowhere")
    assert "device: cannot be used here" in done.err


@pytest.mark.parametrize("kind", ["window", "sentence"])
@pytest.mark.parametrize("task", ["ner", "pos,chunk,ner"])
def test_networks_of_the_paper_have_their_own_epochs_and_rate(kind, task):
    def chosen(*settings: str) -> Training:
        return configuration(task.split(","), None, settings, {}, print).train

    of_kind = f"network.kind={kind}"
    usual = NETWORK_SETTINGS[kind].TRAIN
    assert chosen(of_kind).epochs == usual["train.epochs"] == 8
    assert chosen(of_kind).learning_rate == usual["train.learning_rate"]
    assert chosen(of_kind, "train.epochs=2").epochs == 2
    assert chosen("network.kind=gated") == chosen()


@pytest.mark.parametrize(("task", "kind"), [("ner", "window"), ("srl", "sentence")])
def test_networks_of_the_paper_are_trained_on(senna, task, kind):
    few = f"data.{task}.size=20"
    once = ("--set", few, "--set", "train.epochs=1", "--set", "train.learning_rate=0.01")
    done = senna(
        "train", "--task", task, "--from", "paper", "--corpus", "demo", *once, "--name", "p"
    )
    assert done.code == 0, done.err
    assert read_model(Path("runs/p/model")).meta["network"]["kind"] == kind
    if task == "ner":
        again = senna("train", "--from", "runs/p", "--corpus", "demo", *once, "--name", "q")
        assert again.code == 0, again.err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "least"),
    [
        ("--task ner --set network.kind=window", {"ner": 82.0}),
        ("--task ner --set network.kind=sentence", {"ner": 85.0}),
        (
            "--task pos,chunk,ner --set network.kind=window --set network.window.hidden=[500]",
            {"pos": 95.0, "chunk": 94.0, "ner": 90.0},
        ),
    ],
)
def test_networks_of_the_paper_learn_the_demonstration_corpus(senna, line, least):
    done = senna("train", *line.split(), "--corpus", "demo", "--name", "demo")
    assert done.code == 0, done.err
    for task, score in least.items():
        [found] = re.findall(rf"(?m)^{task} +\S+ +([\d.]+)  test", done.err)
        assert float(found) >= score, task


@pytest.mark.filterwarnings("default")
def test_spans_that_are_left_out_are_a_plain_line(senna, as_file):
    spans = '"label": [[0, 3, "PER"], [5, 12, "FOOD"]]'
    path = as_file("train.jsonl", f'{{"text": "Ann ate. Mix it.", {spans}}}\n' * 3)
    options = ["train.epochs=1", "features.word.embeddings=", "features.word.size=8"]
    settings = [word for option in options for word in ("--set", option)]
    done = senna("train", "--task", "ner", "--train", path, "--name", "spans", *settings)
    assert done.code == 0, done.err
    assert f"senna: warning: {path}: 3 of 6 spans left out (in two sentences" in done.err
    assert "UserWarning" not in done.err
