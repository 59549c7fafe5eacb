"""Gated convolutions over the words of sentences, as products of whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from senna.inference.exact import (
    FACTOR,
    LEVELS,
    Floats,
    Weights,
    gate,
    normalise,
    whole,
)
from senna.inference.kernel import calls
from senna.inference.workspace import Ints
from senna.model.folder import ModelFolder
from senna.model.schema import damaged

BLOCK = 128  # rows of every matrix product of a convolution; of small ones more, see `convolve`


LARGEST = 8.0  # normalised units beyond it are cut


UNIT = LARGEST / LEVELS  # of normalised units, as whole numbers


class Convolution:
    """One gated convolution; its weights are one matrix, or the product of two."""

    def __init__(
        self, folder: ModelFolder, name: str, units: int, width: int, dilation: int
    ) -> None:
        self.width, self.dilation = width, dilation
        # A sigmoid is half a hyperbolic tangent of the half: a / (1 + exp(-b)) is
        # a / 2 (1 + tanh(b / 2)).
        halves = np.repeat(np.array([0.5 * FACTOR, 0.5], np.float32), units)
        self.bias = folder.array(f"{name}.bias", 2 * units) * halves
        self.down: Weights | None = None
        if folder.has(f"{name}.weight.npy"):
            up = folder.array(f"{name}.weight", width * units, 2 * units)
        else:
            down = folder.array(f"{name}.down.weight", width * units, None)
            if not down.shape[1]:
                raise damaged("factors of rank 0", folder.path / f"{name}.down.weight.npy")
            # Columns brought to one sum need no scale of their own: what goes between the two
            # products is counted anew anyway.
            sums = np.maximum(calls.magnitudes(down), 1e-20).astype(np.float32)
            self.down = Weights.of(down / sums, UNIT, alike=True)
            up = folder.array(f"{name}.up.weight", len(sums), 2 * units) * sums[:, None]
        self.up = Weights.of(up * halves, UNIT if self.down is None else 1.0, alike=True)

    @property
    def packed(self) -> calls.Layer | None:
        """The same for the compiled kernel; None where it cannot have it."""
        down = None if self.down is None else self.down.packed
        if self.up.packed is None or (self.down is not None and down is None):
            return None
        return calls.Layer(down, self.up.packed, self.bias, self.width, self.dilation)

    def __call__(self, x: Floats, out: Floats) -> None:
        """x (n, width * units), whole numbers in `UNIT`: (n, 2 units), values and their gates."""
        worth = self.up.scale[:1]
        if self.down is not None:
            x, units = whole(x @ self.down.numbers)
            worth = units * (self.down.scale[0] * worth)
        np.matmul(x, self.up.numbers, out=out)
        out *= worth
        out += self.bias


class Convolutions:
    """The layers of a name in a model folder, over `units` numbers per word."""

    def __init__(
        self, folder: ModelFolder, name: str, units: int, width: int, dilations: Sequence[int]
    ) -> None:
        self.layers = [
            Convolution(folder, f"{name}-{i}", units, width, dilation)
            for i, dilation in enumerate(dilations)
        ]
        self.units = units
        self._compile()

    def _compile(self) -> None:
        packed = [layer.packed for layer in self.layers]
        fitting = [layer for layer in packed if layer is not None]
        self.compiled = calls.Layers(fitting, self.units) if len(fitting) == len(packed) else None

    def __getstate__(self) -> dict[str, Any]:
        """The state for another process, which may have another kernel."""
        return {"layers": self.layers, "units": self.units}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state
        self._compile()

    def __call__(self, x: Floats, lengths: Ints) -> None:
        """All layers over some sentences, x (n_words, units) in place."""
        if not calls.convolve(self.compiled, x, lengths):
            convolve(self.layers, x, lengths)


def convolve(layers: Sequence[Convolution], x: Floats, lengths: Ints) -> None:
    """All layers over some sentences, x (n_words, units) in place; at last each row normalised."""
    n, units = x.shape
    normal = np.zeros((n + 1, units), np.float32)  # the last row stands for no word
    shapes = {(layer.width, layer.dilation) for layer in layers}
    rows = {shape: neighbours(lengths, *shape) for shape in shapes}
    # Fresh memory for each block would cost more than what is computed in it.
    block = BLOCK * max(1, 384 // units)
    buffers, y = np.empty((2, block, units), np.float32), np.empty((block, 2 * units), np.float32)
    for layer in layers:
        inner = normal[:n]
        normalise(x, inner, 1 / UNIT)
        np.rint(inner, out=inner)
        np.clip(inner, -LEVELS, LEVELS, out=inner)
        index = rows[layer.width, layer.dilation]
        windows = np.empty((block, layer.width, units), np.float32)
        for start in range(0, n, block):
            m = min(block, n - start)
            np.take(normal, index[start : start + m], axis=0, out=windows[:m], mode="clip")
            layer(windows[:m].reshape(m, -1), y[:m])
            x[start : start + m] += gate(y[:m, :units], y[:m, units:], buffers[:, :m])
    normalise(x, x)


def neighbours(lengths: Ints, width: int, dilation: int) -> Ints:
    """Rows of the words that each word's convolution sees, (n, width); n: no word is there."""
    n = int(lengths.sum())
    ends = np.repeat(np.cumsum(lengths), lengths)[:, None]
    starts = ends - np.repeat(lengths, lengths)[:, None]
    rows = np.arange(n)[:, None] + dilation * (np.arange(width) - width // 2)
    return np.where((rows >= starts) & (rows < ends), rows, n)
