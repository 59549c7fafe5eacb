"""Recursive networks: at tagging time and in PyTorch on random weights, and any batch alike."""

from __future__ import annotations

import dataclasses
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from senna.config import NetworkConfig
from senna.errors import SennaError
from senna.features.settings import TreeFeature
from senna.kernel.library import OFF
from senna.lab.networks.recursive.tag import CELLS
from senna.lab.networks.settings import WIDEST, RecursiveConfig
from senna.paths.confidence import Asked, Request
from senna.pipeline.blocks import BLOCK_WORDS
from senna.text.schemes import Phrase
from senna.training.build import Setup
from senna.training.loop import Trainer
from tests import toys
from tests.kernel.twins import at
from tests.networks.exact import assert_same, without_rounding
from tests.networks.test_twins import Compare, Twin, assert_near, use_stored_words
from tests.networks.texts import LENGTHS, Text, load, words


def setup(cell: str, seed: int = 0, split: str = "right", units: int = 9) -> Setup:
    network = NetworkConfig("recursive", recursive=RecursiveConfig(cell, units, split))
    features = dataclasses.replace(toys.SMALL.features, tree=TreeFeature(True, model="unread"))
    config = dataclasses.replace(toys.SMALL, tasks=("label",), network=network, features=features)
    return toys.setup(config, seed=seed, n=30)


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("seed", [0, 1])
def test_equal_to_torch(tmp_path: Path, cell: str, seed: int) -> None:
    """As `test_twins.test_equal_to_torch`."""
    compare_twins(tmp_path, setup(cell, seed))


@pytest.mark.parametrize("split", ["left", "head"])
def test_constituents_are_split_as_in_training(tmp_path: Path, split: str) -> None:
    compare_twins(tmp_path, setup("gru", split=split))


def compare_twins(tmp_path: Path, trained: Setup) -> None:
    """Scores and labels of a random network by both twins."""
    path = toys.exported(trained, tmp_path / "model")
    use_stored_words(trained, path)
    trainer = Trainer(trained.config.train, trained.model, trained.batches, tmp_path)
    twin = Twin(trained, trainer, trained.numbered.tasks[0])
    with without_rounding():
        labels = compare(twin, path, assert_same)
    assert labels == twin.predicted
    assert len({name for label in labels for name in label.nodes}) > 1
    compare(twin, path, assert_near)


def compare(twin: Twin, path: Path, assert_equal: Compare) -> list[str]:
    """The scores of all nodes are the twin's, and the labels those of the scores."""
    network = load(path)
    text = twin.text(network)
    head: Any = network.heads["label"]
    scores, expected = head.scores(text.x), twin.scores.numpy()
    assert_equal(scores, expected)
    assert np.ptp(expected, axis=0).min() > 0.1  # nodes differ
    labels = text.annotate("label")
    assert [name for label in labels for name in label.nodes] == [
        twin.task.names[i] for i in scores.argmax(axis=1)
    ]
    assert [label.nodes[0] for label in labels] == labels
    return labels


def right_branching(n: int) -> list[Phrase]:
    return [Phrase(i, n, "X") for i in range(n - 1)]


@pytest.mark.parametrize("cell", CELLS)
def test_the_same_bytes_for_any_batch(tmp_path: Path, cell: str) -> None:
    """Sentences of 0 to 2,000 words, one of them a chain as deep, together and one by one.

    And with the compiled kernel or without it. How deep a tree may be depends on no cell: but for
    one of them 200 words are enough.
    """
    network = load(toys.exported(setup(cell), tmp_path / "model"))
    lengths = LENGTHS if cell == "standard" else [min(n, 200) for n in LENGTHS]
    forms = words(1, lengths)
    trees = [right_branching(n) if n > 20 else [] for n in lengths]
    together = Text(network, forms, trees=trees)
    alone = [Text(network, [s], trees=[tree]) for s, tree in zip(forms, trees, strict=True)]
    assert together.x.tobytes() == b"".join(text.x.tobytes() for text in alone)
    with at(OFF):
        plain = Text(load(tmp_path / "model"), forms, trees=trees)
    assert plain.x.tobytes() == together.x.tobytes()
    labels = together.annotate("label")
    assert labels == [label for text in alone for label in text.annotate("label")]
    assert [len(label.nodes) for label in labels] == [max(2 * n - 1, 0) for n in lengths]


@pytest.mark.parametrize(("cell", "most"), [("matrix-vector", 350), ("tensor", 60)])
def test_memory_of_large_states_is_bounded(tmp_path: Path, cell: str, most: int) -> None:
    """In MiB, for as many words as are tagged together, in states of the largest size."""
    trained = setup(cell, units=WIDEST)
    network = load(toys.exported(trained, tmp_path / "model"))
    forms = words(1, [8] * (BLOCK_WORDS // 8))
    tracemalloc.start()
    try:
        text = Text(network, forms, trees=[[] for _ in forms])
        assert len(text.x) == 2 * BLOCK_WORDS - len(forms)
        assert tracemalloc.get_traced_memory()[1] < most * 2**20
    finally:
        tracemalloc.stop()


def test_probabilities_are_those_of_the_root(tmp_path: Path) -> None:
    network = load(toys.exported(setup("gru"), tmp_path / "model"))
    text = Text(network, words(1, [3, 0]), trees=[[], []])
    head: Any = network.heads["label"]
    [label, of_none] = head(text.x, text.block, Request(Asked(scores=True)))
    for scores, row in ((label.scores, head.scores(text.x)[0]), (of_none.scores, head.bias)):
        chances = np.exp(row) / np.exp(row).sum()
        assert list(scores.values()) == pytest.approx(chances, abs=1e-6)


def test_other_cells_than_that_of_the_weights_are_refused(tmp_path: Path) -> None:
    path = toys.exported(setup("gru"), tmp_path / "model")
    text = (path / "model.toml").read_text(encoding="utf-8")
    for cell in ("lstm", "tensor", "matrix-vector", "lstm-sum", "elman"):
        changed = text.replace('cell = "gru"', f'cell = "{cell}"')
        (path / "model.toml").write_text(changed, encoding="utf-8")
        with pytest.raises(SennaError):
            load(path)
