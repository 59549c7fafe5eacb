"""Kinds of answers, one module each: answers in files, scores, columns, JSON and tables."""

from __future__ import annotations

from importlib import import_module

from senna.answers.base import Output
from senna.tasks import TASKS


def output_of(task: str) -> Output:
    """The kind of output of a task."""
    output: Output = import_module(f"senna.answers.{TASKS[task].output}").OUTPUT
    return output
