"""A model folder is trained on."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
import torch

from senna.config import Config, Export, GatedConfig, NetworkConfig, Source, Training
from senna.errors import SennaError
from senna.files import resource
from senna.infer.pipeline import Pipeline
from senna.model.folder import ModelFolder, read_model
from senna.training.examples.corpora import demo_data, read_corpora
from senna.training.export import export
from senna.training.loop import Trainer
from senna.training.run import Run, train
from senna.training.start_from import config_of, setup_from
from tests import toys

CPU = torch.device("cpu")
WORDS = [["Mara", "opens", "the", "bridge", "."], ["Unseen", "zebras", "sleep"]]


def trained(out: Path, kind: str, *tasks: str, rank: int = 0) -> ModelFolder:
    gated = GatedConfig(10, dilations=(1, 2), pair=8, pair_dilations=(1,))
    config = dataclasses.replace(
        toys.SMALL,
        tasks=tasks,
        data={task: demo_data(task, resource("data/demo")) for task in tasks},
        network=NetworkConfig(kind=kind, gated=gated),
        train=Training(epochs=1, batch=16, learning_rate=0.01),
        export=Export(rank=rank),
    )
    return read_model(train(config, Run(out), lambda line: None))


@pytest.fixture(scope="module")
def gated(tmp_path_factory: pytest.TempPathFactory) -> ModelFolder:
    return trained(tmp_path_factory.mktemp("gated") / "run", "gated", "pos", "psg", rank=3)


def test_a_model_goes_out_as_it_came_in(gated: ModelFolder, tmp_path: Path) -> None:
    config = config_of(gated)
    setup = setup_from(gated, config, read_corpora(config, None), CPU)
    export(setup, tmp_path / "again", {})
    again = read_model(tmp_path / "again")
    before, after = dict(gated.arrays()), dict(again.arrays())
    assert set(before) == set(after)
    for name, array in before.items():
        if name != "words.trained":
            assert np.array_equal(array, after[name]), name
    for name in ("features", "network", "tasks"):
        assert again.meta[name] == gated.meta[name]
    first, second = (Pipeline.load(None, folder.path) for folder in (gated, again))
    assert str(first.annotate(WORDS)) == str(second.annotate(WORDS))


def test_a_window_network_trains_on(tmp_path: Path) -> None:
    folder = trained(tmp_path / "run", "window", "pos")
    config = config_of(folder)
    setup = setup_from(folder, config, read_corpora(config, None), CPU)
    export(setup, tmp_path / "again", {})
    again = dict(read_model(tmp_path / "again").arrays())
    for name, array in folder.arrays():
        if name != "words.trained":
            assert np.array_equal(array, again[name]), name


def test_a_sentence_network_is_refused(tmp_path: Path) -> None:
    folder = trained(tmp_path / "run", "sentence", "pos")
    config = config_of(folder)
    with pytest.raises(SennaError, match="a sentence network cannot be trained on"):
        setup_from(folder, config, read_corpora(config, None), CPU)


def test_training_on_lowers_the_loss_and_keeps_the_factors(
    gated: ModelFolder, tmp_path: Path
) -> None:
    config: Config = dataclasses.replace(config_of(gated), train=Training(epochs=2, batch=16))
    setup = setup_from(gated, config, read_corpora(config, None), CPU)
    trainer = Trainer(config, setup.model, setup.batches, tmp_path)
    trainer.total_steps = 1_000
    first, _ = trainer._epoch()
    second, _ = trainer._epoch()
    assert second < first
    assert "gated-0.down.weight" in setup.model.arrays()


def test_tags_that_the_model_does_not_know_are_refused(gated: ModelFolder, tmp_path: Path) -> None:
    path = tmp_path / "new.txt"
    path.write_text("Mara\tNEW\n\n", encoding="utf-8")
    config = config_of(gated)
    source = dataclasses.replace(config.data["pos"], train=(Source(str(path)),))
    config = dataclasses.replace(config, data=config.data | {"pos": source})
    with pytest.raises(SennaError, match="tags of pos that it does not know"):
        setup_from(gated, config, read_corpora(config, None), CPU)


def test_a_folder_that_does_not_say_how_it_was_trained(gated: ModelFolder) -> None:
    silent = dataclasses.replace(gated, path=gated.path / "nowhere", meta=gated.meta)
    with pytest.raises(SennaError, match="does not say how it was trained"):
        config_of(silent)
