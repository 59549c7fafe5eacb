"""The order of batches: which sentences an epoch has, of which task, how often."""

import dataclasses
import math
from collections import Counter

import numpy as np
import pytest
import torch

from senna.inference.networks.settings import SentenceConfig, WindowConfig
from senna.training.build import build
from senna.training.config import NetworkConfig, Training
from senna.training.examples.batches import drawn_batches, in_one_pass
from senna.training.examples.encode import TaskSets
from senna.training.layers.batch import Encoded
from tests import toys

SIZES = {"pos": 40, "chunk": 10, "ner": 3}


def task_sets() -> list[TaskSets]:
    """Three tasks, with corpora of different sizes."""
    config = dataclasses.replace(toys.SMALL, tasks=tuple(SIZES))
    sets = {task: toys.corpus(task, n, 1) for task, n in SIZES.items()}
    tasks = build(config, sets, torch.device("cpu")).numbered.tasks
    for task in tasks:
        assert len(task.train) == SIZES[task.name]
    return tasks


def drawn(tasks: list[TaskSets], alike: bool, seed: int) -> list[tuple[str, list[int]]]:
    """Task and sentences, by their place in the corpus, of each batch."""
    places = {task.name: {id(s): i for i, s in enumerate(task.train)} for task in tasks}
    batches = drawn_batches(tasks, 2, alike, np.random.default_rng(seed))
    return [(task.name, [places[task.name][id(s)] for s in rows]) for task, rows in batches]


def seen(batches: list[tuple[str, list[int]]]) -> dict[str, Counter[int]]:
    counts: dict[str, Counter[int]] = {task: Counter() for task in SIZES}
    for task, rows in batches:
        counts[task].update(rows)
    return counts


def test_all_draws_each_sentence_once():
    for task, counts in seen(drawn(task_sets(), False, 1)).items():
        assert counts == Counter(range(SIZES[task]))


def test_alike_draws_each_task_equally_often_and_its_sentences_evenly():
    tasks = task_sets()
    batches = drawn(tasks, True, 1)
    n = math.ceil((20 + 5 + 2) / 3)  # the batches of one pass over all, in equal parts
    assert Counter(task for task, _ in batches) == dict.fromkeys(SIZES, n)
    assert [task for task, _ in batches] != sorted((task for task, _ in batches), reverse=True)
    counts = seen(batches)
    assert set(counts["pos"].values()) == {1}, "no sentence twice before all have been seen"
    assert {counts["chunk"][i] for i in range(10)} <= {1, 2}
    assert {counts["ner"][i] for i in range(3)} <= {4, 5}
    others = seen(drawn(tasks, True, 2))["pos"]
    assert set(others) != set(counts["pos"]), "another part of the large corpus in another epoch"


def test_a_corpus_without_sentences_is_not_awaited_for_ever():
    tasks = task_sets()
    tasks[1].train.clear()
    assert {task for task, _ in drawn(tasks, True, 1)} == {"pos", "ner"}


@pytest.mark.parametrize(("kind", "draw"), [("window", "all"), ("sentence", "alike")])
def test_the_schedule_knows_how_many_steps_there_are(tmp_path, kind, draw):
    network = NetworkConfig(kind, window=WindowConfig((3,), (4,)), sentence=SentenceConfig(3, 4, 4))
    train = Training(epochs=2, batch=2, draw=draw)
    config = dataclasses.replace(toys.SMALL, tasks=tuple(SIZES), network=network, train=train)
    sets = {task: toys.corpus(task, n, 1) for task, n in zip(SIZES, (10, 4, 3), strict=True)}
    trainer = build(config, sets, torch.device("cpu")).trainer(tmp_path)
    assert trainer.run().step == trainer.total_steps == 2 * (5 + 2 + 2)


def encoded(number: int, weight: float = 1.0) -> Encoded:
    forms = np.array([number, number], np.int32)
    return Encoded(forms, np.zeros((1, 2), np.int64), {}, None, (), weight)


def test_sentences_of_several_tasks_are_learnt_in_one_pass():
    sets = {
        "pos": [encoded(1), encoded(2), encoded(1), encoded(3, 0.5)],
        "chunk": [encoded(2), encoded(1), encoded(4), encoded(3)],
        "ner": [encoded(4), encoded(1), encoded(1), encoded(1)],
    }
    tasks = [TaskSets(name, [], train, [], []) for name, train in sets.items()]
    first, second, third = in_one_pass(tasks)
    assert [list(s.others) for s in first.train] == [["chunk", "ner"], ["chunk"], ["ner"], []]
    assert first.train[1].others["chunk"] is sets["chunk"][0]
    # What has another weight, or has no partner left, stands by itself.
    assert [(s.forms[0], list(s.others)) for s in second.train] == [(4, ["ner"]), (3, [])]
    assert [s.forms[0] for s in third.train] == [1]
    total = [first, second, third]
    assert sum(1 + len(s.others) for task in total for s in task.train) == 12
