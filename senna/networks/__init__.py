"""The networks, one folder each, loaded by name: `settings`, `tag` (NumPy), `train` (PyTorch)."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

# By `network.kind`: the folder's name.
KINDS = ("window", "sentence", "gated", "recurrent", "recursive", "convolution", "bag")
ENSEMBLES = ("vote", "join")  # kinds of `network.kind` that join the answers of other models


def part_of(kind: str, part: str) -> ModuleType:
    """A module of the folder of a network: its part "settings", "tag" or "train"."""
    return import_module(f"senna.networks.{kind}.{part}")


def carries(kind: str, head: str) -> bool:
    """Whether networks of a kind can have heads of a kind of output, as `Task.head` names it."""
    heads = part_of(kind, "settings").HEADS
    return not heads or head in heads
