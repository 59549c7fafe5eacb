"""Many strings found among many, in bytes and by the compiled kernel: no dictionary of Python."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from senna.inference.kernel.library import arguments, library, library_for
from senna.lazy import cached_property

Ints = NDArray[np.int64]


class _Index(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("text", "ends", "slots")),
        *((name, ctypes.c_int64) for name in ("n", "n_slots")),
    )


class Texts:
    """Strings, and for the kernel their bytes: end to end, with one byte between them."""

    def __init__(self, strings: Sequence[str]) -> None:
        self.strings = strings
        # What a vocabulary that others extend has for them, by it and how they are cut.
        self.known: dict[Any, NDArray[np.int32]] = {}

    @cached_property
    def bytes(self) -> bytes:
        """UTF-8."""
        return "\n".join(self.strings).encode("utf-8", "surrogatepass")

    @cached_property
    def ends(self) -> Ints:
        """Where each ends, (n,)."""
        ends = ends_of(self.bytes + b"\n")
        if len(ends) != len(self.strings):  # a string holds the byte in between
            sizes = [len(string.encode("utf-8", "surrogatepass")) for string in self.strings]
            ends = np.cumsum(np.array(sizes, np.int64) + 1) - 1
        return ends

    @cached_property
    def arguments(self) -> list[Any]:
        """The bytes, the ends and how many there are, for the kernel."""
        text = np.frombuffer(self.bytes or b"\n", np.uint8)
        return arguments(text, self.ends, len(self.ends))

    @cached_property
    def empty(self) -> Ints:
        """Which have no letters."""
        return np.array([i for i, string in enumerate(self.strings) if not string], np.int64)


def ends_of(lines: bytes) -> Ints:
    """Where each line ends."""
    return np.flatnonzero(np.frombuffer(lines, np.uint8) == 10)


class Index:
    """The numbers of some texts: see `Index` in kernel.c."""

    def __init__(self, text: bytes, ends: Ints) -> None:
        """text: UTF-8, one byte between them; ends (n,): where each ends; `library()` is there."""
        compiled = library()
        assert compiled is not None
        self.text, self.ends, n = np.frombuffer(text or b"\n", np.uint8), ends, len(ends)
        if (np.diff(ends, prepend=-1) < 1).any() or (n and ends[-1] > len(text)):
            raise ValueError("ends that do not rise, or beyond the text")
        self.slots = np.zeros(1 << (n + n // 2 + 1).bit_length(), np.uint64)  # some free
        at = self.text.ctypes.data, self.ends.ctypes.data, self.slots.ctypes.data
        self.struct = _Index(*at, n, len(self.slots))
        compiled.senna_index(*arguments(self.struct))

    def find(self, words: Texts, first: int, cut: int = 0) -> NDArray[np.int32] | None:
        """The row of each word, where the rows of the texts begin with `first`; None without a
        kernel. 0 stands for no letters, 1 for no text.

        cut: of so many of its first letters, below 0 of its last ones.
        """
        compiled = library_for(len(words.strings) / 10)
        if compiled is None:
            return None
        out = np.empty(len(words.ends), np.int32)
        compiled.senna_find(*arguments(self.struct), *words.arguments, *arguments(first, cut, out))
        return out
