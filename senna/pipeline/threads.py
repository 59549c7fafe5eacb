"""Threads while a call runs: one for matrix products, and short turns where several calls run.

The products here are small. Started from Python, OpenBLAS would spread each over all cores, which
costs more than it brings.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock

import numpy as np

_NAMES = [
    f"{prefix}openblas_{{}}_num_threads{wide}" for prefix in ("scipy_", "") for wide in ("64_", "")
]
TURN = 0.0005  # seconds after which a thread of Python lets another in, while several calls run

_lock = Lock()
_running = 0  # calls at work
_before = (0, 0.0)  # threads of BLAS, and turns of Python's, that were set before the first of them


@contextmanager
def one_thread() -> Iterator[None]:
    """Have NumPy's own OpenBLAS use one thread; what the caller had set is set again after it.

    Several threads may be in it at once: the last one out sets it again. Until then they take
    turns more often than Python has it: one that comes back from a product would else wait ten
    times as long as the product took. With another BLAS its threads are left alone.
    """
    global _running, _before
    get, put = _functions() or (lambda: 0, lambda number: None)
    with _lock:
        if not _running:
            _before = get(), sys.getswitchinterval()
            if _before[0] > 1:
                put(1)
        elif _running == 1:
            sys.setswitchinterval(TURN)
        _running += 1
    try:
        yield
    finally:
        with _lock:
            _running -= 1
            if not _running:
                _restore()


def _alone() -> None:
    """A process that was forked has none of the other threads: nobody else frees the lock."""
    global _lock, _running
    _lock = Lock()
    if _running:
        _running = 0
        _restore()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_alone)


def _restore() -> None:
    number, turn = _before
    functions = _functions()
    if functions and number > 1:
        functions[1](number)
    if sys.getswitchinterval() != turn:
        sys.setswitchinterval(turn)


@cache
def _functions() -> tuple[Callable[[], int], Callable[[int], None]] | None:
    """How to ask for and to set the number of threads; None where NumPy brings no OpenBLAS."""
    package = Path(np.__file__).parent
    for folder in (package.parent / "numpy.libs", package / ".dylibs"):
        for path in sorted(folder.glob("*openblas*")):
            library = ctypes.CDLL(str(path))  # loaded already: this is the same one
            for name in _NAMES:
                if hasattr(library, name.format("set")):
                    return getattr(library, name.format("get")), getattr(
                        library, name.format("set")
                    )
    return None
