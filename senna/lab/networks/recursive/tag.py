"""Recursive networks at tagging time: states of the nodes of parse trees, from the words up."""

from __future__ import annotations

from itertools import pairwise
from typing import ClassVar

import numpy as np

from senna.errors import SennaError
from senna.heads.labels import NodeHead
from senna.lab.networks.settings import LABELLED, RecursiveConfig
from senna.model.folder import ModelFolder
from senna.model.schema import AGAIN
from senna.networks.base import Network, layer_of
from senna.products.exact import Floats, Weights, product, sigmoid, tanh
from senna.products.lookup import WordTable
from senna.products.workspace import Block, Ints, Workspace
from senna.tasks import PARSER
from senna.text.trees.binary import Order, nodes_over

# Nodes composed together: of matrices and tensors at most 2 GROUP WIDEST^2 numbers. So words that
# are tagged together, with their states, take 350 MiB at most.
GROUP = 1_024
LARGEST = 8.0  # numbers of matrices beyond it are cut, so that those of deep trees stay finite
FINE = np.float32(2**14)  # products of states are counted in its inverse before they are summed


class Cell:
    """The state of a node; its first `units` numbers are its output."""

    n_word: ClassVar[int]  # times `units`, what a word gives
    n_state: ClassVar[int] = 1  # times `units`, a state
    n_parts: ClassVar[tuple[int, int]] = (2, 1)  # times `units`, numbers in and out of its layer

    def __init__(self, folder: ModelFolder, units: int) -> None:
        self.units = units
        n_in, n_out = self.n_parts
        self.parts, self.bias = layer_of(folder, "parts", n_in * units, n_out * units)

    @classmethod
    def sizes(cls, units: int) -> tuple[int, int]:
        """Numbers that a word gives, and of a state."""
        return cls.n_word * units, cls.n_state * units

    def leaf(self, x: Floats) -> Floats:
        """States (n, n_state * units) of words, by the first layer (n, n_word * units), used up."""
        raise NotImplementedError

    def node(self, parts: Floats) -> Floats:
        """States of nodes, by those of their parts (n, 2, n_state * units)."""
        raise NotImplementedError

    def compose(self, parts: Floats, rules: Ints) -> Floats:
        """The same where labels may count: rules (n, 3), rows of A, B and C of A -> B C."""
        return self.node(parts)


class Standard(Cell):
    """One layer."""

    n_word = 1

    def leaf(self, x: Floats) -> Floats:
        tanh(x, x)
        return x

    def node(self, parts: Floats) -> Floats:
        x = product(_side_by_side(parts), self.parts)
        x += self.bias
        tanh(x, x)
        return x


class LabelVectors(Standard):
    """One layer, with a vector for the label of the node and one for that of its first part."""

    def __init__(self, folder: ModelFolder, units: int) -> None:
        super().__init__(folder, units)
        n = 1 + len(folder.lines("tree.txt"))
        self.above, self.first = (folder.array(name, n, units) for name in ("above", "first"))

    def compose(self, parts: Floats, rules: Ints) -> Floats:
        x = product(_side_by_side(parts), self.parts)
        x += self.bias
        x += self.above[rules[:, 0]]
        x += self.first[rules[:, 1]]
        tanh(x, x)
        return x


class Untied(Standard):
    """One layer, with its weights by the labels of both parts."""

    def __init__(self, folder: ModelFolder, units: int) -> None:
        self.units, self.n = units, 1 + len(folder.lines("tree.txt"))
        weights = folder.array("untied.weight", self.n * self.n * 2 * units, units)
        self.by_pair = list(map(Weights.of, np.split(weights, self.n * self.n)))
        self.bias = folder.array("parts.bias", units)

    def compose(self, parts: Floats, rules: Ints) -> Floats:
        pairs = rules[:, 1] * self.n + rules[:, 2]
        x = np.empty((len(parts), self.units), np.float32)
        for pair in set(pairs.tolist()):
            rows = np.flatnonzero(pairs == pair)
            x[rows] = product(_side_by_side(parts[rows]), self.by_pair[pair])
        x += self.bias
        tanh(x, x)
        return x


