"""The gated network at tagging time: an encoder that runs once a sentence, and what reads it.

Each layer adds to a word's units a convolution of the normalised units of `width` words, some
`dilation` apart, gated by another such convolution. Roles of a predicate p and a word w then begin
with one sum, ReLU(A h_w + B h_p + d[w - p]); smaller layers run over the words for each predicate.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from senna.infer.first_layer import Block, Floats, Forms, Ints
from senna.infer.lookup import WordTable, product
from senna.infer.model_folder import ModelFolder
from senna.infer.network import Head, Tagger
from senna.infer.roles import RoleOutput

BLOCK = 128  # rows of every matrix product of a convolution
GROUP = 1_024  # words encoded together: all their units stay in cache
TINY = np.float32(1e-5)  # added to variances, as torch's layer norm does


@dataclass(frozen=True)
class Layer:
    """One gated convolution: (width * units, 2 units), or two factors of it; bias (2 units,)."""

    factors: list[Floats]
    bias: Floats
    width: int
    dilation: int


class GatedTagger(Tagger):
    """The gated network of a model folder."""

    def __init__(self, folder: ModelFolder, words: WordTable, forms: Forms) -> None:
        network = folder.meta["network"]["gated"]
        super().__init__(folder, words, forms, 1, network["units"])
        self.layers = _layers(folder, "gated", network["dilations"])
        self.heads = {task: Head(folder, task, []) for task in self.tasks if task != "srl"}
        if "srl" in self.tasks:
            self.output = RoleOutput(folder)
            self.of_word = np.ascontiguousarray(folder.array("srl.word.weight"))
            self.word_bias = folder.array("srl.word.bias")
            self.of_predicate = np.ascontiguousarray(folder.array("srl.predicate.weight"))
            self.distance = folder.array("srl.distance", 2 * network["distance"] + 1)
            self.pair_layers = _layers(folder, "srl.gated", network["pair_dilations"])
        self._last: tuple[Ints, Floats] | None = None

    def emissions(self, block: Block, tasks: Collection[str] | None = None) -> dict[str, Floats]:
        """See `Tagger.emissions`."""
        x = self.encode(block)
        return {
            task: head.scores(x)
            for task, head in self.heads.items()
            if tasks is None or task in tasks
        }

    def roles(self, block: Block, predicates: Sequence[Sequence[int]]) -> list[list[list[str]]]:
        """See `Tagger.roles`."""
        if not any(predicates):
            return [[] for _ in predicates]
        x = self.encode(block)
        words = product(x, self.of_word)
        words += self.word_bias
        starts = np.cumsum(block.lengths) - block.lengths
        clip = len(self.distance) // 2

        def pairs(sentences: Ints, positions: Ints, steps: Ints, owners: Ints) -> Floats:
            first = starts[sentences]
            own = product(x[first + positions], self.of_predicate)
            found: Floats = np.take(words, first[owners] + steps, axis=0)
            more = np.take(own, owners, axis=0)
            found += more
            away = np.clip(steps - positions[owners], -clip, clip)
            np.take(self.distance, away + clip, axis=0, out=more, mode="clip")
            found += more
            np.maximum(found, 0, out=found)
            convolve(self.pair_layers, found, block.lengths[sentences])
            return found

        return self.output.decode(predicates, block.lengths, pairs)

    def encode(self, block: Block) -> Floats:
        """The encoder's units of all words, (n_words, units).

        Those of the last text are kept: tags and then roles of it cost one run.
        """
        if self._last is not None and self._last[0] is block.flat:
            return self._last[1]
        x, lengths = self.first(block), block.lengths
        ends = np.cumsum(lengths)
        first = start = 0
        for i, end in enumerate(ends.tolist()):
            if end - start >= GROUP or i + 1 == len(ends):
                convolve(self.layers, x[start:end], lengths[first : i + 1])
                first, start = i + 1, end
        self._last = block.flat, x
        return x


def _layers(folder: ModelFolder, name: str, dilations: Sequence[int]) -> list[Layer]:
    width = folder.meta["network"]["gated"]["width"]
    return [_layer(folder, f"{name}-{i}", width, d) for i, d in enumerate(dilations)]


def _layer(folder: ModelFolder, name: str, width: int, dilation: int) -> Layer:
    names = [name] if folder.has(f"{name}.weight.npy") else [f"{name}.down", f"{name}.up"]
    factors = [np.array(folder.array(f"{own}.weight")) for own in names]
    factors[-1] *= np.float32(0.5)
    return Layer(factors, folder.array(f"{name}.bias") * np.float32(0.5), width, dilation)


def convolve(layers: Sequence[Layer], x: Floats, lengths: Ints) -> None:
    """All layers over some sentences, x (n_words, units) in place; at last each row normalised."""
    n, units = x.shape
    normal = np.zeros((n + 1, units), np.float32)  # the last row stands for no word
    shapes = {(layer.width, layer.dilation) for layer in layers}
    rows = {shape: neighbours(lengths, *shape) for shape in shapes}
    y = np.empty((BLOCK, 2 * units), np.float32)
    value, gate = y[:, :units], y[:, units:]
    for layer in layers:
        normalise(x, normal[:n])
        index = rows[layer.width, layer.dilation]
        windows = np.empty((BLOCK, layer.width, units), np.float32)
        flat = windows.reshape(BLOCK, layer.width * units)
        for start in range(0, n, BLOCK):
            np.take(normal, index[start : start + BLOCK], axis=0, out=windows, mode="clip")
            left = flat
            for weights in layer.factors[:-1]:
                left = left @ weights
            np.matmul(left, layer.factors[-1], out=y)
            y += layer.bias
            # The weights are halved: a / (1 + exp(-b)) is a / 2 (1 + tanh(b / 2)).
            np.tanh(gate, out=gate)
            gate += 1
            gate *= value
            end = min(start + BLOCK, n)
            x[start:end] += gate[: end - start]
    normalise(x, x)


def neighbours(lengths: Ints, width: int, dilation: int) -> Ints:
    """Rows of the words that each word's convolution sees, (n, width); n_words: no word is there.

    Rows are added until there are whole blocks of them; they see nothing.
    """
    n = int(lengths.sum())
    ends = np.repeat(np.cumsum(lengths), lengths)[:, None]
    starts = ends - np.repeat(lengths, lengths)[:, None]
    rows = np.arange(n)[:, None] + dilation * (np.arange(width) - width // 2)
    found = np.full((n + -n % BLOCK, width), n, np.int64)
    found[:n] = np.where((rows >= starts) & (rows < ends), rows, n)
    return found


def normalise(x: Floats, out: Floats) -> None:
    """Each row of x (n, units) brought to mean 0 and variance 1, into out."""
    np.subtract(x, x.mean(axis=1, keepdims=True), out=out)
    spread = np.einsum("ij,ij->i", out, out)
    spread /= np.float32(x.shape[1])
    spread += TINY
    np.sqrt(spread, out=spread)
    out /= spread[:, None]
