"""Networks whose transitions depend on the words' units, and their twins in PyTorch."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch

from senna.config import NetworkConfig
from senna.networks.settings import GatedConfig, SentenceConfig, WindowConfig
from senna.paths.confidence import Asked
from senna.pipeline.pipeline import Pipeline
from senna.training.build import Setup
from senna.training.trainer import Trainer
from tests import toys
from tests.kernel import twins
from tests.networks.exact import assert_same, without_rounding
from tests.networks.test_twins import Twin, assert_near, use_stored_words
from tests.networks.texts import load, words

NETWORKS = {
    "window": NetworkConfig(window=WindowConfig((3, 3), (8, 6), unit="tanh")),
    "sentence": NetworkConfig("sentence", sentence=SentenceConfig(3, 6, 7, 4, 2)),
    "gated": NetworkConfig("gated", gated=GatedConfig(units=12, dilations=(1, 2))),
}


def setup_of(kind: str, tasks: Sequence[str] = ("ner",), *, constrained: bool = True) -> Setup:
    network = dataclasses.replace(NETWORKS[kind], transitions="state", constrained=constrained)
    return toys.setup(dataclasses.replace(toys.SMALL, tasks=tuple(tasks), network=network))


@pytest.mark.parametrize("constrained", [False, True])
@pytest.mark.parametrize("kind", NETWORKS)
def test_equal_to_torch(kind: str, constrained: bool, tmp_path: Path) -> None:
    setup = setup_of(kind, ["ner", "pos"], constrained=constrained)
    path = toys.exported(setup, tmp_path / "model")
    use_stored_words(setup, path)
    trainer = Trainer(setup.learning(), tmp_path)
    for task in setup.numbered.tasks:
        twin = Twin(setup, trainer, task)
        n = len(task.names)
        inside = np.arange(twin.batch.n_steps) < twin.batch.lengths.numpy()[:, None]
        expected = twin.scores.numpy()[inside]
        with without_rounding():
            network = load(path)
            order = [task.names.index(name) for name in network.heads[task.name].names]
            moves = expected[:, n:].reshape(-1, n, n)[:, order][:, :, order].reshape(-1, n * n)
            both = np.concatenate([expected[:, order], moves], axis=1)
            kept = both > -5_000  # what IOBES rules out at the end, in PyTorch
            text = twin.text(network)
            assert_same(text.scores(task.name)[kept], both[kept])
            assert list(map(list, text.annotate(task.name))) == twin.predicted
        assert_near(twin.text(load(path)).scores(task.name)[kept], both[kept])


def test_moves_change_the_tags(tmp_path: Path) -> None:
    """So that the test above can fail."""
    setup = setup_of("gated")
    head = setup.model.head("ner")
    trainer = Trainer(setup.learning(), tmp_path)
    [task] = setup.numbered.tasks
    before = trainer.predict(task, task.dev)
    with torch.no_grad():
        head.get_parameter("moves.states").zero_()
    assert trainer.predict(task, task.dev) != before


def test_tags_without_the_kernel(tmp_path: Path) -> None:
    path = toys.exported(setup_of("window", ["ner", "pos"]), tmp_path / "model")
    sentences = words(2, [4, 9, 1, 0, 30] * 5)

    def tags(asked: Asked) -> list[object]:
        answers = Pipeline.load(["ner", "pos"], path, asked=asked).annotate(sentences)
        # To three digits, as they are printed.
        return [
            (task, list(row), [round(float(x), 3) for x in getattr(row, "scores", ())])
            for task, rows in answers.items()
            for row in rows
        ]

    for asked in (Asked(), Asked(True), Asked(n_best=3)):
        with_kernel = tags(asked)
        with twins.at("off"):
            assert tags(asked) == with_kernel
