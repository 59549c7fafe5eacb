"""The order of batches: which sentences an epoch has, of which task, how often."""

import math
from collections import Counter

import numpy as np
import pytest
import torch

from senna.training.build import build
from senna.training.examples.batches import drawn_batches, epoch_batches, in_one_pass
from senna.training.examples.encode import TaskSets
from senna.training.layers.batch import Encoded
from tests import toys

SIZES = {"pos": 40, "chunk": 10, "ner": 3}


def task_sets() -> list[TaskSets]:
    """Three tasks, with corpora of different sizes."""
    sets = {task: toys.corpus(task, n, 1) for task, n in SIZES.items()}
    tasks = build(toys.small(",".join(SIZES)), sets, torch.device("cpu")).numbered.tasks
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
    sizes = ("network.sentence.units=4", "network.sentence.hidden=4")
    settings = (f"network.kind={kind}", f"train.draw={draw}", "train.batch=2")
    config = toys.small(",".join(SIZES), *sizes, *settings)
    sets = {task: toys.corpus(task, n, 1) for task, n in zip(SIZES, (10, 4, 3), strict=True)}
    trainer = build(config, sets, torch.device("cpu")).trainer(tmp_path)
    assert trainer.run().step == trainer.total_steps == 2 * (5 + 2 + 2)


def encoded(number: int, weight: float = 1.0, length: int = 2) -> Encoded:
    """A sentence that is told from others by its first form."""
    forms = np.full(length, number, np.int32)
    return Encoded(forms, np.zeros((1, length), np.int64), {}, None, (), weight)


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


# --------------------------------------------------------------------------- of one task


def cut(sentences: list[Encoded], size: int, seed: int) -> list[list[int]]:
    random = np.random.default_rng(seed)
    return [[int(s.forms[0]) for s in batch] for batch in epoch_batches(sentences, size, random)]


def test_the_order_is_the_seeds():
    sentences = [encoded(i, length=1 + i % 7) for i in range(50)]
    assert cut(sentences, 4, 1) == cut(sentences, 4, 1) != cut(sentences, 4, 2)


@pytest.mark.parametrize("n_lengths", [1, 7])
def test_sentences_are_shuffled_before_batches_are_cut(n_lengths):
    """Who shares a batch with whom differs from epoch to epoch, of one length too."""
    sentences = [encoded(i, length=1 + i % n_lengths) for i in range(40)]
    epochs = [cut(sentences, 4, seed) for seed in range(4)]
    for batches in epochs:
        assert sorted(i for batch in batches for i in batch) == list(range(40))
        assert [len(batch) for batch in batches] == [4] * 10
    together = {frozenset(batch) for batches in epochs for batch in batches}
    assert len(together) > 15, "of 40 batches; 10 where none is shuffled"


def test_like_lengths_stand_together():
    batches = cut([encoded(i, length=1 + i % 40) for i in range(400)], 8, 1)
    lengths = [[1 + n % 40 for n in batch] for batch in batches]
    assert max(max(batch) - min(batch) for batch in lengths) <= 2


def test_weights():
    sentences = [encoded(0, 2.0), encoded(1, 0.0), *(encoded(2, 0.25) for _ in range(2000))]
    sentences += [encoded(3, 1.5) for _ in range(2000)]
    counts = Counter(n for batch in cut(sentences, 16, 5) for n in batch)
    assert counts[0] == 2
    assert counts[1] == 0
    assert counts[2] == pytest.approx(500, abs=80)
    assert counts[3] == pytest.approx(3000, abs=90)
