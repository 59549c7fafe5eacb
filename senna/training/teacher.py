"""What models find in text as PyTorch computes them.

So do teachers that no model folder can tag with, and large ones on a GPU.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from senna.model.folder import ModelFolder
from senna.tasks import PARSER, TASKS
from senna.text.conllu import Arc
from senna.text.lemmas import Lemma, apply_rule
from senna.text.roles import VERB, Predicate, regular
from senna.text.trees import Tree
from senna.text.trees.constituents import constituents, tree_of
from senna.training.examples.corpora import TaskCorpus, annotated
from senna.training.examples.data import Example
from senna.training.loop import Trainer
from senna.training.origin import fine_tuning
from senna.training.start_from import setup_from

UNKNOWN = "XX"  # the part of speech of a word in a tree: the parser knows none


def annotate(
    folder: ModelFolder,
    tasks: Sequence[str],
    sentences: Sequence[Sequence[str]],
    device: torch.device,
    places: Sequence[Sequence[int]] = (),
) -> dict[str, list[Any]]:
    """The answers of the model of a folder to sentences of forms, by task.

    `places` are the predicates of each sentence, for roles. Raises SennaError for a model that
    lacks a task.
    """
    config = fine_tuning(folder, tasks)
    corpora = {}
    for task in tasks:
        names = folder.lines(f"{task}.tags.txt")
        examples = [
            Example(list(forms), _blank(task, names, forms, places[i] if places else ()))
            for i, forms in enumerate(sentences)
        ]
        corpora[task] = TaskCorpus([], [("text", examples)])
    setup = setup_from(folder, config, annotated(config.features, corpora), device)
    trainer = Trainer(config.train, setup.model, setup.batches, Path())
    answers = {sets.name: trainer.predict(sets, sets.dev) for sets in setup.numbered.tasks}
    for task in tasks:
        if TASKS[task].head == "roles":
            answers[task] = [[regular(*found) for found in row] for row in answers[task]]
        elif TASKS[task].head == "lemmas":
            pairs = zip(answers[task], sentences, strict=True)
            answers[task] = [list(map(apply_rule, rules, forms)) for rules, forms in pairs]
        elif task == PARSER:
            answers[task] = list(map(_with_words, answers[task], sentences))
    return answers


def _blank(task: str, names: Sequence[str], forms: Sequence[str], places: Sequence[int]) -> Any:
    """An answer that nobody reads: a network is asked for answers, not trained."""
    kind, n = TASKS[task].head, len(forms)
    if kind == "roles":
        tags = ["O"] * n
        return [Predicate(at, [*tags[:at], "S-" + VERB, *tags[at + 1 :]]) for at in places]
    if kind == "trees":
        return tree_of([], [Tree(UNKNOWN, word="") for _ in range(n)])
    if kind == "dependencies":
        return [Arc(i, names[0]) for i in range(n)]
    if kind == "lemmas":
        return list(map(Lemma.of, forms, forms))
    return [names[0]] * n


def _with_words(tree: Tree, forms: Sequence[str]) -> Tree:
    return tree_of(constituents(tree), [Tree(UNKNOWN, word=form) for form in forms])
