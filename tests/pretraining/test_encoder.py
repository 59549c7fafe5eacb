"""Runs that pretrain an encoder of a small text."""

import json
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from senna.errors import SennaError
from senna.model.folder import read_model
from senna.pretraining import encoder_trainer
from senna.pretraining.config import EncoderPretraining, Job, read_pretraining
from senna.pretraining.corpus import Text, prepare
from senna.pretraining.encoder_start import with_encoder
from senna.pretraining.encoder_trainer import MOST, Drawn, EncoderTrainer, Made, made, processes_for
from senna.pretraining.run import pretrain, read_job
from senna.pretraining.towers import UNTOLD, Reader, Sentences, Targets
from senna.text.capitals import CASELESS, TITLED
from senna.text.vocabulary import PADDING
from senna.training.build import build
from senna.training.examples.corpora import TaskCorpus
from tests import toys
from tests.pretraining.toytext import CHOICES, PLACES, TOPICS, write_text

SMALL = """
epochs=1.0 held_out=20 batch=128 sample=20 learning_rate=0.01 gated.units=16
gated.dilations=[1,2] features.prefix.lengths=[1] features.suffix.lengths=[]
features.characters.filters=4 features.word.scale=0.12
""".split()


@pytest.fixture(scope="module")
def text(tmp_path_factory) -> Text:
    folder = tmp_path_factory.mktemp("text")
    source = write_text(folder / "toy.txt", 300)
    source.write_text(source.read_text(encoding="utf-8").replace("axk", "Axk"), encoding="utf-8")
    return prepare([source], folder / "ids", kind="tokens", case="keep", jobs=1, say=str)


@pytest.fixture(scope="module")
def vectors(tmp_path_factory) -> Path:
    """Random vectors of all words of the toy text."""
    path, random = tmp_path_factory.mktemp("vectors") / "toy.glove", np.random.default_rng(1)
    words = [place + topic + choice for place in PLACES for topic in TOPICS for choice in CHOICES]
    rows = [f"{word} {' '.join(map(str, random.normal(size=6).round(3)))}\n" for word in words]
    path.write_text("".join(rows), encoding="utf-8")
    return path


def small(vectors: Path, *settings: str) -> EncoderPretraining:
    values = {"features.word.embeddings": str(vectors)}
    config = read_pretraining(None, "encoder", [*SMALL, *settings], values)
    assert isinstance(config, EncoderPretraining)
    return config


def go(
    config: EncoderPretraining, out: Path, text: Text, *, resume: bool = False
) -> dict[str, bytes]:
    """The arrays that a run has written."""
    pretrain(config, Job(out, text=text.folder), str, resume=resume)
    return {path.name: path.read_bytes() for path in (out / "model").glob("*.npy")}


@pytest.fixture(scope="module")
def encoder(tmp_path_factory, text, vectors) -> Path:
    """A run; not to be changed."""
    path = tmp_path_factory.mktemp("encoder")
    go(small(vectors), path, text)
    return path


def reader_of(text: Text, config: EncoderPretraining) -> Reader:
    features = encoder_trainer.collected_of(config, text).features
    sentences, targets = Sentences(text, 0, 20), Targets.choose(text, features, 1000)
    return Reader(text, sentences, features, targets, config.features.caps)


