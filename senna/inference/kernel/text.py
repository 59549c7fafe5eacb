"""Chunks of a text and their tokens, by the compiled kernel: see `senna.text.tokenizer`."""

from __future__ import annotations

import ctypes
from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from senna.inference.kernel.index import Index, Texts, _Index
from senna.inference.kernel.library import arguments, library_for

Ints = NDArray[np.int64]

# As in kernel.c: no characters, which stand in the key of a chunk for what has the same shape.
SMALL_WORD, CAPITAL_WORD, UPPER_WORD, DIGIT = range(0x110000, 0x110004)
PER_MICROSECOND = 100  # characters


class _Strings(ctypes.Structure):
    _fields_ = (("index", _Index), ("most", ctypes.c_int64), ("room", ctypes.c_int64))


class Strings:
    """Distinct strings of code points, numbered in the order of their first use."""

    def __init__(self, most: int, room: int) -> None:
        """most: how many there can be; room: their bytes, four a code point."""
        self.text, self.ends = np.empty(room, np.uint8), np.empty(most, np.int64)
        self.slots = np.zeros(1 << (most + most // 2).bit_length(), np.uint64)  # some free
        at = self.text.ctypes.data, self.ends.ctypes.data, self.slots.ctypes.data
        self.struct = _Strings(_Index(*at, 0, len(self.slots)), most, room)

    def __len__(self) -> int:
        return int(self.struct.index.n)

    @property
    def is_half_full(self) -> bool:
        """Whether half of the strings, or of their bytes, are there."""
        n = len(self)
        return 2 * n >= len(self.ends) or (n > 0 and 2 * int(self.ends[n - 1]) >= len(self.text))

    def since(self, first: int) -> Iterator[bytes]:
        """The strings from a number on, in UTF-32."""
        ends = self.ends[first : len(self)].tolist()
        start = int(self.ends[first - 1]) + 1 if first else 0
        text = self.text[start : ends[-1] if ends else start].tobytes()
        for begin, end in pairwise([start - 1, *ends]):
            yield text[begin + 1 - start : end - start]


class Words:
    """Words in small letters: those whose letters matter, and others that are known.

    In the key of a chunk any other word of ASCII letters, unless it may be an abbreviation (by its
    shape, before a point), is replaced by one of the marks above, and so is each digit among signs.
    """

    def __init__(self, special: Collection[str], known: Collection[str]) -> None:
        self.n_special = len(special)
        texts = Texts([*special, *known])
        self.index = Index(texts.bytes, texts.ends)


class Found(NamedTuple):
    """Where chunks or tokens start and end, and their numbers, (n,) each."""

    starts: Ints
    ends: Ints
    numbers: Ints


def chunks(
    words: Words, keys: Strings, is_space: NDArray[np.uint8], text: NDArray[np.uint32], longest: int
) -> Found | None:
    """The chunks of a text, and the numbers of their keys.

    is_space (65536,): of code points. None without a kernel, and where `keys` are too many.
    """
    compiled = library_for(len(text) / PER_MICROSECOND)
    if compiled is None or is_space.shape != (1 << 16,):
        return None
    out = np.empty((3, len(text) // 2 + len(text) // longest + 1), np.int64)
    known = is_space, words.index.struct, words.n_special, keys.struct
    n = compiled.senna_chunks(*arguments(*known, text, len(text), longest, *out))
    return None if n < 0 else Found(*out[:, :n])


def tokens(
    keys: Strings,
    forms: Strings,
    text: NDArray[np.uint32],
    chunks: Found,
    pieces: tuple[NDArray[np.int32], NDArray[np.int32]],
    n: int,
) -> Found | None:
    """The n tokens of chunks, and the numbers of their forms.

    pieces: of each key the first of its pieces, and where each piece ends in its key. None where
    `forms` are too many.
    """
    compiled = library_for(len(text) / PER_MICROSECOND)
    assert compiled is not None
    out = np.empty((3, n), np.int64)
    of_chunks = *chunks, len(chunks.numbers)
    done = compiled.senna_tokens(
        *arguments(keys.struct, forms.struct, text, *of_chunks, *pieces, *out)
    )
    return None if done < 0 else Found(*out)
