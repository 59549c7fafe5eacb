"""senna pretrain: what it says, what it leaves behind, and what it refuses."""

import json
import os
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from senna.formats.vectors import read_vectors
from senna.model import folder as model_folder
from senna.model.writing import quantise, write_model
from senna.pretraining import corpus, pretrainer
from senna.pretraining.pretrainer import Pretrainer
from tests.faults import fill_disk
from tests.pretraining.toytext import SMALL, write_text

LEFT = {"config.toml", "run.json", "metrics.jsonl"}  # by a run that has not got to a checkpoint
DONE = LEFT | {"checkpoint.pt", "text", "words.txt", "vectors.npy"}


@pytest.fixture(autouse=True)
def empty_folder(tmp_path, monkeypatch) -> Iterator[None]:
    """Everything goes to an empty folder, with a text in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SENNA_DATA", raising=False)
    write_text(Path("toy.txt"), 200)
    yield
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert not list(tmp_path.rglob("*.tmp"))


def small(*settings: str, without: tuple[str, ...] = ()) -> list[str]:
    """Options that make a run small; the objective needs no layers, whose import takes long."""
    usual = [s for s in (*SMALL, "epochs=0.4") if s.partition("=")[0] not in without]
    chosen = ("objective=skipgram", *usual, *settings)
    return ["--input", "tokens", "--jobs", "1", *(p for s in chosen for p in ("--set", s))]


def left(folder: str) -> set[str]:
    return {path.name for path in Path(folder).iterdir()}


# --------------------------------------------------------------------------- runs


def test_text_in_vectors_out(senna):
    done = senna("pretrain", "toy.txt", "--out", "a", *small())
    assert (done.code, done.out) == (0, b""), done.err
    lines = done.err.splitlines()
    assert lines[-1] == "vectors: a; try: senna neighbors --vectors a WORD"
    assert left("a") == DONE
    about = json.loads(Path("a/run.json").read_text(encoding="utf-8"))
    assert about["command"].startswith("senna pretrain toy.txt --out a")
    found = read_vectors(Path("a"))
    assert found.table.shape == (31, 8)
    assert senna("neighbors", "--vectors", "a", "bxk").code == 0
    metrics = Path("a/metrics.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(metrics[-1])["log_rank"] > 0


def test_options_are_settings(senna):
    Path("1990").write_text(".\nbxk\naxk\ncxk\n", encoding="utf-8")  # a name like a number
    options = (
        "--set", "sizes=[2,4]", "--dictionary", "1990", "--dimension", "6", "--window", "3",
        "--epochs", "0.3", "--ids", "kept",
    )  # fmt: skip
    rest = small("warm_up=0.2", without=("sizes", "dimension", "window", "epochs"))
    done = senna("pretrain", "toy.txt", "--out", "a", *options, *rest)
    assert done.code == 0, done.err
    assert read_vectors(Path("a")).words == [".", "bxk", "axk", "cxk"]
    assert read_vectors(Path("a")).table.shape[1] == 6
    assert "2 words: 100%" in done.err and "4 words: 100%" in done.err
    assert left("kept") == {"ids.bin", "words.tsv", "text.json"}
    assert left("a") == DONE - {"text"}
    # The tokenised text is used again, with or without its source.
    assert "holds this text already" in senna(
        "pretrain", "toy.txt", "--ids", "kept", "--out", "b", *small()
    ).err  # fmt: skip
    assert senna("pretrain", "--ids", "kept", "--out", "c", *small()).code == 0
    assert Path("b/vectors.npy").read_bytes() == Path("c/vectors.npy").read_bytes()


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names are text there")
def test_paths_may_have_any_name(senna):
    text, words, ids, out = (Path(os.fsdecode(name + b"\xff")) for name in (b"t", b"w", b"i", b"o"))
    Path("toy.txt").rename(text)
    words.write_text(".\nbxk\naxk\n", encoding="utf-8")
    Path("300").write_text(f"bxk{' 1' * 8}\n", encoding="utf-8")
    options = ("--ids", ids, "--dictionary", words, "--initial", "300", *small())
    done = senna("pretrain", text, "--out", out, *options)
    assert done.code == 0, done.err
    assert senna("pretrain", "--resume", out).code == 0
    assert senna("neighbors", "--vectors", out, "bxk").code == 0
    done = senna("vectors", "convert", out, "v\udcff.npz")
    assert done.out == b"v\xff.npz: 3 words of 8 numbers\n"


def test_vectors_to_start_from_go_by_the_names_of_models(senna, tmp_path, monkeypatch):
    table = quantise(np.ones((3, 8), np.float32), "float32")
    write_model(tmp_path / "models" / "base", {"tasks": []}, table, {"words.txt": ["bxk"]})
    monkeypatch.setattr(model_folder, "MODELS", tmp_path / "models")
    Path("base").mkdir()  # changes nothing
    done = senna("pretrain", "toy.txt", "--out", "a", "--initial", "base", *small())
    assert done.code == 0, done.err
    assert f"of the dictionary start from {tmp_path / 'models' / 'base'}" in done.err
    error = senna("pretrain", "toy.txt", "--out", "b", "--initial", "./base", *small()).err
    assert error.splitlines()[-1].startswith(f"senna: {tmp_path / 'base'}: expected one words.txt")


def test_sigterm_and_resume(senna, monkeypatch, tmp_path):
    Path("words").write_text("bxk\n.\naxk\n", encoding="utf-8")
    options = (*small("sizes=[2,3]", "warm_up=0.5"), "--dictionary", "words")
    assert senna("pretrain", "toy.txt", "--out", "whole", *options).code == 0
    real = Pretrainer.batches

    def batches(self: Pretrainer) -> Any:
        os.kill(os.getpid(), signal.SIGTERM)
        return real(self)

    with monkeypatch.context() as context:
        context.setattr(Pretrainer, "batches", batches)
        done = senna("pretrain", "toy.txt", "--out", "cut", *options)
    assert done.code == 143
    told = ["vectors as they are: cut", "senna: stopped; continue with senna pretrain --resume cut"]
    assert [line for line in done.err.splitlines() if line in told] == told
    assert "vectors: " not in done.err
    assert read_vectors(Path("cut")).words == ["bxk", "."]
    assert left("cut") == DONE
    assert "already contains a run. --resume cut" in senna(
        "pretrain", "toy.txt", "--out", "cut", *options
    ).error  # fmt: skip
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    done = senna("pretrain", "--resume", "../cut")
    assert done.code == 0, done.err
    for name in ("words.txt", "vectors.npy"):
        assert (tmp_path / "cut" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    over = senna("pretrain", "--resume", "../cut")
    assert (over.code, over.err.splitlines()[-1][:15]) == (0, "vectors: ../cut")


def test_ctrl_c_while_the_text_is_tokenised(senna, monkeypatch):
    with monkeypatch.context() as context:
        kill = lambda *arguments, **named: os.kill(os.getpid(), signal.SIGINT)  # noqa: E731
        context.setattr(corpus, "number_words", kill)
        done = senna("pretrain", "toy.txt", "--out", "a", *small())
    assert done.code == 130
    assert "senna: stopped; continue with senna pretrain --resume a" in done.err.splitlines()
    assert senna("pretrain", "--resume", "a").code == 0
    assert left("a") == DONE


# --------------------------------------------------------------------------- wrong options


WRONG = """
 | --out: no output folder is given. Example: senna pretrain
