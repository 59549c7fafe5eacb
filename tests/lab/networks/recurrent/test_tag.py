"""The recurrent network: cells against plain loops, long sentences."""

from __future__ import annotations

import dataclasses
import warnings
from pathlib import Path

import numpy as np
import pytest
import torch

from senna.config import NetworkConfig
from senna.errors import SennaError
from senna.kernel.library import OFF
from senna.lab.networks.recurrence_tag import CELLS, DIRECTIONS, Cell, CellLayer, Gru
from senna.lab.networks.recurrent.tag import RecurrentNetwork
from senna.lab.networks.settings import RecurrentConfig
from senna.model.folder import ModelFolder, read_model, write_model
from senna.training.build import build
from senna.training.examples.corpora import TaskCorpus
from senna.training.examples.data import Example
from senna.training.loop import Trainer
from tests import oracles, toys
from tests.kernel.twins import at
from tests.lab.networks.recurrent.test_train import each_cell
from tests.networks.exact import assert_same, without_rounding
from tests.networks.test_twins import use_stored_words
from tests.networks.texts import Text, load
from tests.tiny import small_config

LENGTHS = [4, 0, 9, 1, 1, 200]


def random_weights(settings: RecurrentConfig, deviation: float) -> dict[str, np.ndarray]:
    """Arrays of a second layer."""
    random, n = np.random.default_rng(1), settings.directions
    units, across = settings.units, settings.gates * settings.units
    shapes = {"weight": (n * units, n * across), "bias": (n * across,)}
    shapes |= {f"{name}.weight": (units, settings.from_state) for name in DIRECTIONS[:n]}
    if settings.peephole:
        shapes["peephole"] = (n, 3 - settings.tied, units)
    return {
        f"layer-1.{name}": random.normal(0, deviation, shape).astype(np.float32)
        for name, shape in shapes.items()
    }


def folder_of(path: Path, arrays: dict[str, np.ndarray]) -> ModelFolder:
    """A folder with nothing but some arrays."""
    write_model(path, {"tasks": []}, arrays, {})
    return read_model(path)


@each_cell
@pytest.mark.parametrize("n_directions", [1, 2])
def test_a_later_layer(tmp_path: Path, settings: RecurrentConfig, n_directions: int) -> None:
    """Against plain loops over the words of each sentence, the longest of 200.

    Measured: the largest error of a state is 8e-5 with one direction, and with two 3.5e-4 for
    elman, 2.2e-4 for others; states have a standard deviation of 0.2 to 0.8.
    """
    settings = dataclasses.replace(settings, units=6, directions=n_directions)
    arrays = random_weights(settings, 0.15 if settings.cell == "irnn" else 0.5)
    layer = CellLayer(folder_of(tmp_path / "model", arrays), "layer-1", settings, 6 * n_directions)
    x = np.random.default_rng(2).normal(size=(sum(LENGTHS), 6 * n_directions)).astype(np.float32)
    states = layer(x.copy(), np.array(LENGTHS))
    sentences = np.split(x, np.cumsum(LENGTHS)[:-1])
    expected = [np.hstack(plain_layer(settings, arrays, "layer-1", part)) for part in sentences]
    whole = np.concatenate(expected)
    np.testing.assert_allclose(states, whole, atol=5e-4 * max(1, np.abs(whole).max()))
    assert whole.std() > 0.1


def plain_layer(
    settings: RecurrentConfig, arrays: dict[str, np.ndarray], name: str, x: np.ndarray
) -> list[np.ndarray]:
    """The states of a sentence x (n_words, n_in) in each direction, by plain loops."""
    states, n = [], settings.directions
    for i, direction in enumerate(DIRECTIONS[:n]):
        inputs, bias = (
            np.split(arrays[f"{name}.{part}"], n, axis=-1)[i] for part in ("weight", "bias")
        )
        order = slice(None, None, -1 if i else 1)
        peephole = arrays[f"{name}.peephole"][i] if settings.peephole else None
        weights = arrays[f"{name}.{direction}.weight"]
        rows = oracles.recurrent_cell(
            settings.cell, x[order], inputs, bias, weights, peephole, settings.tied
        )
        states.append(rows[order])
    return states


