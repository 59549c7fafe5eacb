"""Many strings found among many, in bytes and by the compiled kernel: no dictionary of Python."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from senna.inference.kernel.library import arguments, library, library_for
from senna.lazy import cached_property

Ints = NDArray[np.int64]


class _Index(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("text", "ends", "slots")),
        *((name, ctypes.c_int64) for name in ("n", "n_slots", "first")),
        ("extends", ctypes.c_void_p),
    )


class _Lookup(ctypes.Structure):
    _fields_ = (("index", ctypes.c_void_p), ("start", ctypes.c_int64), ("cut", ctypes.c_int64))


class Texts:
    """Blocks of as many strings; for the kernel their bytes end to end, with one in between."""

    def __init__(self, *blocks: Sequence[str]) -> None:
        self.blocks = blocks

    @cached_property
    def bytes(self) -> bytes:
        """UTF-8."""
        return "\n".join(chain(*self.blocks)).encode("utf-8", "surrogatepass")

    @cached_property
    def ends(self) -> Ints:
        """Where each ends, (n,)."""
        ends = ends_of(self.bytes + b"\n")
        if len(ends) != len(self.blocks) * len(self.blocks[0]):  # one holds the byte in between
            sizes = [len(string.encode("utf-8", "surrogatepass")) for string in chain(*self.blocks)]
            ends = np.cumsum(np.array(sizes, np.int64) + 1) - 1
        return ends

    def letters(self, rows: NDArray[np.int32], longest: int) -> NDArray[np.int32] | None:
        """The rows (n, longest) of the letters of the first block, in the middle of which some are
        left out; rows (n_codes,): of each code point, and of all beyond. None without a kernel.
        """
        n = len(self.blocks[0])
        compiled = library_for(n / 10)
        if compiled is None:
            return None
        out = np.empty((n, longest), np.int32)
        given = self.bytes, self.ends, n, rows, len(rows), longest, out
        compiled.senna_letters(*arguments(*given))
        return out


def ends_of(lines: bytes) -> Ints:
    """Where each line ends."""
    return np.flatnonzero(np.frombuffer(lines, np.uint8) == 10)


class Index:
    """The rows of some texts: see `Index` in kernel.c."""

    address: int

    def __init__(
        self, text: bytes, ends: Ints, first: int = 0, extends: Index | None = None
    ) -> None:
        """text: UTF-8, one byte between them; ends (n,): where each ends; `library()` is there.

        first: the row of the first one; extends: the index of the rows before.
        """
        compiled = library()
        assert compiled is not None
        self.text, self.ends, n = np.frombuffer(text or b"\n", np.uint8), ends, len(ends)
        if (np.diff(ends, prepend=-1) < 1).any() or (n and ends[-1] > len(text)):
            raise ValueError("ends that do not rise, or beyond the text")
        self.slots = np.zeros(1 << (n + n // 2 + 1).bit_length(), np.uint64)  # some free
        at = self.text.ctypes.data, self.ends.ctypes.data, self.slots.ctypes.data
        self.extends = extends
        before = None if extends is None else extends.address
        self.struct = _Index(*at, n, len(self.slots), first, before)
        self.address = ctypes.addressof(self.struct)
        compiled.senna_index(*arguments(self.struct))


class Finder:
    """Indices in which one call finds texts: each with the block of texts, and how they are cut.

    A cut means so many of the first letters of each text, below 0 of the last ones.
    """

    def __init__(self, wanted: Sequence[tuple[Index, int, int]]) -> None:
        self.kept = wanted
        rows = [_Lookup(index.address, block, cut) for index, block, cut in wanted]
        self.structs = (_Lookup * len(rows))(*rows)

    def find(self, texts: Texts) -> NDArray[np.int32] | None:
        """The rows (n_indices, n) of blocks of n texts, None without a kernel.

        0 stands for no letters, 1 for no entry.
        """
        n = len(texts.blocks[0])
        compiled = library_for(len(self.kept) * n / 10)
        if compiled is None:
            return None
        out = np.empty((len(self.kept), n), np.int32)
        given = self.structs, len(self.kept), texts.bytes, texts.ends, n, out
        compiled.senna_find(*arguments(*given))
        return out
