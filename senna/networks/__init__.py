"""The networks, one folder each, loaded by name: `settings`, `tag` (NumPy), `train` (PyTorch)."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

KINDS = {  # by `network.kind`: the package
    "window": "senna.networks.window",
    "sentence": "senna.networks.sentence",
    "gated": "senna.networks.gated",
    "recurrent": "senna.lab.networks.recurrent",
    "recursive": "senna.lab.networks.recursive",
    "convolution": "senna.lab.networks.convolution",
    "bag": "senna.lab.networks.bag",
}
ENSEMBLES = ("vote", "join")  # kinds of `network.kind` that join the answers of other models


def part_of(kind: str, part: str) -> ModuleType:
    """A module of the folder of a network: its part "settings", "tag" or "train"."""
    return import_module(f"{KINDS[kind]}.{part}")


def carries(kind: str, head: str) -> bool:
    """Whether networks of a kind can have heads of a kind of output, as `Task.head` names it."""
    heads = part_of(kind, "settings").HEADS
    return not heads or head in heads
