"""Parts of the package that are found by their names."""

from __future__ import annotations

import sys

import pytest

from senna.by_name import lab_module
from senna.errors import SennaError


def test_a_module_of_the_lab_without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "senna.lab.soft_labels", raising=False)
    with pytest.raises(
        SennaError, match="computes in PyTorch, which is not installed. pip install"
    ):
        lab_module("soft_labels")


def test_no_such_module_of_the_lab() -> None:
    with pytest.raises(ModuleNotFoundError):
        lab_module("alchemy")
