"""Inference with real numbers: what makes the same bits everywhere, switched off.

Tagging rounds activations and weights to whole numbers (see `senna.inference.exact`), so that its
scores differ from PyTorch's by a few percent, and mistakes as small would not be seen. Without
the rounding the two differ by what float32 loses.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from senna.inference import exact as products
from senna.inference.exact import FACTOR, TINY, Floats
from senna.inference.kernel.library import OFF
from tests.inference.kernel.twins import at

RELATIVE = 1e-5  # of the largest score; a few times that where normalised units hardly differ


def _unrounded(x: Floats, out: Floats | None = None) -> Floats:
    if out is None:
        return np.array(x)
    np.copyto(out, x)
    return out


def _gate(value: Floats, x: Floats, buffers: Floats) -> Floats:
    return ((1 + np.tanh(x.astype(np.float64))) * value / FACTOR).astype(np.float32)


def _normalise(x: Floats, out: Floats, deviation: float = 1.0) -> None:
    wide = x - x.mean(axis=1, keepdims=True, dtype=np.float64)
    out[:] = deviation * wide / np.sqrt((wide * wide).mean(axis=1, keepdims=True) + TINY)


PATCHED = ("senna.inference", "senna.decoding", "senna.kinds", "senna.inference.networks")


@contextmanager
def without_rounding() -> Iterator[None]:
    """Networks loaded and used within this compute with real numbers."""
    replaced = {
        products.gate: _gate,
        products.normalise: _normalise,
        products.rounded: _unrounded,
    }
    with at(OFF), pytest.MonkeyPatch.context() as patch:
        patch.setattr(np, "rint", _unrounded)  # all rounding goes through it
        for name, module in list(sys.modules.items()):
            if name.startswith(PATCHED):
                for attribute, value in list(vars(module).items()):
                    if callable(value) and value in replaced:
                        patch.setattr(module, attribute, replaced[value])
        yield


def assert_same(scores: Floats, expected: Floats) -> None:
    """Equal but for what float32 loses."""
    scale = max(1.0, np.abs(expected).max(initial=0))
    np.testing.assert_allclose(scores, expected, rtol=0, atol=4 * RELATIVE * scale)
    assert np.abs(scores - expected).mean() < RELATIVE * scale if len(scores) else True
