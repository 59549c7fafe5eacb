"""Heads: the parts of a network above its last layer, one module for each kind, here in NumPy.

Those that learn, in PyTorch, are in `senna.training.heads`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from senna.tasks import TASKS


def head_module(task: str, part: str) -> Any:
    """The module of a task's head: its part "tag" or "train"."""
    kind = TASKS[task].head
    return import_module(f"senna.heads.{kind}" if part == "tag" else f"senna.training.heads.{kind}")
