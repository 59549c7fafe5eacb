"""Checks before training: what a small dev set is worth."""

from __future__ import annotations

import pytest

from senna.training.examples.checks import FEW, doubts
from senna.training.examples.corpora import TaskCorpus
from senna.training.examples.data import DataConfig, Example

NAME = Example(["Anna", "Lee", "saw", "Rome"], ["B-PER", "E-PER", "O", "S-LOC"])
CHUNK = Example(["Anna", "saw"], ["S-NP", "O"])
NONE = Example(["He", "slept"], ["O", "O"])


def warnings(task: str, train: Example, dev: list[Example]) -> list[str]:
    corpus = TaskCorpus([train] * 300, [("dev.txt", dev)])
    known = {task: ["O", *{tag for tag in train.gold if tag != "O"}]}
    found = doubts({task: DataConfig()}, {task: corpus}, known)
    return [line for line in found if "dev score" in line]


@pytest.mark.parametrize(
    ("task", "own", "n", "said"),
    [
        ("ner", NAME, 20, "dev.txt has only 40 names of ner: one name is worth 2.5 points"),
        ("chunk", CHUNK, 1, "dev.txt has only 1 phrase of chunk: one phrase is worth 100.0 points"),
    ],
)
def test_a_small_dev_set_is_reported_with_the_worth_of_a_phrase(
    task: str, own: Example, n: int, said: str
) -> None:
    assert warnings(task, own, [own] * n) == [f"warning: {said} of the dev score"]


def test_sets_that_are_large_enough_and_tasks_without_phrases_are_not() -> None:
    assert warnings("ner", NAME, [NAME] * (FEW // 2)) == []
    assert len(warnings("ner", NAME, [NAME] * (FEW // 2 - 1))) == 1
    assert warnings("ner", NAME, [NONE] * 5) == []
    assert warnings("pos", Example(["Anna", "ran"], ["NNP", "VBD"]), [NONE] * 3) == []
