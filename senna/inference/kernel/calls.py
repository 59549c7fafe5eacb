"""Calls of the compiled kernel with arrays, whose shapes are checked first.

Each function has a twin in NumPy that says what it computes. It answers False or None where that
has to do the work: without a kernel, without memory, or of numbers that are not finite. While the
kernel computes, other threads of Python run.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from senna.inference.kernel.library import arguments, library, library_for

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

LANES = 16  # as in kernel.c
LINE = 32  # numbers that the cache keeps together
NO_ROW = 3  # as in kernel.c
LONGEST = 2**31 - 1  # words of a sentence: sums of so many stay below 2 ** 63

_int, _pointer = ctypes.c_int64, ctypes.c_void_p


class _Matrix(ctypes.Structure):
    _fields_ = (("panels", _pointer), ("scale", _pointer), ("n_in", _int), ("n_out", _int))


class _Layer(ctypes.Structure):
    _fields_ = (
        *(("down", _Matrix), ("up", _Matrix), ("bias", _pointer)),
        *(("width", _int), ("dilation", _int)),
    )


class _Rows(ctypes.Structure):
    _fields_ = (("table", _pointer), ("rows", _pointer), ("n_rows", _int))


class _Moves(ctypes.Structure):
    _fields_ = (
        *((name, _pointer) for name in ("into", "initial", "between", "within")),
        *((name, _int) for name in ("n_tags", "n_last", "n_from", "n_to", "n_kinds", "roles")),
    )


def _checked(array: NDArray[Any], *shape: int, dtype: type = np.float32) -> NDArray[Any]:
    """The array; ValueError if it is not of the declared kind."""
    if array.dtype != dtype or array.shape != shape or not array.flags.c_contiguous:
        raise ValueError(f"{array.dtype} {array.shape}, expected {np.dtype(dtype)} {shape}")
    return array


def _of(array: NDArray[Any], *shape: int, dtype: type = np.float32) -> int:
    """Where an array lies, for a structure; ValueError as above."""
    return _checked(array, *shape, dtype=dtype).ctypes.data


def _done(status: int) -> bool:
    """Whether a function did its work; ValueError if lengths do not make up the words."""
    if status == NO_ROW:
        raise ValueError("lengths that do not make up the words")
    return not status


# ----------------------------------------------------------------------------- products


class Packed:
    """Whole numbers (n_in, n_out) of 16 bits as the kernel's level has them, and their scale."""

    def __init__(self, weights: Floats, factor: Floats, scale: Floats) -> None:
        """weights (n_in, n_out), rounded once each column is multiplied by its factor (n_out,).

        scale (n_out,); `library()` is there.
        """
        compiled = library()
        assert compiled is not None
        self.library = compiled
        n_in, n_out = self.shape = weights.shape
        weights = np.ascontiguousarray(weights, np.float32)
        factor, scale = (np.ascontiguousarray(one, np.float32) for one in (factor, scale))
        self.scale = _checked(scale, n_out)
        room = np.zeros(compiled.senna_size(*arguments(n_in, n_out)) + LINE, np.uint16)
        self.panels = room[-room.ctypes.data % (2 * LINE) // 2 :]
        given = weights, _checked(factor, n_out), n_in, n_out, self.panels
        self.fits = not compiled.senna_pack(*arguments(*given))
        self.struct = _Matrix(self.panels.ctypes.data, self.scale.ctypes.data, n_in, n_out)

    @classmethod
    def of(cls, weights: Floats, factor: Floats, scale: Floats) -> Packed | None:
        """See the class; None of numbers that do not fit, or without a kernel."""
        made = cls(weights, factor, scale) if library() is not None and weights.size else None
        return made if made is not None and made.fits else None

    @property
    def numbers(self) -> Floats:
        """The same as a matrix for NumPy."""
        out = np.empty(self.shape, np.float32)
        self.library.senna_unpack(*arguments(self.struct, out))
        return out


def widened(x: NDArray[np.float16]) -> Floats:
    """The same numbers in 32 bits."""
    compiled = library()
    if compiled is None or not x.size:
        return x.astype(np.float32)
    x, out = np.ascontiguousarray(x), np.empty(x.shape, np.float32)
    compiled.senna_widen(*arguments(x, x.size, out))
    return out


def magnitudes(x: Floats) -> NDArray[np.float64]:
    """The sum of magnitudes of each column of x (n, m), row by row in double precision."""
    compiled = library()
    sums: NDArray[np.float64] = np.zeros(x.shape[1])
    if compiled is None:
        return np.abs(x).sum(axis=0, dtype=np.float64, out=sums)
    x = np.ascontiguousarray(x)
    compiled.senna_magnitudes(*arguments(_checked(x, *x.shape), *x.shape, sums))
    return sums


def product(
    weights: Packed | None, x: Floats, out: Floats, bias: Floats | None = None, whole: bool = False
) -> bool:
    """Compute `inference.exact.product`, or (`whole`) `Weights.apply`: (n, n_in), (n, n_out)."""
    if weights is None or not out.flags.c_contiguous:
        return False
    n, (n_in, n_out) = len(x), weights.shape
    compiled = library_for(n * n_in * n_out / 50_000)
    if compiled is None:
        return False
    x, out = _checked(np.ascontiguousarray(x), n, n_in), _checked(out, n, n_out)
    bias = bias if bias is None else _checked(bias, n_out)
    return not compiled.senna_product(*arguments(weights.struct, bias, x, n, whole, out))


# ------------------------------------------------------------------------- convolutions


class Layer(NamedTuple):
    """One gated convolution: see `senna.inference.convolutions.Convolution`."""

    down: Packed | None
    up: Packed
    bias: Floats  # (2 units,)
    width: int
    dilation: int


class Layers:
    """Gated convolutions over `units` numbers per word, one above the other."""

    def __init__(self, layers: Sequence[Layer], units: int) -> None:
        self.layers, self.units = layers, units
        self.structs = (_Layer * len(layers))()
        for layer, struct in zip(layers, self.structs, strict=True):
            inner = layer.width * units
            if layer.down is not None:
                struct.down, inner = layer.down.struct, layer.down.shape[1]
            fits = layer.down is None or layer.down.shape[0] == layer.width * units
            if not fits or layer.up.shape != (inner, 2 * units) or layer.width % 2 == 0:
                raise ValueError("layers that do not fit each other")
            struct.up, struct.bias = layer.up.struct, _of(layer.bias, 2 * units)
            struct.width, struct.dilation = layer.width, layer.dilation


def convolve(layers: Layers | None, x: Floats, lengths: Ints) -> bool:
    """`senna.inference.convolutions.convolve`: x (n_words, units) in place, or not changed."""
    compiled = library()
    if layers is None or compiled is None:
        return False
    n, lengths = len(x), np.ascontiguousarray(lengths, np.int64)
    words = _checked(x, n, layers.units), n, layers.units
    of = layers.structs, len(layers.layers)
    return _done(compiled.senna_convolve(*arguments(*of, *words, lengths, len(lengths))))


# -------------------------------------------------------------------------------- paths


class Moves:
    """Scores of the moves between tags: see `senna.decoding.viterbi`."""

    def __init__(
        self, into: Floats, initial: Floats, between: Floats, within: Floats, n_last: int
    ) -> None:
        """into (n_tags, n_tags), [to, from]; initial (n_tags,); within (4, n_kinds).

        between (n_from, n_to) are the moves that a step sums: of n_kinds + 1 labels, or of n_last
        tags to those that open a phrase; with no kinds of all tags.
        """
        n_tags, n_kinds, (n_from, n_to) = len(initial), within.shape[1], between.shape
        dense, phrases = (n_tags, n_tags), (n_last, 1 + 2 * n_kinds)
        roles = n_kinds > 0 and between.shape == (n_kinds + 1, n_kinds + 1)
        if (n_kinds and n_tags != 1 + 4 * n_kinds) or not 0 < n_last <= n_tags:
            raise ValueError(f"{n_tags} tags of {n_kinds} kinds")
        if not roles and between.shape != (phrases if n_kinds else dense):
            raise ValueError(f"moves {between.shape} of {n_tags} tags")
        padded = np.full((n_from, n_to + -n_to % LANES), -np.inf, np.float32)
        padded[:, :n_to] = between
        self.arrays = into, initial, between, within, n_last
        self.kept = [np.ascontiguousarray(scores) for scores in (into, initial, padded, within)]
        shapes = dense, (n_tags,), padded.shape, (4, n_kinds)
        at = [_of(scores, *shape) for scores, shape in zip(self.kept, shapes, strict=True)]
        self.n_tags = n_tags
        self.struct = _Moves(*at, n_tags, n_last, n_from, n_to, n_kinds, roles)

    @classmethod
    def of(
        cls, into: Floats, initial: Floats, between: Floats, within: Floats, n_last: int
    ) -> Moves | None:
        """See the class; None of scores that no maximum is right for, or without a kernel."""
        arrays = into, initial, between, within
        if library() is None or not all((scores < np.inf).all() for scores in arrays):
            return None
        return cls(*arrays, n_last)

    def __reduce__(self) -> tuple[type[Moves], tuple[Any, ...]]:
        return Moves, self.arrays


def decode(moves: Moves | None, scores: Floats, lengths: Ints) -> Ints | None:
    """`senna.decoding.viterbi.Dense.decode`: scores (n_words, n_tags) -> (n_words,)."""
    compiled = library_for(scores.size / 100)
    if moves is None or compiled is None:
        return None
    n = len(scores)
    scores = _checked(np.ascontiguousarray(scores), n, moves.n_tags)
    lengths, path = np.ascontiguousarray(lengths, np.int64), np.empty(n, np.int64)
    given = arguments(moves.struct, scores, n, lengths, len(lengths), path)
    return path if _done(compiled.senna_decode(*given)) else None


# --------------------------------------------------------------------- sums of rows, views


def sums(
    parts: Sequence[tuple[Floats, Ints]], bias: Floats | None, rectified: bool, out: Floats
) -> bool:
    """`senna.inference.exact.sums`: into out (n, units); IndexError for rows that are not there."""
    compiled = library_for(out.size * len(parts) / 5_000)
    if compiled is None:
        return False
    n, units = out.shape
    structs = (_Rows * len(parts))()
    kept = []
    for (table, rows), struct in zip(parts, structs, strict=True):
        kept += [np.ascontiguousarray(rows, np.int64)]
        struct.table, struct.n_rows = _of(table, len(table), units), len(table)
        struct.rows = _of(kept[-1], n, dtype=np.int64)
    bias = bias if bias is None else _checked(bias, units)
    of = structs, len(parts), bias, rectified
    if compiled.senna_sums(*arguments(*of, n, units, _checked(out, n, units))):
        raise IndexError("rows that a table does not have")
    return True


def views(constituents: Ints, predicates: Ints) -> Ints | None:
    """Compute `kinds.roles.head.view` of some predicates, (2, n_words).

    constituents (n_constituents, 4): first word, end, rows of the highest and of the lowest label,
    those of a sentence one after another; predicates (n_predicates, 6): place, words of the
    sentence, first and number of those looked at, first and end of the sentence's constituents.
    None of constituents that do not lie in their sentence.
    """
    compiled = library()
    if compiled is None:
        return None
    words, first, seen, begin, end = predicates[:, 1:].T
    if predicates.min(initial=0) < 0 or (first > words).any() or (seen > words - first).any():
        raise ValueError("words beyond a sentence")
    if words.max(initial=0) > LONGEST:
        raise ValueError(f"a sentence beyond {LONGEST} words")
    if (end - begin).min(initial=0) < 0 or end.max(initial=0) > len(constituents):
        raise ValueError("constituents that are not there")
    out = np.empty((2, int(seen.sum())), np.int64)
    n = len(predicates)
    constituents = _checked(constituents, len(constituents), 4, dtype=np.int64)
    predicates = _checked(predicates, n, 6, dtype=np.int64)
    return None if compiled.senna_views(*arguments(constituents, predicates, n, *out)) else out


# -------------------------------------------------------------------------------- forms


class Characters:
    """The products of letters with the filters of a convolution."""

    def __init__(self, tables: Floats, bias: Floats) -> None:
        """tables (width, n_letters, filters), those of letter 0 zeros; bias (filters,)."""
        width, n_letters, filters = tables.shape
        if len(bias) != filters or width % 2 == 0:
            raise ValueError(f"{len(bias)} numbers for {filters} filters of {width} letters")
        padded = filters + -filters % LANES
        self.n_letters, self.filters = n_letters, filters
        self.tables = np.zeros((width, n_letters, padded), np.float32)
        self.tables[:, :, :filters] = tables
        self.bias = np.zeros(padded, np.float32)
        self.bias[:filters] = bias

    @classmethod
    def of(cls, tables: Floats, bias: Floats) -> Characters | None:
        """See the class; None of sums that may overflow, or without a kernel."""
        if library() is None or not tables.size or not np.abs(tables).max() < 1e30:
            return None
        return cls(tables, bias)


def characters(letters: Characters | None, rows: NDArray[np.int32]) -> Floats | None:
    """`senna.inference.lookup.Letters`: rows (n_forms, longest), 0 after a form's last letter."""
    n, longest = rows.shape
    compiled = library_for(n)
    if letters is None or compiled is None:
        return None
    rows = np.ascontiguousarray(rows)
    if rows.min(initial=0) < 0 or rows.max(initial=0) >= letters.n_letters:
        raise ValueError(f"letters beyond {letters.n_letters}")
    out = np.zeros((n, len(letters.bias)), np.float32)
    tables = letters.tables, letters.bias, *letters.tables.shape
    rows = _checked(rows, n, longest, dtype=np.int32)
    compiled.senna_characters(*arguments(*tables, rows, n, longest, out))
    return out[:, : letters.filters]


# -------------------------------------------------------------------------------- trees


def best_trees(first: Floats, last: Floats, starts: Ints, lengths: Ints) -> Ints | None:
    """`senna.kinds.trees.head.best_trees`: (2, n_spans), their first and last words.

    first, last (n_words, units); starts, lengths (n_sentences,) of sentences in them.
    """
    compiled = library()
    if compiled is None:
        return None
    n, units = first.shape
    starts, lengths = (np.ascontiguousarray(array, np.int64) for array in (starts, lengths))
    if min(starts.min(initial=0), lengths.min(initial=1) - 1) < 0 or starts.shape != lengths.shape:
        raise ValueError("sentences without words")
    if (starts > n).any() or (lengths > n - starts).any():
        raise ValueError(f"sentences beyond {n} words")
    spans = np.empty((2, int((2 * lengths - 1).sum())), np.int64)
    words = _checked(first, n, units), _checked(last, n, units), units
    given = arguments(*words, starts, lengths, len(lengths), *spans)
    return None if compiled.senna_best_trees(*given) else spans
