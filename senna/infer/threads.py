"""One thread for matrix products while a call runs: more of them cost more than they bring.

The products here are small. Started from Python, OpenBLAS would spread each over all cores.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock

import numpy as np

_NAMES = [f"{own}openblas_{{}}_num_threads{wide}" for own in ("scipy_", "") for wide in ("64_", "")]
_lock = Lock()
_running = _before = 0  # calls at work, and the number of threads that was set before the first


@contextmanager
def one_thread() -> Iterator[None]:
    """Have NumPy's own OpenBLAS use one thread; the caller's number is set again after it.

    Several threads may be in it at once: the last one out sets it again. With another BLAS, or
    where one thread is set already, nothing happens.
    """
    global _running, _before
    if os.environ.get("OPENBLAS_NUM_THREADS") == "1" or (found := _functions()) is None:
        yield
        return
    get, put = found
    with _lock:
        if not _running:
            _before = get()
            put(1)
        _running += 1
    try:
        yield
    finally:
        with _lock:
            _running -= 1
            if not _running:
                put(_before)


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
