"""The compiled kernel: which levels were built, which one this processor runs, and its library."""

from __future__ import annotations

import ctypes
import os
import sys
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from senna.errors import SennaError

OFF = "off"  # NumPy alone
PLAIN = "plain"  # without vectors, slower than NumPy: to test, never chosen
PROCESSOR_LEVELS = (PLAIN, "avx2", "avx512", "vnni", "amx", "neon")  # as senna_level counts
SHORT = 50  # microseconds
FOLDER = Path(__file__).parent
SOURCE = FOLDER / "kernel.c"


@cache
def library() -> ctypes.CDLL | None:
    """The library of the best level, or of the one that SENNA_KERNEL names; None: NumPy alone.

    Raises SennaError for a level that is unknown, was not built or that this processor lacks.
    """
    name = level()
    return None if name == OFF else _opened(name)


def library_for(microseconds: float) -> ctypes.CDLL | None:
    """The library for a call of about so long: a short one keeps Python's lock.

    To hand it on and to wait for it would take longer than other threads could run meanwhile.
    """
    opened = library()
    return opened if opened is None or microseconds > SHORT else _keeping_the_lock(opened._name)


_keeping_the_lock = cache(ctypes.PyDLL)
_byte = ctypes.c_char


def arguments(*values: Any) -> list[Any]:
    """Arguments of a function of the library: arrays, bytes, structures by address, whole numbers.

    The caller keeps the arrays alive.
    """
    return list(map(_argument, values))


def _argument(value: Any) -> Any:
    if isinstance(value, int):
        return ctypes.c_int64(value)
    if isinstance(value, np.ndarray):
        try:
            # Much sooner than by its `ctypes`.
            return ctypes.byref(_byte.from_buffer(value))  # type: ignore[arg-type]
        except (TypeError, ValueError):  # it cannot be written, or is empty
            return ctypes.c_void_p(value.__array_interface__["data"][0])
    return ctypes.byref(value) if isinstance(value, ctypes.Structure) else value


def level() -> str:
    """The level in use, one of `PROCESSOR_LEVELS` or `OFF`."""
    wanted = os.environ.get("SENNA_KERNEL", "")
    if wanted == OFF:
        return OFF
    if wanted and wanted not in PROCESSOR_LEVELS:
        raise _refused(wanted, "no such level")
    known = built()
    if wanted and wanted not in known:
        raise _refused(wanted, "not built, or not of this processor")
    return wanted or next((name for name in reversed(known) if name != PLAIN), OFF)


def missing() -> str:
    """Return how to get the kernel if it is missing and $SENNA_KERNEL does not leave it out."""
    if os.environ.get("SENNA_KERNEL") == OFF or level() != OFF:
        return ""
    sources = FOLDER.resolve().parents[2]
    why = "install senna where there is a C compiler"
    if (sources / "hatch_build.py").exists():
        why = f"this Python runs the sources in {sources}; start it elsewhere, or compile them: "
        why += f"pip install -e {sources}"
    return (
        "the compiled kernel is missing, so tagging takes three to four times as long "
        f"({why}; SENNA_KERNEL=off hides this)"
    )


def built() -> list[str]:
    """The levels that were built and that this processor runs, the best last."""
    first = _opened(PLAIN)
    if first is None:
        return []
    n_fitting = int(first.senna_level()) + 1
    return [
        name
        for number, name in enumerate(PROCESSOR_LEVELS)
        if (number < n_fitting or name == "neon") and _opened(name)
    ]


def _opened(name: str) -> ctypes.CDLL | None:
    """The library of a level; None where it was not built, or from another source."""
    if sys.maxsize < 2**32:
        return None
    try:
        opened = ctypes.CDLL(str(FOLDER / f"kernel-{name}.so"))
        opened.senna_source.restype, opened.senna_size.restype = ctypes.c_uint32, ctypes.c_int64
    except (OSError, AttributeError):  # not built; not the kernel
        return None
    return opened if opened.senna_source() == digest() else None


@cache
def digest() -> int:
    """The checksum of kernel.c, which each library has of the source it was compiled from.

    An installation that can be edited keeps its libraries when the source changes.
    """
    return zlib.crc32(SOURCE.read_bytes())


def _refused(name: str, why: str) -> SennaError:
    remedy = f"Choose off or one of {', '.join(PROCESSOR_LEVELS)}, or leave it out."
    return SennaError(f"SENNA_KERNEL = {name!r}: {why}", remedy=remedy)
