"""Chunks of a text and their tokens, by the compiled kernel: see `senna.text.tokenizer`."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise

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


class _Cuts(ctypes.Structure):
    _fields_ = (
        ("is_space", ctypes.c_void_p),
        ("words", ctypes.POINTER(_Index)),
        ("n_special", ctypes.c_int64),
        *((name, ctypes.POINTER(_Strings)) for name in ("keys", "forms")),
        *((name, ctypes.c_void_p) for name in ("firsts", "ends", "bits")),
    )


class Cuts:
    """How chunks are cut, by the numbers of their keys."""

    def __init__(self, words: Words, is_space: NDArray[np.uint8], most: int, room: int) -> None:
        """is_space (65536,): of code points; for most and room see `Strings`."""
        if is_space.shape != (1 << 16,):
            raise ValueError("not 65536 code points")
        self.words, self.is_space, self.keys = words, is_space, Strings(most, room)
        self.bits = array("H")
        self.ends = array("i")  # of pieces, in the key
        self.firsts = array("i", [0])  # of each key the first of these
        pointers = ctypes.pointer(words.index.struct), words.n_special
        self.struct = _Cuts(is_space.ctypes.data, *pointers, ctypes.pointer(self.keys.struct))
        self.forget_forms(most, room)

    def forget_forms(self, most: int, room: int) -> None:
        """Number the forms of tokens from 0 again."""
        self.forms = Strings(most, room)
        self.struct.forms = ctypes.pointer(self.forms.struct)

    def learn(self, ends: Iterable[int], bits: int) -> None:
        """Add the next key: where its pieces end, and the bits of its chunks."""
        self.ends.extend(ends)
        self.bits.append(bits)
        self.firsts.append(len(self.ends))
        for name in ("firsts", "ends", "bits"):
            setattr(self.struct, name, getattr(self, name).buffer_info()[0])


def chunks(cuts: Cuts, text: NDArray[np.uint32], longest: int) -> tuple[Ints, int] | None:
    """The chunks of a text, and how many they are: `tokens` completes them.

    (4, more than n_chunks): where they start and end, the numbers of their keys, and their first
    tokens. None without a kernel, and where the keys are too many.
    """
    compiled = library_for(len(text) / PER_MICROSECOND)
    if compiled is None:
        return None
    out = np.empty((4, len(text) // 2 + len(text) // longest + 2), np.int64)
    values = cuts.struct, text, len(text), longest, out, out.shape[1]
    n = compiled.senna_chunks(*arguments(*values))
    return None if n < 0 else (out, n)


def tokens(cuts: Cuts, text: NDArray[np.uint32], chunks: Ints, n: int) -> tuple[Ints, Ints] | None:
    """The tokens of n chunks, all of whose keys have been learnt; and the gaps to look at.

    (3, n_tokens): where they start and end, and the numbers of their forms. (n_gaps, 4): the chunk
    behind each, whether a sentence ends there for certain, where the chunk starts, and its first
    token. None where the forms are too many.
    """
    compiled = library_for(len(text) / PER_MICROSECOND)
    assert compiled is not None
    out, gaps = np.empty((3, len(text)), np.int64), np.empty((n, 4), np.int64)
    values = cuts.struct, text, len(text), chunks, chunks.shape[1], n, out, gaps
    n_gaps = compiled.senna_tokens(*arguments(*values))
    return None if n_gaps < 0 else (out[:, : chunks[3, n]], gaps[:n_gaps])
