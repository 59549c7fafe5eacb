"""Matrix products that are the same bits everywhere: of whole numbers, so exact in float32.

BLAS libraries add up in different orders, and so round differently from one processor, one shape
of matrices or one number of threads to the next. A sum of whole numbers does not round at all while
every partial sum stays below 2 ** 24. So activations become whole numbers up to `LEVELS`, and each
column of a weight matrix whole numbers whose magnitudes sum to at most 2 ** 24 / `LEVELS`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from senna.inference.kernel import calls
from senna.inference.kernel.calls import Packed

if TYPE_CHECKING:
    from senna.model.folder import ModelFolder

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

LEVELS = 255  # magnitude of the largest activation, as a whole number
LIMIT = 2**24 - 1  # whole numbers up to it are exact in float32
BLOCK = 256  # rows of a product: it stays in cache
UNITS = LIMIT // LEVELS**2  # so many products of two activations have an exact sum
TINY = 1e-5  # added to variances, as torch's layer norm does


class Weights:
    """A weight matrix (n_in, n_out): whole numbers, times one number per column.

    They are kept once: packed for the compiled kernel, or as NumPy has them.
    """

    def __init__(self, weights: Floats, factor: Floats, scale: Floats) -> None:
        """weights (n_in, n_out), rounded once each column is multiplied by its factor (n_out,).

        scale (n_out,): the number by which whole numbers of a column are multiplied.
        """
        self.shape: tuple[int, int] = (weights.shape[0], weights.shape[1])
        self.scale = scale
        self.packed = Packed.of(weights, factor, scale)
        self._numbers: Floats | None = None
        if self.packed is None:
            self._numbers = rounded(weights * factor)

    def __getstate__(self) -> dict[str, Any]:
        """The state for another process, which may have another kernel."""
        return {"weights": self.numbers, "factor": np.ones_like(self.scale), "scale": self.scale}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]

    @property
    def numbers(self) -> Floats:
        """(n_in, n_out), whole."""
        if self.packed is not None:
            return self.packed.numbers
        assert self._numbers is not None
        return self._numbers

    @classmethod
    def of(cls, weights: NDArray[np.floating], unit: float = 1.0, alike: bool = False) -> Weights:
        """Weights for activations that count in units of `unit`; `alike`: one scale for all."""
        weights = np.ascontiguousarray(weights, np.float32)
        sums = calls.magnitudes(weights)
        if alike:
            sums[:] = sums.max(initial=0)
        # Each number may be rounded up by a half, and then by a 256th.
        room = (LIMIT / LEVELS - len(weights) / 2) / (1 + 2**-8)
        # A power of two more or less would do; three digits keep most of the room, and do not
        # depend on the order in which the sums above were made.
        factor = _three_digits(room / np.maximum(sums, 1e-30))
        return cls(weights, factor, np.float32(unit) / factor)

    def apply(self, x: Floats, out: Floats | None = None) -> Floats:
        """x (n, n_in) of whole numbers up to `LEVELS` -> the product (n, n_out), into `out`."""
        if out is None:
            out = np.empty((len(x), self.shape[1]), np.float32)
        if calls.product(self.packed, x, out, whole=True):
            return out
        numbers = self.numbers
        for start in range(0, len(x), BLOCK):
            rows = out[start : start + BLOCK]
            np.matmul(x[start : start + BLOCK], numbers, out=rows)
            rows *= self.scale
        return out


def rounded(x: Floats) -> Floats:
    """Whole numbers near x, of at most eight significant bits: half a float32 has them."""
    bits = np.rint(x).view(np.uint32)
    bits += 0x7FFF + (bits >> 16 & 1)
    bits &= 0xFFFF0000
    return bits.view(np.float32)


def _three_digits(x: NDArray[np.float64]) -> Floats:
    """Rounded down to eleven bits."""
    mantissa, exponent = np.frexp(x)
    numbers: Floats = np.ldexp(np.floor(mantissa * 2048), exponent - 11).astype(np.float32)
    return numbers


def whole(x: Floats) -> tuple[Floats, Floats]:
    """Rows of x (n, m) as whole numbers up to `LEVELS`, and what one of them is worth, (n, 1)."""
    top = np.abs(x).max(axis=1)
    np.maximum(top, np.float32(1e-20), out=top)
    numbers = x * (np.float32(LEVELS) / top)[:, None]
    np.rint(numbers, out=numbers)
    top /= np.float32(LEVELS)
    return numbers, top[:, None]


def product(x: Floats, weights: Weights, bias: Floats | None = None) -> Floats:
    """x (n, n_in) @ weights (n_in, n_out), each row of x in whole numbers; plus bias (n_out,)."""
    out = np.empty((len(x), weights.shape[1]), np.float32)
    if calls.product(weights.packed, x, out, bias):
        return out
    for start in range(0, len(x), BLOCK):
        numbers, worth = whole(x[start : start + BLOCK])
        rows = weights.apply(numbers, out[start : start + BLOCK])
        rows *= worth
        if bias is not None:
            rows += bias
    return out


class Layer:
    """A linear layer of a model folder: weights in whole numbers, and a bias."""

    def __init__(self, folder: ModelFolder, name: str, n_in: int, n_out: int | None) -> None:
        self.weights = Weights.of(folder.array(f"{name}.weight", n_in, n_out))
        self.units = self.weights.shape[1]
        self.bias: Floats = folder.array(f"{name}.bias", self.units)

    def __call__(self, x: Floats, *, rectified: bool = False) -> Floats:
        """x (n, n_in) -> (n, n_out); `rectified`: 0 for what is below."""
        y = product(x, self.weights, self.bias)
        return np.maximum(y, 0, out=y) if rectified else y


def sums(
    parts: Sequence[tuple[Floats, Ints]],
    bias: Floats | None = None,
    *,
    rectified: bool = False,
    out: Floats | None = None,
) -> Floats:
    """Sums of rows of tables (n_rows, units): of each the rows of these numbers (n,), in turn.

    They begin with `bias` (units,), or with the first table; -1 is no row, but in that one.
    `rectified`: at last 0 for what is below. Into `out` (n, units) if given.
    """
    (table, rows), *_ = parts
    if out is None:
        out = np.empty((len(rows), table.shape[1]), np.float32)
    if calls.sums(parts, bias, rectified, out):
        return out
    if bias is None:
        np.take(table, rows, axis=0, out=out)
    else:
        out[:] = bias
    for table, rows in parts[bias is None :]:
        here = np.flatnonzero(rows >= 0)
        if len(here) == len(out):
            out += table[rows]
        elif len(here):
            out[here] += table[rows[here]]
    return np.maximum(out, 0, out=out) if rectified else out


# ------------------------------------------------------------- what NumPy's builds do differently


_COARSE = np.float32(768)  # from 512 to 1024 a float32 is a multiple of 2 ** -14

# tanh(x) is near FACTOR q, q = x (y^2 + P1 y + P0) / (y^2 + Q1 y + Q0), y = x^2, and 1 where that
# is more.
_P0, _P1, _Q0, _Q1 = (np.float32(n) for n in (1006.1416, 114.17405, 62.040583, 27.799616))
FACTOR = np.float32(0.061685271)


def gate(value: Floats | np.float32, x: Floats, buffers: Floats) -> Floats:
    """(1 + tanh(x)) value / `FACTOR`, to 3e-4 of value, in the second of the buffers.

    Buffers are (2, *x.shape); x is used up. A quotient of polynomials stands for the hyperbolic
    tangent: each of its operations is rounded in one way only.
    """
    square: Floats = buffers[0]
    gates: Floats = buffers[1]
    np.multiply(x, x, out=square)
    np.add(square, _P1, out=gates)
    gates *= square
    gates += _P0
    gates *= x
    np.add(square, _Q1, out=x)
    x *= square
    x += _Q0
    gates /= x
    np.clip(gates, -1 / FACTOR, 1 / FACTOR, out=gates)
    gates += 1 / FACTOR
    gates *= value
    return gates


def normalise(x: Floats, out: Floats, deviation: float = 1.0) -> None:
    """Each row of x (n, m) brought to mean 0 and a standard deviation, into out, which may be x.

    Sums are made of multiples of 2 ** -14 (beyond 256 of 2 ** -15, and so on), in double precision,
    which holds them exactly.
    """
    n, m = x.shape
    for start in range(0, n, BLOCK):
        block = x[start : start + BLOCK]
        coarse = block + _COARSE
        coarse -= _COARSE
        wide = coarse.astype(np.float64)
        mean = (wide @ np.ones(m)) / m
        square = np.einsum("ij,ij->i", wide, wide) / m
        scale = deviation / np.sqrt(square - mean * mean + TINY)
        np.subtract(coarse, mean.astype(np.float32)[:, None], out=out[start : start + BLOCK])
        out[start : start + BLOCK] *= scale.astype(np.float32)[:, None]
