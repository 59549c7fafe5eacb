"""The gated network at tagging time: an encoder that runs once a sentence, and what reads it.

Each layer adds to a word's units a convolution of the normalised units of `width` words, some
`dilation` apart, gated by another such convolution. Roles of a predicate p and a word w then begin
with one sum, ReLU(A h_w + B h_p + d[w - p]); smaller layers run over the words for each predicate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from senna.infer.decode.levels import LevelHead
from senna.infer.decode.trees import SpanHead, TreeHead
from senna.infer.heads import Pairs, RoleHead, TagHead
from senna.infer.labels import LabelHead
from senna.infer.lookup import WordTable
from senna.infer.network import Network
from senna.infer.products import (
    FACTOR,
    LEVELS,
    Floats,
    Weights,
    gate,
    normalise,
    product,
    sums,
    whole,
)
from senna.infer.workspace import Block, Ints, Workspace
from senna.kernel import calls
from senna.model.folder import ModelFolder
from senna.text.trees.views import sizes
from senna.toml import FAR, SIZE, build, choice, number

BLOCK = 128  # rows of every matrix product of a convolution; of small ones more, see `convolve`
GROUP = 1_024  # words encoded together: all their units stay in cache
LARGEST = 8.0  # normalised units beyond it are cut
UNIT = LARGEST / LEVELS  # of normalised units, as whole numbers


@dataclass(frozen=True)
class GatedConfig:
    """Gated convolutions, once a sentence; for roles a few more, for each predicate."""

    units: int = number(300, 1, SIZE, stored=True)  # of the encoder
    width: int = number(3, 1, FAR, odd=True, stored=True)  # words each convolution sees
    dilations: tuple[int, ...] = number(
        (1, 2, 4, 8, 1, 2), 1, FAR, stored=True
    )  # how far apart they are
    distance: int = number(30, 1, FAR, stored=True)  # roles: farther words count as so far away
    pair: int = number(200, 1, SIZE)  # roles: units of a predicate and a word together
    # roles: convolutions for each predicate
    pair_dilations: tuple[int, ...] = number((1, 2, 4), 1, FAR, empty=True, stored=True)


@dataclass(frozen=True)
class TreeConfig:
    """What the task of trees has above the encoder."""

    # scores of spans and the best tree by them, or levels of constituents, from the words up
    parser: str = choice("spans", "spans", "levels")
    units: int = number(200, 1, 256)  # spans: of a span's first and of its last word
    labels: int = number(200, 1, SIZE)  # spans: of the layer below the labels
    node: int = number(160, 1, SIZE)  # levels: units of a node, a constituent or word
    # levels: how far apart the nodes are that each of its convolutions sees
    node_dilations: tuple[int, ...] = number((1, 2), 1, FAR, empty=True, stored=True)
    widest: int = number(10, 1, FAR)  # levels: nodes of more words count as so wide


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
            # Columns brought to one sum need no scale of their own: what goes between the two
            # products is counted anew anyway.
            sums = np.maximum(np.abs(down).sum(axis=0, dtype=np.float64), 1e-20).astype(np.float32)
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
    """The layers of a name in a model folder, over `units` numbers a word."""

    def __init__(
        self, folder: ModelFolder, name: str, units: int, width: int, dilations: Sequence[int]
    ) -> None:
        self.layers = [
            Convolution(folder, f"{name}-{i}", units, width, dilation)
            for i, dilation in enumerate(dilations)
        ]
        packed = [layer.packed for layer in self.layers]
        fitting = [layer for layer in packed if layer is not None]
        self.compiled = calls.Layers(fitting, units) if len(fitting) == len(packed) else None

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


class GatedRoles(RoleHead):
    """Roles of words for predicates."""

    def __init__(self, folder: ModelFolder, task: str, settings: GatedConfig) -> None:
        self.word_bias = folder.array(f"{task}.word.bias", None)
        pair = len(self.word_bias)
        super().__init__(folder, task, pair)
        self.of_word = Weights.of(folder.array(f"{task}.word.weight", settings.units, pair))
        of_predicate = folder.array(f"{task}.predicate.weight", settings.units, pair)
        self.of_predicate = Weights.of(of_predicate)
        self.distance = folder.array(f"{task}.distance", 2 * settings.distance + 1, pair)
        self.views: tuple[Floats, ...] = ()
        if self.labels:
            both = zip(("beside", "above"), sizes(len(self.labels)), strict=True)
            self.views = tuple(folder.array(f"{task}.{name}", n, pair) for name, n in both)
        dilations = settings.pair_dilations
        self.layers = Convolutions(folder, f"{task}.gated", pair, settings.width, dilations)

    def hidden(self, x: Floats, lengths: Ints) -> Floats:
        words = product(x, self.of_word)
        words += self.word_bias
        return words

    def pairs(self, x: Floats, hidden: Floats, pairs: Pairs) -> Floats:
        predicates = product(x[pairs.places], self.of_predicate)
        clip = len(self.distance) // 2
        away = np.clip(pairs.away, -clip, clip) + clip
        parts = [(hidden, pairs.words), (predicates, pairs.owners), (self.distance, away)]
        parts += zip(self.views, () if pairs.views is None else pairs.views, strict=True)
        units = sums(parts, rectified=True)
        self.layers(units, pairs.lengths)
        return units


def _trees(folder: ModelFolder, task: str, settings: GatedConfig) -> TreeHead:
    """The parser of a model: by levels if it has a table `network.tree`, otherwise by spans."""
    table, where = folder.meta["network"].get("tree"), str(folder.path / "model.toml")
    if table is None:
        return SpanHead(folder, task, settings.units)
    tree = build(TreeConfig, table, where=where, key="network.tree", strict=False)
    bias = folder.array(f"{task}.first.bias", None)
    name, width = f"{task}.gated", settings.width
    layers = Convolutions(folder, name, len(bias), width, tree.node_dilations)
    return LevelHead(folder, task, settings.units, layers)


class GatedNetwork(Network):
    """The encoder, and a head a task."""

    SETTINGS: ClassVar = GatedConfig

    def __init__(self, folder: ModelFolder, words: WordTable, settings: GatedConfig) -> None:
        units, width = settings.units, settings.width
        super().__init__(folder, words, 1, units)
        self.layers = Convolutions(folder, "gated", units, width, settings.dilations)
        self.add_heads(
            tags=lambda folder, task: TagHead(folder, task, units),
            roles=lambda folder, task: GatedRoles(folder, task, settings),
            trees=lambda folder, task: _trees(folder, task, settings),
            labels=lambda folder, task: LabelHead(folder, task, units),
        )

    def encode(self, block: Block, space: Workspace) -> Floats:
        x, lengths = self.first(block, space), block.lengths
        ends = np.cumsum(lengths)
        first = start = 0
        for i, end in enumerate(ends.tolist()):
            if end - start >= GROUP or i + 1 == len(ends):
                self.layers(x[start:end], lengths[first : i + 1])
                first, start = i + 1, end
        return x
