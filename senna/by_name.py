"""Parts of the package that are found by their names, and imported when they are needed."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

from senna.errors import SennaError

# The small build, without CUDA.
PYTORCH = "pip install torch -i https://download.pytorch.org/whl/cpu"


def entry(module: str, table: str, name: str) -> Any:
    """The entry of a name in the table of a module."""
    return getattr(import_module(module), table)[name]


def lab_module(name: str) -> ModuleType:
    """A module of `senna.lab`, which a configuration, a model folder or a command names.

    Most of it computes in PyTorch: SennaError where that is not installed.
    """
    try:
        return import_module(f"senna.lab.{name}")
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
    what = f"senna.lab.{name} computes in PyTorch, which is not installed"
    raise SennaError(what, mend=PYTORCH)