@each_cell
@pytest.mark.parametrize("n_directions", [1, 2])
def test_skip_connections(tmp_path: Path, settings: RecurrentConfig, n_directions: int) -> None:
    """Both twins against plain loops: two layers read the words, and both are what heads read.

    The states of all layers that read from the first word come first.
    """
    settings = dataclasses.replace(settings, directions=n_directions, layers=2, skip=True)
    network = NetworkConfig("recurrent", recurrent=settings)
    made = toys.setup(dataclasses.replace(toys.SMALL, network=network))
    path = toys.exported(made, tmp_path / "model")
    use_stored_words(made, path)
    (task,) = made.numbered.tasks
    batch = made.batches.batch("ner", task.dev)
    with torch.no_grad():
        vectors, encoded = made.model.inputs(batch), made.model.encode(batch)
    arrays = dict(read_model(path).arrays())
    size = made.model.inputs.size
    assert arrays["layer-1.weight"].shape == (size, n_directions * settings.gates * 4)
    two = [arrays[f"layer-1.{part}"] for part in ("weight", "below.weight")]
    arrays["layer-1.weight"] = np.concatenate(two)
    expected = []
    for x, rows, n in zip(vectors.numpy(), encoded.numpy(), batch.lengths.tolist(), strict=True):
        first = plain_layer(settings, arrays, "layer-0", x[:n])
        second = plain_layer(settings, arrays, "layer-1", np.hstack([x[:n], *first]))
        directions = [np.hstack(both) for both in zip(first, second, strict=True)]
        expected.append(np.hstack(directions))
        np.testing.assert_allclose(rows[:n], expected[-1], atol=1e-5)
    forms = [sentence.forms for sentence in made.corpora["ner"].dev[0][1]]
    with without_rounding():
        assert_same(Text(load(path), forms).x, np.concatenate(expected))
    rounded = Text(load(path), forms).x
    np.testing.assert_allclose(rounded, np.concatenate(expected), atol=0.05)
    with at(OFF):
        assert np.array_equal(Text(load(path), forms).x, rounded)


def test_skip_connections_of_one_layer_are_none(tmp_path: Path) -> None:
    """The first layer reads the words anyway, and the heads read it: all arrays are the same."""
    folders = []
    for skip in (False, True):
        network = NetworkConfig("recurrent", recurrent=RecurrentConfig("gru", 4, skip=skip))
        made = toys.setup(dataclasses.replace(toys.SMALL, network=network))
        folders.append(read_model(toys.exported(made, tmp_path / str(skip))))
    (plain, skipping) = (dict(folder.arrays()) for folder in folders)
    assert set(plain) == set(skipping)
    assert all(np.array_equal(array, skipping[name]) for name, array in plain.items())
    forms = [["Anna", "walks"], ["x"]]
    assert np.array_equal(*(Text(load(folder.path), forms).x for folder in folders))


@pytest.mark.parametrize("cell", CELLS)
def test_the_same_bytes_without_the_kernel_and_for_any_order(tmp_path: Path, cell: str) -> None:
    settings = RecurrentConfig(cell, 40)
    folder = folder_of(tmp_path / "model", random_weights(settings, 0.1))
    x = np.random.default_rng(3).normal(size=(sum(LENGTHS), 80)).astype(np.float32)
    states = CellLayer(folder, "layer-1", settings, 80)(x.copy(), np.array(LENGTHS))
    with at(OFF):
        layer = CellLayer(folder, "layer-1", settings, 80)
        assert np.array_equal(layer(x.copy(), np.array(LENGTHS)), states)
        parts = np.split(x, np.cumsum(LENGTHS)[:-1])[::-1]
        turned = layer(np.concatenate(parts), np.array(LENGTHS[::-1]))
    rows = np.split(turned, np.cumsum(LENGTHS[::-1])[:-1])[::-1]
    assert np.array_equal(np.concatenate(rows), states)
    assert len(np.unique(states)) > states.size / 3


