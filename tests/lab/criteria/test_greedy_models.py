"""Networks that tag from left to right, and their twins in PyTorch."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
import torch

from senna.errors import SennaError
from senna.lab.criteria.greedy import Greedy
from senna.lab.ensembles.join import write_join
from senna.model.folder import read_model
from senna.paths.confidence import Asked
from senna.pipeline.pipeline import Pipeline
from senna.training.build import Setup
from senna.training.trainer import Trainer
from tests import toys
from tests.kernel import twins
from tests.lab.criteria.test_state_head import NETWORKS
from tests.networks.exact import without_rounding
from tests.networks.test_twins import Twin, use_stored_words
from tests.networks.texts import load, words


def setup_of(kind: str, history: int, beam: int, *, seed: int = 0) -> Setup:
    network = dataclasses.replace(NETWORKS[kind], history=history, beam=beam)
    train = dataclasses.replace(toys.SMALL.train, criterion="greedy")
    config = dataclasses.replace(toys.SMALL, tasks=("ner", "pos"), network=network, train=train)
    return toys.setup(config, seed=seed)


@pytest.mark.parametrize("kind", NETWORKS)
@pytest.mark.parametrize(("history", "beam"), [(1, 1), (3, 1), (2, 4)])
def test_equal_to_torch(kind: str, history: int, beam: int, tmp_path: Path) -> None:
    setup = setup_of(kind, history, beam, seed=1)
    path = toys.exported(setup, tmp_path / "model")
    use_stored_words(setup, path)
    trainer = Trainer(setup.learning(), tmp_path)
    with without_rounding():
        network = load(path)
        for task in setup.numbered.tasks:
            head = network.heads[task.name]
            assert isinstance(getattr(head, "paths"), Greedy)  # noqa: B009
            twin = Twin(setup, trainer, task)
            assert list(map(list, twin.text(network).annotate(task.name))) == twin.predicted
    parameters = dict(setup.model.head("ner").named_parameters())
    before = trainer.predict(setup.numbered.tasks[0], setup.numbered.tasks[0].dev)
    with torch.no_grad():
        parameters["earlier" if history > 1 else "transitions"].zero_()
    after = trainer.predict(setup.numbered.tasks[0], setup.numbered.tasks[0].dev)
    assert after != before, "or the test could not fail"


@pytest.mark.parametrize("beam", [1, 4])
def test_tags_without_the_kernel(tmp_path: Path, beam: int) -> None:
    path = toys.exported(setup_of("window", 2, beam), tmp_path / "model")
    sentences = words(2, [4, 9, 1, 0, 30] * 5)

    def tags(asked: Asked) -> list[object]:
        answers = Pipeline.load(["ner"], path, asked=asked).annotate(sentences)["ner"]
        numbers = [[round(float(x), 3) for x in getattr(tags, "scores", ())] for tags in answers]
        return [*map(list, answers), numbers]

    for asked in (Asked(), Asked(True), *([Asked(n_best=3)] if beam > 1 else [])):
        with_kernel = tags(asked)
        with twins.at("off"):
            assert tags(asked) == with_kernel


@pytest.mark.parametrize("beam", [1, 3])
def test_names_that_a_user_fixes(tmp_path: Path, beam: int) -> None:
    """They are whole, and so is what stands before them: it looks ahead."""
    for seed in range(5):
        path = toys.exported(setup_of("gated", 2, beam, seed=seed), tmp_path / f"model-{seed}")
        names = {"PER": ["Anna Weber"], "NEW": ["walks"]}
        pipeline = Pipeline.load(["ner"], path, lists=names, force=True)
        for start in range(4):
            sentence = [*["the"] * start, "Anna", "Weber", "walks", "the"]
            [tags] = pipeline.annotate([sentence])["ner"]
            assert tags[start : start + 3] == ["B-PER", "E-PER", "S-NEW"]
            assert start == 0 or tags[start - 1][0] in "OES"


def test_they_are_not_joined(tmp_path: Path) -> None:
    """Their emissions alone give no tags."""
    paths = [
        toys.exported(setup_of("window", 1, 1, seed=seed), tmp_path / f"model-{seed}")
        for seed in (1, 2)
    ]
    with pytest.raises(SennaError, match="it tags from left to right"):
        write_join([read_model(path) for path in paths], tmp_path / "out", "test")
