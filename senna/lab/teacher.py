"""Predictions of the networks of models for text, as PyTorch computes them.

It serves teachers that only PyTorch computes, and large models on a GPU. What tagging adds to a
network is left out: the table of lemmas, the priors of parts of speech, the trees that help
dependencies, the costs and the inventory of roles.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from senna.answers.labels import Label
from senna.model.folder import ModelFolder
from senna.tasks import TASKS
from senna.text.conllu import Arc
from senna.text.lemmas import Lemma, apply_rule
from senna.text.roles import regular
from senna.text.trees import constituents, leaves_of, tree_of
from senna.training.build import Setup, build_from
from senna.training.examples.corpora import Example, TaskCorpus, annotated
from senna.training.origin import fine_tuning

UNKNOWN = "XX"  # the part of speech of a word in a tree: the parser knows none


def network_of(folder: ModelFolder, corpora: dict[str, TaskCorpus], device: torch.device) -> Setup:
    """The network of a folder, and corpora of its tasks numbered for it, with their features."""
    config = fine_tuning(folder, list(corpora))
    return build_from(folder, config, annotated(config.features, corpora), device)


def annotate(
    folder: ModelFolder,
    tasks: Sequence[str],
    sentences: Sequence[Sequence[str]],
    device: torch.device,
    places: Sequence[Sequence[int]] = (),
) -> dict[str, list[Any]]:
    """The answers of the network of a folder to sentences of forms, by task.

    `places` are the predicates of each sentence, for roles. Raises SennaError for a model that
    lacks a task.
    """
    corpora = {}
    for task in tasks:
        names = folder.lines(f"{task}.tags.txt") if task in folder.tasks else []
        examples = [
            Example(list(forms), blank(task, names, forms, places[i] if places else ()))
            for i, forms in enumerate(sentences if names else ())
        ]
        corpora[task] = TaskCorpus([], [("text", examples)])
    setup = network_of(folder, corpora, device)
    trainer = setup.trainer(Path())
    answers = {sets.name: trainer.predict(sets, sets.dev) for sets in setup.numbered.tasks}
    return {task: _whole(task, answers[task], sentences) for task in tasks}


def blank(task: str, names: Sequence[str], forms: Sequence[str], places: Sequence[int]) -> Any:
    """An answer that nobody reads: a network is asked for answers, not trained."""
    kind, n = TASKS[task].head, len(forms)
    if kind == "roles":
        return [regular(at, ["O"] * n) for at in places]
    if kind == "trees":
        return tree_of([], leaves_of(forms, [UNKNOWN] * n))
    if kind == "labels":
        return Label(names[0])
    if kind == "dependencies":
        return [Arc(i, names[0]) for i in range(n)]
    if kind == "lemmas":
        return list(map(Lemma.of, forms, forms))
    return [names[0]] * n


def _whole(task: str, found: list[Any], sentences: Sequence[Sequence[str]]) -> list[Any]:
    """Predictions of a network as answers: roles that keep the rules, lemmas, trees of words."""
    kind = TASKS[task].head
    if kind == "roles":
        return [[regular(*predicate) for predicate in row] for row in found]
    pairs = zip(found, sentences, strict=True)
    if kind == "trees":
        return [
            tree_of(constituents(tree), leaves_of(forms, [UNKNOWN] * len(forms)))
            for tree, forms in pairs
        ]
    if kind == "lemmas":
        return [list(map(apply_rule, rules, forms)) for rules, forms in pairs]
    return found
