"""Kinds of answers, one class each: answers in files, scores, columns, JSON and tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from senna.answers.base import Output
from senna.tasks import TASKS

# The modules of kinds that share one; the others have one of their own name.
HOMES = {"segments": "phrases", "values": "phrases", "marks": "roles"}


def output_of(task: str) -> Output:
    """The kind of output of a task."""
    kind = TASKS[task].output
    output: Output = import_module(f"senna.answers.{HOMES.get(kind, kind)}").OUTPUTS[kind]
    return output


def fields_of(answers: Mapping[str, Any], words: Sequence[str]) -> dict[str, list[str]]:
    """The fields of CoNLL-U that answers of tasks about a sentence's words fill."""
    return {
        field: column
        for task, answer in answers.items()
        for field, column in zip(
            TASKS[task].fields, output_of(task).columns(words, answer, ""), strict=False
        )
    }