class MatrixVector(Cell):
    """A cell with a matrix and a vector, by which each part changes the other."""

    def __init__(self, folder: ModelFolder, units: int) -> None:
        super().__init__(folder, units)
        self.matrix = Weights.of(folder.array("matrix.weight", 2 * units, units))

    @classmethod
    def sizes(cls, units: int) -> tuple[int, int]:
        return units + units * units, units + units * units

    def leaf(self, x: Floats) -> Floats:
        tanh(x[:, : self.units], x[:, : self.units])
        x[:, self.units :: self.units + 1] += 1
        np.clip(x, -LARGEST, LARGEST, out=x)
        return x

    def node(self, parts: Floats) -> Floats:
        n, units = len(parts), self.units
        h, matrices = parts[:, :, :units], parts[:, :, units:].reshape(n, 2, units, units)
        changed = _sums(matrices[:, ::-1] * h[:, :, None], 3)  # each by the other's
        new = product(_side_by_side(changed), self.parts)
        new += self.bias
        tanh(new, new)
        columns = matrices.transpose(0, 3, 1, 2).reshape(n * units, 2 * units)
        mixed = product(columns, self.matrix).reshape(n, units, units).transpose(0, 2, 1)
        mixed = np.clip(mixed, -LARGEST, LARGEST)
        return np.concatenate([new, mixed.reshape(n, -1)], axis=1)


class Tensors(Cell):
    """Products of two units of parts, weighted for each unit, besides one layer."""

    n_word = 1

    def __init__(self, folder: ModelFolder, units: int) -> None:
        self.units = units
        self.parts = Weights.of(folder.array("parts.weight", 2 * units, units))
        self.tensor = Weights.of(folder.array("tensor.weight", 2 * units, 2 * units * units))

    def leaf(self, x: Floats) -> Floats:
        tanh(x, x)
        return x

    def node(self, parts: Floats) -> Floats:
        x = _side_by_side(parts)
        new = product(x, self.parts)
        slices = product(x, self.tensor).reshape(len(x), 2 * self.units, self.units)
        slices *= x[:, :, None]
        new += _sums(slices, 1)
        tanh(new, new)
        return new


def _sums(x: Floats, axis: int) -> Floats:
    """Sums of multiples of 1 / `FINE`: in double precision exact, whatever their order."""
    sums: Floats = (np.rint(x * FINE).sum(axis, np.float64) / float(FINE)).astype(np.float32)
    return sums


class Gru(Cell):
    """A gate between what is new and the mean of the parts, and a reset gate for each part."""

    n_word, n_parts = 2, (2, 3)

    def __init__(self, folder: ModelFolder, units: int) -> None:
        super().__init__(folder, units)
        self.proposal, self.proposal_bias = layer_of(folder, "proposal", 2 * units, units)

    def leaf(self, x: Floats) -> Floats:
        z, new = x[:, : self.units], x[:, self.units :]
        sigmoid(z, z)
        tanh(new, new)
        return (1 - z) * new

    def node(self, parts: Floats) -> Floats:
        x = _side_by_side(parts)
        gates = product(x, self.parts)
        gates += self.bias
        sigmoid(gates, gates)
        z, resets = gates[:, : self.units], gates[:, self.units :]
        new = product(x * resets, self.proposal)
        new += self.proposal_bias
        tanh(new, new)
        new += z * ((parts[:, 0] + parts[:, 1]) * np.float32(0.5) - new)
        return new


