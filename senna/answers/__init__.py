"""Kinds of answers, one class each: answers in files, scores, columns, JSON and tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from senna.answers.base import Output
from senna.by_name import entry
from senna.tasks import TASKS

# The modules of kinds that share one; the others have one of their own name.
HOMES = {"phrases": "tags", "segments": "tags", "values": "tags", "marks": "roles"}


@cache
def output_of(task: str) -> Output:
    """The kind of output of a task."""
    output: Output = entry("answers", HOMES, "OUTPUTS", TASKS[task].output)
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
