"""The networks, loaded by name: in NumPy here, in PyTorch in `senna.training.networks`.

Those of the lab, which only PyTorch computes, have one module each in `senna.lab.networks`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

# By `network.kind`: the package that has its settings.
KINDS = {
    "window": "senna.inference.networks",
    "sentence": "senna.inference.networks",
    "gated": "senna.inference.networks",
    "recurrent": "senna.lab.networks",
    "recursive": "senna.lab.networks",
    "convolution": "senna.lab.networks",
    "bag": "senna.lab.networks",
}
ENSEMBLES = ("vote", "join")  # kinds of `network.kind` that join the answers of other models


def is_core(kind: str) -> bool:
    """Whether a network has a twin in NumPy."""
    return KINDS[kind] == "senna.inference.networks"


def settings_of(kind: str) -> Any:
    """The class of the settings of a network."""
    return import_module(f"{KINDS[kind]}.settings").SETTINGS[kind]


def tagger_of(kind: str) -> Any:
    """The class of a network of the core at tagging time."""
    return import_module(f"senna.inference.networks.{kind}").NETWORK


def learner_of(kind: str) -> Any:
    """The class of a network in PyTorch."""
    home = "senna.training.networks" if is_core(kind) else KINDS[kind]
    return import_module(f"{home}.{kind}").NETWORK


def carries(kind: str, head: str) -> bool:
    """Whether networks of a kind can have heads of a kind of output, as `Task.head` names it."""
    heads = settings_of(kind).HEADS
    return not heads or head in heads
