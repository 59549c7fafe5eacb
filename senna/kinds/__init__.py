"""Kinds of answers: the type, files, JSON and scores (`answer`) and the decoder (`head`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from senna.by_name import entry
from senna.kinds.answer import Output
from senna.tasks import TASKS

# The modules of kinds that share one; the others have one of their own name.
HOMES = {"phrases": "tags", "segments": "tags", "values": "tags", "marks": "roles"}


@cache
def output_of(task: str) -> Output:
    """The kind of output of a task."""
    kind = TASKS[task].output
    output: Output = entry(f"senna.kinds.{HOMES.get(kind, kind)}.answer", "OUTPUTS", kind)
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


def head_module(task: str, part: str) -> Any:
    """The module of a task's head: its part "tag" or "train"."""
    kind = TASKS[task].head
    return import_module(
        f"senna.kinds.{kind}.head" if part == "tag" else f"senna.training.heads.{kind}"
    )