--out a | TEXT: no text is given. Example: senna pretrain
toy.txt | --out: no output folder is given
toy.txt --out a --objective rank | --objective: unknown objective 'rank'
toy.txt --out a --set windwo=3 | --set: .*did you mean 'window'
toy.txt --out a --size -3 | sizes.0. = -3 must be from 1 to
toy.txt --out a --config own.toml | own.toml: unknown key 'widnow'
toy.txt --out a --config none.toml | none.toml: no such configuration
toy.txt --out a --device abacus | --device: cannot be used here
--resume none | none: no such run. Start without --resume.
--resume none --epochs 3 --set seed=2 | so --epochs, --set cannot be given
toy.txt --resume none --input tokens | so TEXT, --input cannot be given
none.txt --out a | none.txt: No such file
--ids none --out a | none: no prepared text
""".strip("\n").splitlines()


@pytest.mark.parametrize("line", WRONG)
def test_wrong_options(senna, line):
    given, _, message = line.partition(" | ")
    options = given.split()
    Path("own.toml").write_text('objective = "skipgram"\nwidnow = 3\n', encoding="utf-8")
    error = senna("pretrain", *options).error
    assert re.search(message, error), error
    assert ".toml:" not in error or options[-1] in error  # the fault is not in our own files
    assert not Path("a").exists() or left("a") <= LEFT


def test_a_text_without_words_leaves_a_folder_as_good_as_new(senna):
    Path("text.txt").write_bytes(b"\n \n\n")
    error = senna("pretrain", "text.txt", "--out", "a", *small()).err.splitlines()[-1]
    assert error.startswith("senna: text.txt: no words in it")
    assert left("a") <= LEFT | {"text"}
    Path("text.txt").write_text("The Mill grinds. The mill is old, in 1987.\n\n" * 60, "utf-8")
    for name, more in (("a", []), ("b", ["--cased"])):
        done = senna("pretrain", "text.txt", "--out", name, *more, *small()[2:])
        assert done.code == 0, done.err
    assert left("a") == DONE and left("a/text") == {"ids.bin", "words.tsv", "text.json"}
    words = set(read_vectors(Path("a")).words)
    assert {"mill", "0"} <= words and not {"Mill", "The"} & words
    assert {"Mill", "mill"} <= set(read_vectors(Path("b")).words)


# --------------------------------------------------------------------------- a full disk


@pytest.mark.parametrize("name", sorted(DONE - {"text"}))
def test_a_full_disk(senna, monkeypatch, name):
    monkeypatch.setattr(pretrainer, "SAVE_SECONDS", 0.0)
    with monkeypatch.context() as context:
        fill_disk(context, name)
        done = senna("pretrain", "toy.txt", "--out", "a", *small())
    last = done.err.splitlines()[-1]
    assert done.code == 2 and "Traceback" not in done.err, done.err
    assert last.startswith(f"senna: a/{name}: cannot write: "), last
    assert name == "metrics.jsonl" or not Path("a", name).exists()
    assert not list(Path("a").rglob("*.tmp"))
    begun = name not in ("config.toml", "run.json")
    assert Path("a", "metrics.jsonl").exists() == begun
    assert (" --resume" in last) == begun, last
    again = ["--resume", "a"] if begun else ["toy.txt", "--out", "a", *small()]
    assert senna("pretrain", *again).code == 0
    assert np.isfinite(read_vectors(Path("a")).table).all()
