"""Kinds of answers: the type, files, JSON and scores (`answer`) and the decoder (`head`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from senna.kinds.answer import Output
from senna.registry import OUTPUTS
from senna.tasks import TASKS


@cache
def output_of(task: str) -> Output:
    """The kind of output of a task."""
    output: Output = OUTPUTS[TASKS[task].output]
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
