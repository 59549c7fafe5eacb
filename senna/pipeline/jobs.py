"""Work that is done here or shared among processes, its results in the order of the items."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator
from typing import TypeVar

from senna.errors import SennaError

T = TypeVar("T")
R = TypeVar("R")
MOST = 61 if sys.platform == "win32" else 1_024  # processes


def in_order(
    load: Callable[[], Callable[[T], R]], items: Iterator[T], jobs: int
) -> Generator[tuple[T, R], None, None]:
    """Items in their order, each with what the function that `load` returns makes of it.

    It is loaded and called here or, if all of this can be pickled, in each of `jobs` processes.
    Raises what `load`, `items` and the function raise, when its turn has come, and SennaError where
    a process cannot be started or is lost. The processes end with the generator: close it.
    """
    if jobs < 1:
        raise SennaError("expected at least 1", where=f"--jobs {jobs}")
    if jobs > MOST:
        raise SennaError(f"{jobs} processes", remedy=f"Try fewer, {MOST} at most.")
    if jobs == 1:
        work = load()
        yield from ((item, work(item)) for item in items)
    else:
        from senna.pipeline.workers import shared  # which takes time, and one process needs none

        yield from shared(load, items, jobs)
