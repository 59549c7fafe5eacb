"""Labels of sentences: the head at tagging time and its twin in PyTorch, on random weights."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from senna.config import Export, GatedConfig, LabelConfig, NetworkConfig, RecurrentConfig
from senna.infer.network import Network
from senna.training.factors import factorise
from senna.training.loop import Trainer
from tests import toys
from tests.infer.networks.exact import assert_same, without_rounding
from tests.infer.networks.test_twins import Compare, Twin, assert_near, use_stored_words
from tests.infer.networks.texts import load


@pytest.mark.parametrize("rank", [0, 2])
@pytest.mark.parametrize("tasks", [("label",), ("pos", "label")])
@pytest.mark.parametrize("pooling", [("mean",), ("max",), ("mean", "max"), ("max", "mean")])
def test_equal_to_torch(
    tmp_path: Path, pooling: tuple[str, ...], tasks: tuple[str, ...], rank: int
) -> None:
    """As `test_twins.test_equal_to_torch`."""
    network = NetworkConfig("gated", gated=GatedConfig(10, dilations=(1, 3)))
    compare_twins(tmp_path, network, pooling, tasks, rank)


@pytest.mark.parametrize(
    ("pooling", "n_directions"),
    [(("last",), 1), (("last", "max"), 2), (("ends",), 2), (("mean", "ends"), 2)],
)
def test_an_acceptor_is_equal_to_torch(
    tmp_path: Path, pooling: tuple[str, ...], n_directions: int
) -> None:
    """The last state, or the last states of both directions, read the whole sentence."""
    network = NetworkConfig("recurrent", recurrent=RecurrentConfig("elman", 5, n_directions))
    compare_twins(tmp_path, network, pooling, ("label",))


def compare_twins(
    tmp_path: Path,
    network: NetworkConfig,
    pooling: tuple[str, ...],
    tasks: tuple[str, ...],
    rank: int = 0,
) -> None:
    """Scores and labels of a random network by both twins."""
    network = dataclasses.replace(network, label=LabelConfig(pooling))
    config = dataclasses.replace(toys.SMALL, tasks=tasks, network=network, export=Export(rank=rank))
    setup = toys.setup(config, seed=rank, n=30)
    if rank:
        factorise(setup.model, setup.batches, rank)
    path = toys.exported(setup, tmp_path / "model")
    use_stored_words(setup, path)
    trainer = Trainer(setup.config, setup.model, setup.batches, tmp_path)
    twin = Twin(setup, trainer, setup.numbered.tasks[-1])
    with without_rounding():
        labels = compare(twin, load(path), assert_same)
    assert labels == twin.predicted
    assert len(set(labels)) > 1
    compare(twin, load(path), assert_near)


def compare(twin: Twin, network: Network, assert_equal: Compare) -> list[str]:
    """The scores of the twins are equal, and the labels those of the scores."""
    text, names = twin.text(network), twin.task.names
    scores, expected = text.scores("label"), twin.scores.numpy()
    assert_equal(scores, expected)
    assert np.ptp(expected, axis=0).min() > 0.1  # sentences differ
    assert [names[i] for i in expected.argmax(axis=1)] == twin.predicted
    labels = text.annotate("label")
    assert [names[i] for i in scores.argmax(axis=1)] == labels
    return labels
