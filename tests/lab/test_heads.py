"""Criteria on paths whose moves each word scores for itself, against all paths."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from senna.decoding.requests import Asked
from senna.lab.criteria.margins import padded_tags
from senna.lab.heads import StatePaths
from senna.pipeline.pipeline import Pipeline
from senna.registry import CRITERIA
from senna.training.criteria import DensePaths, GoldBatch
from tests import oracles, toys
from tests.inference.kernel import twins
from tests.inference.networks.exact import assert_same, without_rounding
from tests.inference.networks.test_twins import Twin, assert_near, use_stored_words
from tests.inference.networks.texts import load, words
from tests.training.test_criteria import (
    LENGTHS,
    N_TAGS,
    allowed_tags,
    assert_equal_with_gradients,
    draw,
)

SHAPE = (len(LENGTHS), max(LENGTHS), N_TAGS, N_TAGS)


def drawn(seed: int) -> tuple[tuple[Tensor, ...], Tensor, Tensor]:
    """Emissions, transitions, initial and moves, which want gradients; tags, lengths."""
    *scores, tags, lengths = draw(seed)
    generator = torch.Generator().manual_seed(100 + seed)
    moves = torch.randn(SHAPE, generator=generator, dtype=torch.float64).requires_grad_()
    return (*scores, moves), tags, lengths


def by_hand(margin: float | None, scores: Sequence[Tensor], allowed: Tensor) -> Tensor:
    """The loss over all paths; margin: of the hinge, None for the likelihood."""
    emissions, transitions, initial, *moves = scores
    total = emissions.new_zeros(())
    for row, n in enumerate(LENGTHS):
        paths = list(oracles.all_paths(n, N_TAGS))
        added = [own[row] for own in moves]
        every = oracles.path_scores(emissions[row], transitions, initial, paths, *added)
        wrong = (~allowed[row, torch.arange(n), torch.tensor(paths)]).sum(1)
        right = every[wrong == 0]
        if margin is None:
            total = total + every.logsumexp(0) - right.logsumexp(0)
        else:
            total = total + (every + margin * wrong).max() - right.max()
    return total


@pytest.mark.parametrize(
    ("name", "margin"), [("sentence", None), ("hinge", 1.0), ("perceptron", 0.0)]
)
@pytest.mark.parametrize(("several", "seed"), [(False, 0), (True, 1)])
@pytest.mark.parametrize("states", [False, True])
def test_against_all_paths(name, margin, several, seed, states):
    """Those whose words score their own moves, and those of margins where all have the same."""
    scores, tags, lengths = drawn(seed)
    scores = scores if states else scores[:3]
    allowed = allowed_tags(tags, seed, 0.4 if several else 0.0)
    gold = GoldBatch(tags, lengths, allowed if several else None)
    paths = StatePaths(*scores[1:]) if states else DensePaths(*scores[1:])
    value = CRITERIA[name].loss(scores[0], gold, paths)
    assert value > 0
    expected = by_hand(margin, scores, allowed)
    assert_equal_with_gradients(value, expected, list(scores))


@pytest.mark.parametrize("seed", range(3))
def test_the_best_paths(seed):
    scores, _, lengths = drawn(seed)
    emissions, transitions, initial, moves = (score.detach() for score in scores)
    best = padded_tags(emissions, lengths, StatePaths(transitions, initial, moves))
    for row, n in enumerate(LENGTHS):
        paths = list(oracles.all_paths(n, N_TAGS))
        every = oracles.path_scores(emissions[row], transitions, initial, paths, moves[row])
        assert tuple(best[row, :n].tolist()) == paths[int(every.argmax())]
        assert not best[row, n:].any()


NETWORKS = {
    "window": ("network.window.widths=[3,3]", "network.window.hidden=[8,6]"),
    "sentence": (
        "network.kind=sentence",
        "network.sentence={width=3, units=6, hidden=7, distance=4, distance_size=2}",
    ),
    "gated": toys.GATED,
}
BY_STATE = "network.transitions=state"


@pytest.mark.parametrize("constrained", ["false", "true"])
@pytest.mark.parametrize("kind", NETWORKS)
def test_equal_to_torch(kind, constrained, tmp_path):
    rules = f"network.constrained={constrained}"
    setup = toys.setup(toys.small("ner,pos", *NETWORKS[kind], BY_STATE, rules))
    path = toys.exported(setup, tmp_path / "model")
    use_stored_words(setup, path)
    trainer = setup.trainer(tmp_path)
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


def test_tags_without_the_kernel(tmp_path):
    config = toys.small("ner,pos", *NETWORKS["window"], BY_STATE)
    path = toys.exported(toys.setup(config), tmp_path / "model")
    assert_same_without_kernel(path, ["ner", "pos"], [Asked(), Asked(True), Asked(n_best=3)])


def assert_same_without_kernel(path: Path, tasks: list[str], asked: Sequence[Asked]) -> None:
    sentences = words(2, [4, 9, 1, 0, 30] * 5)

    def tags(one: Asked) -> list[object]:
        answers = Pipeline.load(tasks, path, asked=one).annotate(sentences)
        # To three digits, as they are printed.
        return [
            (task, list(row), [round(float(x), 3) for x in getattr(row, "scores", ())])
            for task, rows in answers.items()
            for row in rows
        ]

    for one in asked:
        with_kernel = tags(one)
        with twins.at("off"):
            assert tags(one) == with_kernel
