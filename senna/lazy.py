"""Lazily computed properties and lazily imported modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any, Generic, Self, TypeVar, overload

from senna.errors import SennaError

T = TypeVar("T")
# The small build, without CUDA.
PYTORCH = "pip install torch -i https://download.pytorch.org/whl/cpu"


class cached_property(Generic[T]):  # noqa: N801
    """As `functools.cached_property`, which in Python 3.11 holds a lock while it computes.

    A process that is forked while another thread computes would wait for that lock for ever. Two
    threads may compute the same value at once; the last one's is kept.
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self.compute, self.__doc__ = compute, compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object, owner: type) -> Self | T:
        if instance is None:
            return self
        value = instance.__dict__[self.name] = self.compute(instance)
        return value


class LazyModule:
    """A module that is imported when something of it is read."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(import_module(self._name), attribute)


def entry(package: str, homes: Mapping[str, str], table: str, name: str) -> Any:
    """The entry of a name in the table of its module, which has this name or that in `homes`."""
    module = import_module(f"senna.{package}.{homes.get(name, name)}")
    return getattr(module, table)[name]


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