@pytest.mark.slow
def test_an_encoder_learns_and_says_how_well(tmp_path, text, vectors):
    config, said = small(vectors, "epochs=12"), list[str]()
    pretrain(config, Job(tmp_path, text=text.folder), said.append)
    line = json.loads((tmp_path / "metrics.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    assert line["held_out"] < np.log(len(CHOICES) * len(TOPICS)) + 0.1  # it knows the places
    assert f"held-out loss {line['held_out']:.4f}" in said[-2]
    assert said[-1].endswith(f"senna train --set train.encoder={tmp_path}")


def test_rates_grow_and_fall(tmp_path, text, vectors, monkeypatch):
    rates, real = list[tuple[float, float]](), EncoderTrainer.step

    def step(self: EncoderTrainer, batch: Made) -> int:
        done = self.state.words / self.total
        words = real(self, batch)
        rates.append((done, self.adam.param_groups[0]["lr"] / self.config.learning_rate))
        return words

    monkeypatch.setattr(EncoderTrainer, "step", step)
    go(small(vectors, "epochs=2", "warm_up=4"), tmp_path, text)
    assert [rate for _, rate in rates[:4]] == [0.25, 0.5, 0.75, 1.0]
    for done, rate in rates[4:]:
        assert rate == pytest.approx(min(1.0, (1 - done) / 0.2))
    assert 0 < rates[-1][1] < 0.25


@pytest.mark.parametrize("jobs", [0, pytest.param(2, marks=pytest.mark.slow)])
def test_a_run_that_was_stopped_ends_with_the_same_weights(
    tmp_path, text, vectors, monkeypatch, jobs
):
    monkeypatch.setattr(encoder_trainer, "processes_for", lambda device, asked: jobs)
    config = small(vectors, "epochs=2")
    whole = go(config, tmp_path / "a", text)
    real, steps = EncoderTrainer.step, iter(range(1000))

    def step(self: EncoderTrainer, batch: Made) -> int:
        if next(steps) == 17:  # in the second pass over the text
            os.kill(os.getpid(), signal.SIGINT)
        return real(self, batch)

    monkeypatch.setattr(EncoderTrainer, "step", step)
    with pytest.raises(KeyboardInterrupt, match="--resume"):
        go(config, tmp_path / "b", text)
    assert read_model(tmp_path / "b" / "model").tasks == []  # what it had learnt by then
    settings, job = read_job(tmp_path / "b", "cpu", 1)
    assert settings == config
    pretrain(settings, job, str, resume=True)
    again = {path.name: path.read_bytes() for path in (tmp_path / "b" / "model").glob("*.npy")}
    assert again == whole
    assert go(replace(config, seed=2), tmp_path / "c", text) != whole


def test_a_run_goes_on_with_its_own_text_alone(encoder, text, vectors):
    with pytest.raises(SennaError, match="begun with another text"):
        go(small(vectors, "held_out=30"), encoder, text, resume=True)


def test_training_begins_with_the_weights_of_the_encoder(encoder, vectors):
    model = read_model(encoder / "model")
    word = f"features.word={{size=0, embeddings='{vectors}', scale=0.12}}"
    own = ("network.gated.units=16", "features.caps.size=5", word, f"train.encoder={encoder}")
    config = toys.small("pos", *toys.GATED, *own)
    features = with_encoder(config.features, config.network, config.train.encoder)
    config = replace(config, features=features)
    setup = build(config, {"pos": TaskCorpus(toys.corpus("pos").train, [])}, torch.device("cpu"))
    arrays = setup.model.arrays()
    assert {"caps", "prefix-1", "letters", "layer-0.weight", "gated-1.bias"} <= set(arrays)
    for name in (name for name in arrays if not name.startswith("pos.")):
        n = len(arrays[name])
        shape = [None if i == 0 else size for i, size in enumerate(arrays[name].shape)]
        np.testing.assert_array_equal(arrays[name], model.array(name, *shape)[:n], name)


def test_an_encoder_reads_on_in_another_text(encoder, tmp_path, text, vectors):
    first = {path.name for path in (encoder / "model").glob("*.npy")}
    source, ids = write_text(tmp_path / "other.txt", 300), tmp_path / "ids"
    other = prepare([source], ids, kind="tokens", case="keep", say=str)
    start = f"initial={encoder}"
    still = small(vectors, start, "learning_rate=1e-9", "features.suffix.lengths=[1]")
    assert go(still, tmp_path / "b", other).keys() == first  # with the encoder's features
    for name in first:
        pair = (np.load(run / "model" / name) for run in (encoder, tmp_path / "b"))
        np.testing.assert_allclose(*pair, atol=1e-6, err_msg=name)
    config = small(vectors, start, "learning_rate=0.01")
    on = EncoderTrainer(config, Job(tmp_path / "c", text=text.folder), torch.device("cpu"), str)
    anew = EncoderTrainer(small(vectors), Job(tmp_path / "d", text=text.folder), on.device, str)
    assert sum(on.held_out_loss()) < sum(anew.held_out_loss())


def test_an_encoder_to_start_from_is_one_alone(encoder, tmp_path, text, vectors):
    for name in ("psg", "base"):
        with pytest.raises(SennaError, match="not an encoder alone"):
            go(small(vectors, f"initial={name}"), tmp_path / name, text)
    with pytest.raises(SennaError, match=r"gated\.units: 32, the encoder's 16"):
        go(small(vectors, f"initial={encoder}", "gated.units=32"), tmp_path / "c", text)


def test_each_sentence_is_in_one_batch_of_a_pass(text):
    sentences = Sentences(text, 0, 20)
    batches = list(sentences.batches([1, 0], 128))
    assert sorted(np.concatenate(batches)) == sorted(sentences.train)
    assert not set(sentences.train) & set(sentences.held)
    assert all(len(rows) * sentences.lengths[rows].max() <= 128 for rows in batches)
    assert len(Sentences(text, 600, 20).train) == 100  # of six words each
    assert next(sentences.batches([1, 1], 128)).tolist() != batches[0].tolist()


def test_shares_of_the_sentences_are_read_in_another_case(text, vectors):
    shares = ("features.caps.caseless=0.4", "features.caps.titled=0.6")
    reader = reader_of(text, small(vectors, *shares))
    held = reader.sentences.held
    forms = ["Axk", "bxl", "cxm", "dxk", "exl", "."]
    assert reader.read(forms, 0.1) == [CASELESS + form for form in forms]
    assert reader.read(forms, 0.5)[1] == TITLED + "Bxl"
    assert reader.read(forms, 1.0) == forms
    plain, other = reader.batch(held), reader.batch(held, np.random.default_rng(1))
    assert torch.equal(plain.words, other.words)
    assert (other.capitals == UNTOLD).all() and (plain.capitals != UNTOLD).any()
    # The full stop has no vector.
    assert (plain.words == PADDING).sum() == len(held)


def test_other_processes_make_the_same_batches(text, vectors):
    reader = reader_of(text, small(vectors, "features.caps.caseless=0.4"))
    batches = list(reader.sentences.batches([1, 0], 128))
    drawn = [(rows, [1, 0, number]) for number, rows in enumerate(batches)]
    here, there = list(made(reader, drawn, 0)), list(made(reader, iter(drawn), 2))
    assert len(here) == len(there) == len(batches) > 4
    for rows, (own_rows, own), (other_rows, other) in zip(batches, here, there, strict=True):
        assert rows.tolist() == own_rows.tolist() == other_rows.tolist()
        assert own.forms.keys() == other.forms.keys()
        pairs = [(own.forms[name], other.forms[name]) for name in own.forms]
        names = ("tokens", "lengths", "words", "capitals")
        pairs += [(getattr(own, name), getattr(other, name)) for name in names]
        assert all(torch.equal(first, second) for first, second in pairs)


def exit_status(work: Callable[[], object]) -> int | None:
    """Of a process of a group of its own that does some work; None after a minute."""

    def apart() -> None:
        os.setsid()
        signal.signal(signal.SIGTERM, lambda number, frame: None)
        sys.exit(not work())

    process = multiprocessing.get_context("fork").Process(target=apart)
    process.start()
    process.join(60)
    status = process.exitcode
    if status is None:
        os.killpg(process.pid or 0, signal.SIGKILL)
    return status


@pytest.fixture
def drawn(text, vectors) -> tuple[Reader, list[Drawn]]:
    reader = reader_of(text, small(vectors))
    return reader, [(rows, [1, n]) for n, rows in enumerate(reader.sentences.batches([1, 0], 64))]


@pytest.mark.parametrize("taken", [0, 1])
def test_a_signal_to_all_processes_is_for_the_first_one(drawn, taken):
    """As `timeout` sends it: the others go on, so that a checkpoint can be written."""

    def all_are_made() -> bool:
        batches = made(*drawn, 2)
        first = list(islice(batches, taken))
        os.killpg(0, signal.SIGTERM)
        return len(first) + len(list(batches)) == len(drawn[1])

    assert exit_status(all_are_made) == 0


def test_an_error_in_a_process_ends_all(drawn, monkeypatch):
    """Also one that has hardly begun when the first process ends."""
    reader, rows = drawn
    begin = encoder_trainer._stand_apart

    def late(over: Any, number: int) -> None:
        time.sleep(number)
        begin(over, number)

    monkeypatch.setattr(encoder_trainer, "_stand_apart", late)

    def one_fails() -> list[Made]:
        return list(made(reader, [(rows[0][0], [-1]), *rows], 2))  # no seed is negative

    assert exit_status(one_fails) == 1


def test_only_a_gpu_has_batches_made_for_it():
    assert processes_for("cpu", 4) == 0
    assert processes_for("cuda", 3) == 3
    assert processes_for("cuda", 99) == MOST
    assert 1 <= processes_for("cuda", 0) <= MOST


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        (["gated.units=15"], "gated.units = 15"),
        (["features.word.embeddings="], "an encoder reads word vectors"),
        (["features.tags.pos.size=5"], "features of forms alone"),
        (["dimension=50"], "dimension"),
        (["held_out=200"], "300 sentences are too few to hold 200 out"),
    ],
)
def test_settings_without_sense_are_errors(tmp_path, text, vectors, settings, what):
    values = [*SMALL, f"features.word.embeddings={vectors}", *settings]
    with pytest.raises(SennaError, match=what):
        go(read_pretraining(None, "encoder", values), tmp_path, text)


def test_a_text_in_lower_case(tmp_path, vectors):
    source = write_text(tmp_path / "toy.txt", 300)
    lower = prepare([source], tmp_path / "ids", kind="tokens", jobs=1, say=str)
    with pytest.raises(SennaError, match="prepared with case 'lower'"):
        go(small(vectors), tmp_path / "run", lower)
