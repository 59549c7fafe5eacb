"""Lazily computed properties."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, TypeVar

T = TypeVar("T")


class cached_property(functools.cached_property[T]):  # noqa: N801
    """As `functools.cached_property`, which in Python 3.11 holds a lock while it computes.

    A process that is forked while another thread computes would wait for that lock for ever. Two
    threads may compute the same value at once; one is kept.
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        super().__init__(compute)
        self.lock = nullcontext()
