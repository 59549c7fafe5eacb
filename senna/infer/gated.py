"""The gated network at tagging time: an encoder that runs once a sentence, and what reads it.

Each layer adds to a word's units a convolution of the normalised units of `width` words, some
`dilation` apart, gated by another such convolution. Roles of a predicate p and a word w then cost
one sum, ReLU(A h_w + B h_p + d[w - p]), and one output layer.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from senna.infer.first_layer import Block, Floats, Forms, Ints
from senna.infer.lookup import BLOCK, WordTable, product
from senna.infer.model_folder import ModelFolder
from senna.infer.network import Head, Tagger
from senna.infer.roles import RoleOutput

GROUP = 1_024  # words encoded together: all their units stay in cache
TINY = np.float32(1e-5)  # added to variances, as torch's layer norm does


@dataclass(frozen=True)
class Layer:
    """One gated convolution: (width * units, 2 units), or two factors of it; bias (2 units,)."""

    factors: list[Floats]
    bias: Floats
    dilation: int


class GatedTagger(Tagger):
    """The gated network of a model folder."""

    def __init__(self, folder: ModelFolder, words: WordTable, forms: Forms) -> None:
        network = folder.meta["network"]
        self.units: int = network["units"]
        self.width: int = network["width"]
        super().__init__(folder, words, forms, 1, self.units)
        self.layers = [_layer(folder, i, d) for i, d in enumerate(network["dilations"])]
        self.heads = {task: Head(folder, task, []) for task in self.tasks if task != "srl"}
        if "srl" in self.tasks:
            self.output = RoleOutput(folder)
            self.of_word = np.ascontiguousarray(folder.array("srl.word.weight"))
            self.word_bias = folder.array("srl.word.bias")
            self.of_predicate = np.ascontiguousarray(folder.array("srl.predicate.weight"))
            self.distance = folder.array("srl.distance", 2 * network["distance"] + 1)
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
                self._encode(x[start:end], lengths[first : i + 1])
                first, start = i + 1, end
        self._last = block.flat, x
        return x

    def _encode(self, x: Floats, lengths: Ints) -> None:
        """All layers over some sentences, x (n_words, units) in place."""
        n = len(x)
        normal = np.zeros((n + 1, self.units), np.float32)  # the last row stands for no word
        rows = {
            dilation: neighbours(lengths, self.width, dilation)
            for dilation in {layer.dilation for layer in self.layers}
        }
        windows = np.empty((BLOCK, self.width * self.units), np.float32)
        view = windows.reshape(BLOCK, self.width, self.units)
        y = np.empty((BLOCK, 2 * self.units), np.float32)
        value, gate = y[:, : self.units], y[:, self.units :]
        for layer in self.layers:
            normalise(x, normal[:n])
            index = rows[layer.dilation]
            for start in range(0, n, BLOCK):
                here = index[start : start + BLOCK]
                np.take(normal, here, axis=0, out=view, mode="clip")
                left = windows
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


def _layer(folder: ModelFolder, number: int, dilation: int) -> Layer:
    name = f"gated-{number}"
    names = [name] if folder.has(f"{name}.weight.npy") else [f"{name}.down", f"{name}.up"]
    factors = [np.array(folder.array(f"{own}.weight")) for own in names]
    factors[-1] *= np.float32(0.5)
    return Layer(factors, folder.array(f"{name}.bias") * np.float32(0.5), dilation)


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