def test_a_gate_copies_softly() -> None:
    """Where it is near 1 the new value is written, elsewhere the memory stays (Bravo 2021)."""
    memory, values = np.array([[8, 9, 3, 7, 5, 8], [10, 11, 12, 13, 14, 15]]) / 16
    gate = np.array([0, 1, 0, 0, 0, 1])
    cell: Cell = Gru(np.zeros((6, 18), np.float32), None)
    state = np.zeros((1, 1, 6), np.float32)
    for opened, proposal in ((np.ones(6), memory), (gate, values)):
        word = np.concatenate([40 * opened - 20, np.zeros(6), np.arctanh(proposal)])
        cell.step(word[None].astype(np.float32), state)
    np.testing.assert_allclose(16 * state[0, 0], [8, 11, 3, 7, 5, 15], atol=1e-3)


def test_states_that_grow_are_cut(tmp_path: Path) -> None:
    settings = RecurrentConfig("irnn", 2, directions=1)
    arrays = random_weights(settings, 0.0)
    arrays["layer-1.forward.weight"] = np.full((2, 2), 10, np.float32)
    arrays["layer-1.bias"] = np.ones(2, np.float32)
    layer = CellLayer(folder_of(tmp_path / "model", arrays), "layer-1", settings, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        states = layer(np.zeros((2_000, 2), np.float32), np.array([2_000]))
    assert states[0].tolist() == [1, 1] and states[-1].tolist() == [1e4, 1e4]


@pytest.mark.parametrize("cell", CELLS)
def test_long_sentences_have_the_tags_of_the_twin(tmp_path: Path, cell: str) -> None:
    """A trained network, sentences of 200 words: of 4,000 tags at most four differ.

    Measured: two of irnn, lstm and gru, none of elman and scrn.
    """
    settings = [
        "network.kind=recurrent", f"network.recurrent.cell={cell}", "network.recurrent.units=24",
        "network.recurrent.layers=2", "features.prefix.size=0", "train.epochs=6", "train.batch=8",
        "train.learning_rate=0.02",
    ]  # fmt: skip
    words = [w for s in toys.demo("ner", 600) for w in zip(s.forms, s.gold, strict=True)]
    parts = [words[i : i + 200] for i in range(0, 4_000, 200)]
    long = [Example([w for w, _ in part], [tag for _, tag in part]) for part in parts]
    corpus = TaskCorpus(toys.demo("ner", 200), [("long", long)])
    setup = build(small_config("ner", *settings), {"ner": corpus}, torch.device("cpu"))
    trainer = Trainer(setup.config.train, setup.model, setup.batches, tmp_path)
    trainer.run()
    path = toys.exported(setup, tmp_path / "model")
    use_stored_words(setup, path)
    (task,) = setup.numbered.tasks
    expected = [tag for tags in trainer.predict(task, task.dev) for tag in tags]
    text = Text(load(path), [sentence.forms for sentence in long])
    tags = [tag for sentence in text.annotate("ner") for tag in sentence]
    assert len(tags) == 4_000 and sum(tag != "O" for tag in tags) > 200
    assert sum(a != b for a, b in zip(tags, expected, strict=True)) <= 4


def test_a_cell_is_told_what_it_lacks(tmp_path: Path) -> None:
    network = NetworkConfig("recurrent", recurrent=RecurrentConfig("gru", 4))
    path = toys.exported(
        toys.setup(dataclasses.replace(toys.SMALL, network=network)), tmp_path / "model"
    )
    assert isinstance(load(path), RecurrentNetwork)
    text = (path / "model.toml").read_text(encoding="utf-8")
    (path / "model.toml").write_text(text.replace("tied = false", "tied = true"), encoding="utf-8")
    with pytest.raises(SennaError, match="model.toml: tied = true needs cell = lstm"):
        load(path)
