"""What the rounding of products to whole numbers changes: few tags."""

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from senna.inference.networks.settings import SentenceConfig
from senna.training.config import NetworkConfig, Training
from tests import toys
from tests.inference.networks.exact import without_rounding
from tests.inference.networks.texts import Text, load, words

# Of random networks, whose scores lie closer together than a trained network's: the least share
# of tags, or of brackets of trees, that rounding leaves as they are.
LEAST = {
    "window": (toys.window((5, 3), (30, 20)), {"chunk": 0.99, "ner": 0.99}),
    "gated": (
        toys.gated(40, 1, 2, 4, pair=20, distance=6),
        {"ner": 0.96, "srl": 0.94, "psg": 0.95},
    ),
    "levels": (toys.by_levels(16).network, {"psg": 0.93}),
    "sentence": (
        NetworkConfig(kind="sentence", sentence=SentenceConfig(3, 30, 20, distance=7)),
        {"ner": 0.99, "srl": 0.99},
    ),
}


def answers(path: Path, tasks: tuple[str, ...]) -> dict[str, list[Any]]:
    """What a model says of some sentences: tags end to end, or brackets of trees."""
    network, forms = load(path), words(3, [1 + i % 30 for i in range(90)])
    places = [list(range(0, len(sentence), 4)) for sentence in forms]
    by_task: dict[str, list[Any]] = {}
    for task in tasks:
        answer = Text(network, forms).annotate(task, places)
        if task == "srl":
            answer = [tags for predicates in answer for tags in predicates]
        if task == "psg":
            by_task[task] = [(i, phrase) for i, tree in enumerate(answer) for phrase in tree]
        else:
            by_task[task] = [tag for tags in answer for tag in tags]
    return by_task


@pytest.mark.parametrize("name", LEAST)
@pytest.mark.parametrize("criterion", ["sentence", "word"])
def test_rounding_changes_few_tags(tmp_path, name, criterion):
    network, least = LEAST[name]
    config = dataclasses.replace(
        toys.SMALL, tasks=tuple(least), network=network, train=Training(criterion=criterion)
    )
    path = toys.exported(toys.setup(config, seed=11), tmp_path / "model")
    rounded = answers(path, config.tasks)
    with without_rounding():
        exact = answers(path, config.tasks)
    for task, share in least.items():
        if task == "psg":
            same, n = len({*rounded[task]} & {*exact[task]}), len(exact[task])
        else:
            same = sum(a == b for a, b in zip(rounded[task], exact[task], strict=True))
            n = len(exact[task])
            assert len(set(exact[task])) > 4
        assert n > 1_000
        assert same >= share * n, task