class Lstm(Cell):
    """A cell with a memory and an output, with a forget gate for each part."""

    n_word, n_state, n_parts = 3, 2, (2, 5)

    def leaf(self, x: Floats) -> Floats:
        return self._state(x)

    def node(self, parts: Floats) -> Floats:
        gates = product(_side_by_side(parts[:, :, : self.units]), self.parts)
        gates += self.bias
        kept = self._kept(gates[:, 3 * self.units :], parts)
        return self._state(gates[:, : 3 * self.units], kept)

    def _kept(self, forget: Floats, parts: Floats) -> Floats:
        """The memories of parts after the gates (n, 2 * units), which are not yet squashed."""
        sigmoid(forget, forget)
        kept = forget.reshape(len(parts), 2, -1) * parts[:, :, self.units :]
        both: Floats = kept[:, 0] + kept[:, 1]
        return both

    def _state(self, gates: Floats, kept: Floats | None = None) -> Floats:
        """States by the gates i, o and u, used up, and what is left of the parts' memories."""
        units = self.units
        squashed = gates[:, : 2 * units], gates[:, 2 * units :]
        sigmoid(squashed[0], squashed[0])
        tanh(squashed[1], squashed[1])
        states = np.empty((len(gates), 2 * units), np.float32)
        h, c = states[:, :units], states[:, units:]
        np.multiply(gates[:, :units], squashed[1], out=c)
        if kept is not None:
            c += kept
        tanh(c, h)
        h *= gates[:, units : 2 * units]
        return states


class LstmSum(Lstm):
    """The same, of the sum of the parts."""

    n_parts = (1, 3)

    def __init__(self, folder: ModelFolder, units: int) -> None:
        super().__init__(folder, units)
        self.forget, self.forget_bias = layer_of(folder, "forget", units, units)

    def node(self, parts: Floats) -> Floats:
        h = parts[:, :, : self.units]
        gates = product(h[:, 0] + h[:, 1], self.parts)
        gates += self.bias
        forget = product(h.reshape(-1, self.units), self.forget)
        forget += self.forget_bias
        return self._state(gates, self._kept(forget.reshape(len(parts), -1), parts))


CELLS: dict[str, type[Cell]] = {  # by `network.recursive.cell`
    "standard": Standard,
    "labels": LabelVectors,
    "untied": Untied,
    "matrix-vector": MatrixVector,
    "tensor": Tensors,
    "gru": Gru,
    "lstm": Lstm,
    "lstm-sum": LstmSum,
}


def _side_by_side(parts: Floats) -> Floats:
    return parts.reshape(len(parts), -1)


class RecursiveNetwork(Network):
    """A cell over the parse trees of sentences, and the labels of their nodes."""

    SETTINGS: ClassVar = RecursiveConfig

    def __init__(self, folder: ModelFolder, words: WordTable, settings: RecursiveConfig) -> None:
        self.units, self.split = settings.units, settings.split
        if settings.wrong:
            raise SennaError(settings.wrong, where=str(folder.path / "model.toml"), mend=AGAIN)
        of_word, self.size = CELLS[settings.cell].sizes(self.units)
        super().__init__(folder, words, 1, of_word)
        self.cell = CELLS[settings.cell](folder, self.units)
        self.reads = (*self.reads, PARSER)
        labels = folder.lines("tree.txt") if settings.cell in LABELLED else []
        self.labels = {label: row for row, label in enumerate(labels, start=1)}
        self.add_heads(labels=lambda folder, task: NodeHead(folder, task, self.units))

    def encode(self, block: Block, space: Workspace) -> Floats:
        """The states of all nodes, (n_nodes, units), those of a tree each before its parts."""
        trees = zip(block.earlier[PARSER], block.lengths.tolist(), strict=True)
        spans = [span for tree, n in trees for span in nodes_over(tree, n, self.split)]
        order = Order.of(np.array([end - start for start, end, _ in spans], np.int64))
        rules = order.rules(np.array([self.labels.get(span.label, 0) for span in spans], np.int64))
        n_words, n = order.ends[0], len(order.nodes)
        states = np.empty((n, self.size), np.float32)
        x = self.first(block, space)
        for start in range(0, n_words, GROUP):
            rows = slice(start, min(start + GROUP, n_words))
            states[rows] = self.cell.leaf(x[rows])
        for first, last in pairwise(order.ends):  # of one height
            for start in range(first, last, GROUP):
                end = min(start + GROUP, last)
                rows = slice(start - n_words, end - n_words)
                parts = states[order.children[rows]]
                states[start:end] = self.cell.compose(parts, rules[rows])
        units = np.empty((n, self.units), np.float32)
        units[order.nodes] = states[:, : self.units]
        return units


NETWORK = RecursiveNetwork
