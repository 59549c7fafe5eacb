"""States of a language model as features: teachers that only PyTorch computes."""

from __future__ import annotations

import dataclasses
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from senna.config import Config, NetworkConfig, Training, from_table, override
from senna.errors import SennaError
from senna.features.settings import TagFeature
from senna.files import resource
from senna.lab.networks.settings import RecurrentConfig
from senna.lab.pretraining.states import LanguageStates
from senna.lab.teacher import annotate
from senna.model.folder import read_model
from senna.networks.settings import GatedConfig
from senna.pipeline.pipeline import Pipeline
from senna.text.capitals import CASELESS
from senna.text.features import PADDING, RARE
from senna.training import loop
from senna.training.examples.corpora import demo_data
from senna.training.origin import fine_tuning
from senna.training.run import Run, train
from senna.training.trainer import Trainer
from tests import toys

WORDS = ["the", "anna", "walks", "0", "."]


@pytest.fixture(scope="module")
def lm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("states") / "lm"
    toys.write_language_model([*WORDS, "Weber"], path)
    return path


def config_with(lm: Path | str, **changes: Any) -> Config:
    features = dataclasses.replace(toys.SMALL.features, states=str(lm))
    gated = NetworkConfig("gated", gated=GatedConfig(12, dilations=(1, 2)))
    return dataclasses.replace(toys.SMALL, features=features, **{"network": gated} | changes)


def learning(lm: Path | str, epochs: int = 2) -> Config:
    data = demo_data("ner", resource("data/demo"))
    return config_with(lm, data={"ner": data}, train=Training(epochs=epochs, batch=16))


@pytest.mark.parametrize("kind", ["gated", "recurrent", "convolution"])
def test_states_stand_beside_the_other_features(lm: Path, kind: str) -> None:
    task = "label" if kind == "convolution" else "ner"
    network = NetworkConfig(kind, recurrent=RecurrentConfig("lstm", 6))
    network_setup = toys.setup(config_with(lm, network=network, tasks=(task,)))
    bare = toys.setup(dataclasses.replace(toys.SMALL, network=network, tasks=(task,)))
    states = LanguageStates.load(lm)
    assert network_setup.model.inputs.size == bare.model.inputs.size + states.size
    assert network_setup.model.state_dict().keys() == bare.model.state_dict().keys()
    [sets] = network_setup.batches.numbered.tasks
    batch = network_setup.batches.batch(task, sets.train[:5])
    vectors = network_setup.model.inputs(batch, margin=2)
    corpus = network_setup.corpora[task].train
    for row, sentence in zip(vectors, [s for s in corpus if s.gold], strict=False):
        n = len(sentence.forms)
        rows = torch.from_numpy(states.ids(sentence.forms).astype(np.int64))[None]
        alone = states(rows, torch.tensor([n]))[0]
        torch.testing.assert_close(row[2 : 2 + n, -states.size :], alone)
        assert not row[2 + n :, -states.size :].any() and not row[:2, -states.size :].any()
    emissions = network_setup.model(task, batch)
    emissions.sum().backward()
    assert all(
        weights.grad is None for weights in network_setup.model.inputs.states[0].parameters()
    )


def test_states_are_no_part_of_a_sum(lm: Path) -> None:
    settings = [f'features.states="{lm}"', 'features.joined="sum"', "features.word.size=5"]
    with pytest.raises(SennaError, match="features.states = .* needs features.joined = concatenat"):
        override(Config(), settings)


def test_forms_are_looked_up_by_their_best_spelling(lm: Path) -> None:
    forms = ["", "The", "ANNA", "1999", "weber", "zebra", f"{CASELESS}WALKS"]
    rows = LanguageStates.load(lm).ids(forms)
    assert rows.tolist() == [PADDING, 2, 3, 5, 7, RARE, 4]


def test_a_model_with_states_is_scored_and_tags(lm: Path, tmp_path: Path) -> None:
    said: list[str] = []
    config = learning(lm)
    model = train(config, Run(tmp_path / "run"), said.append)
    about = read_model(model).about
    scores = about["scores"]["ner"]
    assert [name.rsplit("/", 1)[-1] for name in scores] == [
        "measure",
        "dev.txt dev",
        "test.txt test",
    ]
    assert about["made"]["best_epoch"] in (1, 2)
    best = max(float(line.split("ner ")[1].split()[0]) for line in said if "epoch" in line[:6])
    assert scores[next(name for name in scores if name.endswith(" dev"))] == pytest.approx(
        best, abs=0.006
    )
    assert Pipeline.load(["ner"], model).tag([["Anna", "walks"]])["ner"]
    # It can be trained on, and begins with what it scored.
    said.clear()
    again = dataclasses.replace(fine_tuning(read_model(model), ["ner"]), data=config.data)
    again = dataclasses.replace(
        again, train=dataclasses.replace(again.train, epochs=1, model=str(model))
    )
    train(again, Run(tmp_path / "again"), said.append)
    [first] = [line for line in said if line.startswith("before training")]
    assert float(first.split("ner ")[-1]) == pytest.approx(best, abs=0.01)


def test_a_teacher_tags_text(lm: Path, tmp_path: Path) -> None:
    folder = tmp_path / "teacher"
    features = toys.with_tags(config_with(lm).features, pos=TagFeature(3, "column"))
    written = toys.exported(toys.setup(config_with(lm)), folder)
    [sets] = (setup := toys.setup(config_with(lm))).numbered.tasks
    tags_of_network = Trainer(setup.learning(), Path()).predict(sets, sets.dev)
    sentences = [s.forms for s in setup.corpora["ner"].dev[0][1]]
    cpu, model = torch.device("cpu"), read_model(written)
    assert annotate(model, ["ner"], sentences, cpu) == {"ner": tags_of_network}
    assert len({tag for tags in tags_of_network for tag in tags}) > 1
    assert annotate(model, ["ner"], [], cpu) == {"ner": []}
    for task in ("srl", "pos"):
        with pytest.raises(SennaError, match=f"no model for task '{task}'"):
            annotate(model, [task], sentences, cpu)
    column = toys.exported(
        toys.setup(dataclasses.replace(config_with(lm), features=features)), tmp_path / "c"
    )
    with pytest.raises(SennaError, match="a sentence has no column pos"):
        annotate(read_model(column), ["ner"], sentences, cpu)


def test_a_stopped_run_ends_in_the_same_weights(
    lm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = learning(lm)
    whole = train(config, Run(tmp_path / "whole"), lambda line: None)
    real = loop.save

    def stop(trainer: Any) -> None:
        real(trainer)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(loop, "save", stop)
    with pytest.raises(KeyboardInterrupt):
        train(config, Run(tmp_path / "cut"), lambda line: None)
    monkeypatch.setattr(loop, "save", real)
    resumed = train(config, Run(tmp_path / "cut"), lambda line: None, resume=True)
    for path in whole.glob("*.npy"):
        assert path.read_bytes() == (resumed / path.name).read_bytes(), path.name


def test_a_folder_without_a_language_model_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("a\n", encoding="utf-8")
    np.save(tmp_path / "vectors.npy", np.ones((1, 3), np.float32))
    for path in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(
            SennaError, match="no recurrent language model in both directions"
        ) as no:
            train(learning(path), Run(tmp_path / "run"), lambda line: None)
        assert str(path) in str(no.value)
        assert not (tmp_path / "run").exists()


def test_states_are_a_path() -> None:
    with pytest.raises(SennaError, match="features.states"):
        from_table({"features": {"states": 3}}, where="mine.toml")
