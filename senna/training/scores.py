"""Scores of a written model, as it will tag, for its card."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from senna.answers import output_of
from senna.pipeline.pipeline import Pipeline
from senna.tasks import PARSER, TASKS
from senna.training.examples.corpora import TaskCorpus
from senna.training.examples.data import Example


def score_model(
    corpora: dict[str, TaskCorpus], path: Path, say: Callable[[str], None]
) -> dict[str, Any]:
    """Score a model folder on every dev and test set of its tasks."""
    scores: dict[str, Any] = {}
    for task, corpus in corpora.items():
        pipeline = Pipeline.load([task], path, "given")
        sets = [(f"{name} dev" if name != "dev" else name, s) for name, s in corpus.dev]
        measure = output_of(task).measure
        for name, sentences in [*sets, *corpus.test]:
            value = _score(pipeline, task, sentences)
            scores.setdefault(task, {"measure": measure})[name] = round(value, 2)
            say(f"{task:10} {measure:8} {value:6.2f}  {name}{without(task)}")
    return scores


def without(task: str) -> str:
    """A note on scores that leave out what tagging adds to a task."""
    return " (without the memory of names)" if TASKS[task].names else ""


def _score(pipeline: Pipeline, task: str, sentences: list[Example]) -> float:
    """The score of a pipeline; roles are those of the gold predicates."""
    forms = [s.forms for s in sentences]
    given: dict[str, Any] = {
        name: [s.tags.get(name, []) for s in sentences] for name in pipeline.missing
    }
    output = output_of(task)
    if output.of_sentences and all(s.tree for s in sentences):
        given[PARSER] = [s.tree for s in sentences]
    places = [output.places(s.gold) for s in sentences] if output.finders else None
    found = pipeline.annotate(forms, given, places)[task]
    return output.percent([s.gold for s in sentences], found)
