"""Training of the parser by levels: its likelihood, its layers, and that it learns."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from senna.config import DataConfig, Source, Training
from senna.files import resource
from senna.lab import levels as heads
from senna.lab.levels import Nodes, S, levels
from senna.text.iobes import FORBIDDEN
from senna.training.build import Setup, build
from senna.training.examples.corpora import TaskCorpus
from senna.training.examples.data import read_source
from senna.training.trainer import Trainer
from tests import oracles, toys

SMALL = toys.by_levels(12)


@pytest.fixture(scope="module")
def made() -> Setup:
    return toys.setup(SMALL)


def told(batch: Any) -> list[tuple[Nodes, np.ndarray]]:
    """The levels of a batch's trees."""
    own = batch.brackets[batch.brackets[:, 3] > 0].T.numpy()
    return list(levels(Nodes(*own), batch.lengths.numpy()))


def test_levels_of_a_batch_do_not_see_each_other(made: Setup) -> None:
    head: Any = made.model.head("psg")
    with torch.no_grad():
        batch = made.batches.batch("psg", made.numbered.tasks[0].train)
        x = made.model("psg", batch)
        both = told(batch)[:2]
        nodes = Nodes(*map(np.concatenate, zip(*(own for own, _ in both), strict=True)))
        is_first = np.repeat([True, False], [len(tags) for _, tags in both])
        lengths = np.concatenate([own.lengths for own, _ in both])
        together = head.scores(x, nodes, is_first, lengths)
        start = 0
        for row, n in enumerate(lengths.tolist()):
            part = slice(start, start + n)
            alone = head.scores(
                x, nodes.take(np.arange(start, start + n)), is_first[part], lengths[[row]]
            )
            torch.testing.assert_close(together[part], alone, rtol=1e-4, atol=1e-4)
            start += n
        assert row > len(batch.lengths)


def test_likelihood_by_all_paths_of_all_levels(
    made: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    head: Any = made.model.head("psg")
    short = [own for own in made.numbered.tasks[0].train if len(own.forms) <= 2]
    with torch.no_grad():
        batch = made.batches.batch("psg", short)
        x = made.model("psg", batch)
        expected, n_levels = 0.0, 0
        transitions, initial = head.transitions.dense()
        for number, (nodes, tags) in enumerate(told(batch)):
            scores = head.scores(x, nodes, np.full(len(tags), number == 0), nodes.lengths)
            assert (scores[:, S::4] < FORBIDDEN / 2).all() == (number > 0)
            ends = np.cumsum(nodes.lengths)
            for end, n in zip(ends.tolist(), nodes.lengths.tolist(), strict=True):
                own, gold = scores[end - n : end].clone(), tags[end - n : end]
                # B and I cannot be last: the oracle knows no such rule.
                own[-1, 1::4] = own[-1, 2::4] = FORBIDDEN
                total = oracles.log_partition(own, transitions, initial)
                score = oracles.path_score(own, transitions, initial, tuple(gold.tolist()))
                expected, n_levels = expected + float(total - score), n_levels + 1
        for together in (1, 2, 64):
            monkeypatch.setattr(heads, "TOGETHER", together)
            assert float(head.loss(x, batch)) == pytest.approx(expected, rel=1e-4)
    assert n_levels > len(short)


def test_trees_are_learnt_by_heart(tmp_path: Path) -> None:
    path = resource("data/demo") / "trees" / "train.mrg"
    sentences = read_source(Source(str(path)), "train", "psg", DataConfig(), None)[:6]
    config = dataclasses.replace(SMALL, train=Training(epochs=15, batch=2, learning_rate=0.01))
    corpus = TaskCorpus(sentences, [("same", sentences)])
    setup = build(config, {"psg": corpus}, torch.device("cpu"))
    state = Trainer(setup.learning(), tmp_path).run()
    assert state.best_score > 90
