"""PyTorch's answers are those of a model folder to which tagging adds nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from senna.config import NetworkConfig
from senna.errors import SennaError
from senna.features.settings import TagFeature
from senna.heads.settings import TreeConfig
from senna.lab.teacher import annotate
from senna.model.folder import read_model
from senna.networks.settings import GatedConfig
from senna.pipeline.pipeline import Pipeline
from senna.text.lemmas import apply_rule
from senna.text.trees import constituents
from tests import toys
from tests.networks.exact import without_rounding

CPU = torch.device("cpu")
GATED = NetworkConfig(
    "gated",
    gated=GatedConfig(10, dilations=(1, 2), pair=8, pair_dilations=(1,)),
    tree=TreeConfig(units=6, labels=7),
)
SENTENCES = [["the", "Anna", "walks", "quietly", "."], ["x"], ["Unseen", "zebras", "sleep"]]
PLACES = [[0, 2], [], [1]]


def model(folder: Path, *tasks: str) -> Path:
    config = replace(toys.SMALL, tasks=tasks, network=GATED)
    return toys.exported(toys.setup(config, seed=10), folder)


def plain(task: str, answers: Any) -> Any:
    """Of trees what does not hang on parts of speech, of arcs what random weights tell well."""
    if task == "psg":
        return list(map(constituents, answers))
    if task == "dep":
        return [[arc.head for arc in arcs] for arcs in answers]
    return list(answers)


@pytest.mark.parametrize("tasks", [("pos", "chunk"), ("psg",), ("dep",)])
def test_answers_are_those_of_the_model_folder(tmp_path: Path, tasks: tuple[str, ...]) -> None:
    path = model(tmp_path, *tasks)
    answers = annotate(read_model(path), tasks, SENTENCES, CPU)
    with without_rounding():
        expected = Pipeline.load(list(tasks), path).annotate(SENTENCES)
    assert set(answers) == set(tasks)
    for task in tasks:
        assert plain(task, answers[task]) == plain(task, expected[task])


def test_trees_have_the_words_of_their_sentences(tmp_path: Path) -> None:
    answers = annotate(read_model(model(tmp_path, "psg")), ["psg"], SENTENCES, CPU)
    words = [[leaf.word for leaf in tree.leaves()] for tree in answers["psg"]]
    assert words == SENTENCES


def test_roles_are_of_the_predicates_given(tmp_path: Path) -> None:
    path = model(tmp_path, "srl")
    answers = annotate(read_model(path), ["srl"], SENTENCES, CPU, PLACES)["srl"]
    assert [[found.position for found in row] for row in answers] == PLACES
    assert answers == Pipeline.load(["srl"], path).annotate(SENTENCES, predicates=PLACES)["srl"]


def test_lemmas_are_not_rules(tmp_path: Path) -> None:
    folder = read_model(model(tmp_path, "lemma"))
    rules = folder.lines("lemma.tags.txt")
    for lemmas, forms in zip(
        annotate(folder, ["lemma"], SENTENCES, CPU)["lemma"], SENTENCES, strict=True
    ):
        for lemma, form in zip(lemmas, forms, strict=True):
            assert lemma in {apply_rule(rule, form) for rule in rules}


def test_a_task_that_the_model_has_not(tmp_path: Path) -> None:
    with pytest.raises(SennaError, match="no model for task 'chunk'"):
        annotate(read_model(model(tmp_path, "pos")), ["chunk"], SENTENCES, CPU)


def test_a_column_that_the_sentences_have_not(tmp_path: Path) -> None:
    features = toys.with_tags(toys.SMALL.features, pos=TagFeature(3, "column"))
    path = toys.exported(toys.setup(replace(toys.SMALL, features=features)), tmp_path / "model")
    with pytest.raises(SennaError, match="a sentence has no column pos"):
        annotate(read_model(path), ["ner"], SENTENCES, CPU)
