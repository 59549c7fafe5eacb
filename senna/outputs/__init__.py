"""Kinds of output, one folder each, loaded by name.

`answer` says what an answer is in files, JSON and columns; `score` compares answers; `tag` has the
head that finds them in NumPy, and `train` the head and loss that learn them in PyTorch.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from senna.outputs.base import Output
from senna.tasks import TASKS


def output_of(task: str) -> Output:
    """The kind of output of a task."""
    output: Output = import_module(f"senna.outputs.{TASKS[task].output}.answer").OUTPUT
    return output


def head_module(task: str, part: str) -> Any:
    """The module of a task's head: its part "tag" or "train"."""
    return import_module(f"senna.outputs.{TASKS[task].head}.{part}")
