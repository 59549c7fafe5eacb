"""Matrix products that are the same bits everywhere: of whole numbers, so exact in float32.

BLAS libraries add up in different orders, and so round differently from one processor, one shape
of matrices or one number of threads to the next. A sum of whole numbers does not round at all while
every partial sum stays below 2 ** 24. So activations become whole numbers up to `LEVELS`, and each
column of a weight matrix whole numbers whose magnitudes sum to at most 2 ** 24 / `LEVELS`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

LEVELS = 255  # magnitude of the largest activation, as a whole number
LIMIT = 2**24 - 1  # whole numbers up to it are exact in float32
BLOCK = 256  # rows of a product: it stays in cache
TINY = np.float32(1e-5)  # added to variances, as torch's layer norm does


@dataclass(frozen=True, eq=False)
class Weights:
    """A weight matrix (n_in, n_out): whole numbers, times one number a column."""

    numbers: Floats  # (n_in, n_out), whole
    scale: Floats  # (n_out,)

    @classmethod
    def of(cls, weights: NDArray[np.floating], unit: float = 1.0) -> Weights:
        """Weights for activations that count in units of `unit`."""
        sums = np.abs(weights).sum(axis=0, dtype=np.float64)
        room = LIMIT / LEVELS - len(weights) / 2  # each number may be rounded up by a half
        # A power of two more or less would do; three digits keep most of the room, and do not
        # depend on the order in which the sums above were made.
        factor = _three_digits(room / np.maximum(sums, 1e-30))
        numbers = np.rint(np.asarray(weights, np.float32) * factor)
        return cls(np.ascontiguousarray(numbers), np.float32(unit) / factor)

    @property
    def shape(self) -> tuple[int, int]:
        """(n_in, n_out)."""
        return self.numbers.shape[0], self.numbers.shape[1]

    def apply(self, x: Floats, out: Floats | None = None) -> Floats:
        """x (n, n_in) of whole numbers up to `LEVELS` -> the product (n, n_out), into `out`."""
        if out is None:
            out = np.empty((len(x), self.numbers.shape[1]), np.float32)
        for start in range(0, len(x), BLOCK):
            own = out[start : start + BLOCK]
            np.matmul(x[start : start + BLOCK], self.numbers, out=own)
            own *= self.scale
        return out


def _three_digits(x: NDArray[np.float64]) -> Floats:
    """Rounded down to eleven bits."""
    mantissa, exponent = np.frexp(x)
    found: Floats = np.ldexp(np.floor(mantissa * 2048), exponent - 11).astype(np.float32)
    return found


def whole(x: Floats) -> tuple[Floats, Floats]:
    """Rows of x (n, m) as whole numbers up to `LEVELS`, and what one of them is worth, (n, 1)."""
    top = np.maximum(x.max(axis=1), -x.min(axis=1))
    np.maximum(top, np.float32(1e-20), out=top)
    numbers = x * (np.float32(LEVELS) / top)[:, None]
    np.rint(numbers, out=numbers)
    top /= np.float32(LEVELS)
    return numbers, top[:, None]


def product(x: Floats, weights: Weights, out: Floats | None = None) -> Floats:
    """x (n, n_in) @ weights (n_in, n_out), each row of x in whole numbers; into `out` if given."""
    if out is None:
        out = np.empty((len(x), weights.numbers.shape[1]), np.float32)
    for start in range(0, len(x), BLOCK):
        numbers, worth = whole(x[start : start + BLOCK])
        own = weights.apply(numbers, out[start : start + BLOCK])
        own *= worth
    return out


# ------------------------------------------------------------- what NumPy's builds do differently


def row_sums(x: Floats) -> Floats:
    """The sum of each row of x (n, m), (n,), in an order of its own; x is used up."""
    m = x.shape[1]
    while m > 1:
        half = m // 2
        x[:, :half] += x[:, m - half : m]
        m -= half
    return x[:, 0]


# tanh(x) is near FACTOR x (y^2 + P1 y + P0) / (y^2 + Q1 y + Q0), y = x^2, and 1 where that is more.
_P0, _P1, _Q0, _Q1 = (np.float32(n) for n in (1006.1416, 114.17405, 62.040583, 27.799616))
_FACTOR = np.float32(0.061685271)


def tanh(x: Floats, buffers: Floats) -> None:
    """The hyperbolic tangent in place, to 3e-4; buffers (2, *x.shape).

    A quotient of polynomials: every operation in it is rounded in one way only.
    """
    square, other = buffers
    np.multiply(x, x, out=square)
    np.add(square, _P1, out=other)
    other *= square
    other += _P0
    x *= other
    np.add(square, _Q1, out=other)
    other *= square
    other += _Q0
    x /= other
    x *= _FACTOR
    np.minimum(x, 1, out=x)
    np.maximum(x, -1, out=x)


def normalise(x: Floats, out: Floats) -> None:
    """Each row of x (n, m) brought to mean 0 and variance 1, into out, which may be x."""
    n = np.float32(x.shape[1])
    np.subtract(x, (row_sums(x.copy()) / n)[:, None], out=out)
    spread = row_sums(out * out) / n
    spread += TINY
    np.sqrt(spread, out=spread)
    out /= spread[:, None]
