"""Recursive networks: what a node of a binary tree is, from its word or from its two parts.

Cells are those of V. Tsakalos, "Sentiment Classification Using Tree-Based Gated Recurrent Units",
section 3.2; words have no parts, and other nodes no word. Nodes of one height over all trees of a
batch are one product.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from senna.lab.networks.settings import RecursiveConfig
from senna.lab.trees import CONSTITUENTS, Order
from senna.training.heads.base import Place
from senna.training.heads.labels import VectorHead
from senna.training.layers.batch import Batch, mask_of
from senna.training.layers.weights import Arrays, Linear, Probe, linear, view_of
from senna.training.networks.base import Network

N_LABELS = 1 + len(CONSTITUENTS)  # of constituents
LARGEST = 8.0  # numbers of matrices beyond it are cut, so that those of deep trees stay finite


class Cell(nn.Module):
    """The state of a node; its first `units` numbers are its output.

    `word` is the layer of the input x, without the terms that a word cannot have, as those of gates
    on the states of parts.
    """

    word: nn.Linear

    def leaf(self, x: Tensor) -> Tensor:
        """States (n, size) of words, by `word(x)`."""
        raise NotImplementedError

    def node(self, parts: Tensor) -> Tensor:
        """States (n, size) of nodes, by those of their parts (n, 2, size)."""
        raise NotImplementedError

    def compose(self, parts: Tensor, rules: Tensor) -> Tensor:
        """`node`, where labels may count: rules (n, 3) are those of A, B and C of A -> B C."""
        return self.node(parts)

    def arrays(self) -> Arrays:
        """Its weights, by their names in the model folder."""
        raise NotImplementedError

    def read(self, stored: Arrays) -> None:
        """Set the weights that `arrays` does not give as they are."""


class Standard(Cell):
    """eq. 3.16: h = tanh(W [h_1; h_2] + b)."""

    def __init__(self, size: int, units: int) -> None:
        super().__init__()
        self.word = nn.Linear(size, units)
        self.parts = nn.Linear(2 * units, units, bias=False)

    def leaf(self, x: Tensor) -> Tensor:
        return torch.tanh(x)

    def node(self, parts: Tensor) -> Tensor:
        return torch.tanh(self.parts(parts.flatten(1)) + self.word.bias)

    def arrays(self) -> Arrays:
        return linear("parts", self.parts) | {"parts.bias": view_of(self.word.bias)}


class LabelVectors(Standard):
    """h = tanh([h_1; h_2; v(A); v(B)] W + b), for A -> B C (Goldberg 2015, section 12.1).

    What W makes of a vector is one row per label.
    """

    def __init__(self, size: int, units: int) -> None:
        super().__init__(size, units)
        self.above = nn.Parameter(torch.zeros(N_LABELS, units))  # of A
        self.first = nn.Parameter(torch.zeros(N_LABELS, units))  # of B

    def compose(self, parts: Tensor, rules: Tensor) -> Tensor:
        of_labels = self.above[rules[:, 0]] + self.first[rules[:, 1]]
        return torch.tanh(self.parts(parts.flatten(1)) + self.word.bias + of_labels)

    def arrays(self) -> Arrays:
        return super().arrays() | {"above": view_of(self.above), "first": view_of(self.first)}


class Untied(Standard):
    """h = tanh([h_1; h_2] W^BC + b), W^BC one matrix plus its difference (the same section).

    So pairs of labels that training never saw have that matrix.
    """

    def __init__(self, size: int, units: int) -> None:
        super().__init__(size, units)
        self.differences = nn.Parameter(torch.zeros(N_LABELS**2, 2 * units, units))

    def compose(self, parts: Tensor, rules: Tensor) -> Tensor:
        x, pairs = parts.flatten(1), rules[:, 1] * N_LABELS + rules[:, 2]
        states = self.parts(x) + self.word.bias
        of_pairs = [
            x[pairs == pair] @ self.differences[pair]
            for pair in torch.bincount(pairs).nonzero()[:, 0]
        ]
        order = pairs.argsort(stable=True).argsort()
        return torch.tanh(states + torch.cat(of_pairs)[order])

    def arrays(self) -> Arrays:
        return super().arrays() | {"untied.weight": view_of(self.differences)}


class MatrixVector(Cell):
    """eq. 3.19: each node has a matrix too, by which it changes the other part.

    States are h, then the rows of the matrix C. A word's matrix is the identity and a linear
    function of x (the thesis has a matrix for each word); that of a node is W_C [C_1; C_2], as in
    Socher et al. 2012, with W_C near the mean at first, and numbers cut at `LARGEST`.
    """

    def __init__(self, size: int, units: int) -> None:
        super().__init__()
        self.units = units
        self.word = nn.Linear(size, units + units * units)
        self.parts = nn.Linear(2 * units, units, bias=False)
        self.matrix = nn.Linear(2 * units, units, bias=False)

    def leaf(self, x: Tensor) -> Tensor:
        h, matrices = x[:, : self.units], x[:, self.units :]
        identity = torch.eye(self.units, dtype=x.dtype, device=x.device).flatten()
        return torch.cat([torch.tanh(h), (matrices + identity).clamp(-LARGEST, LARGEST)], 1)

    def node(self, parts: Tensor) -> Tensor:
        h = parts[:, :, : self.units]
        matrices = parts[:, :, self.units :].reshape(*h.shape, self.units)
        changed = (matrices.flip(1) @ h[:, :, :, None]).flatten(1)  # each by the other's
        columns = matrices.transpose(2, 3).transpose(1, 2).flatten(2)  # (n, units, 2 * units)
        mixed = matrices.mean(1) + self.matrix(columns).transpose(1, 2)
        new = torch.tanh(self.parts(changed) + self.word.bias[: self.units])
        return torch.cat([new, mixed.flatten(1).clamp(-LARGEST, LARGEST)], 1)

    def arrays(self) -> Arrays:
        arrays = linear("parts", self.parts)
        arrays["parts.bias"] = view_of(self.word.bias[: self.units])
        arrays["matrix.weight"] = view_of(self.matrix.weight).T + self._mean()
        return arrays

    def read(self, stored: Arrays) -> None:
        view_of(self.matrix.weight).T[...] = stored["matrix.weight"] - self._mean()

    def _mean(self) -> NDArray[np.float32]:
        """The matrix by which columns of parts become their mean."""
        return np.tile(np.eye(self.units, dtype=np.float32) / np.float32(2), (2, 1))


class Tensors(Standard):
    """eq. 3.20: h = tanh(x V x + W x), x = [h_1; h_2], with a slice of V for each unit."""

    def __init__(self, size: int, units: int) -> None:
        super().__init__(size, units)
        n = 2 * units
        self.tensor = Linear(n, n * units, bias=False, fan_in=n * n)

    def node(self, parts: Tensor) -> Tensor:
        x = parts.flatten(1)
        slices = self.tensor(x).reshape(*x.shape, -1)  # (n, 2 * units, units)
        return torch.tanh((x[:, :, None] * slices).sum(1) + self.parts(x))

    def arrays(self) -> Arrays:
        return linear("parts", self.parts) | linear("tensor", self.tensor)


class Gru(Cell):
    """The N-ary Tree-GRU, eqs. 3.34 to 3.37, where h_jk must read h_jl.

    z mixes what is new with the mean of the parts; each part has a reset gate r.
    """

    def __init__(self, size: int, units: int) -> None:
        super().__init__()
        self.word = nn.Linear(size, 2 * units)  # of z and of the new state
        self.gates = nn.Linear(2 * units, 3 * units, bias=False)  # z, every r
        self.reset = nn.Parameter(torch.zeros(units))
        self.proposal = nn.Linear(2 * units, units, bias=False)

    def leaf(self, x: Tensor) -> Tensor:
        z, new = x.chunk(2, 1)
        return (1 - torch.sigmoid(z)) * torch.tanh(new)

    def node(self, parts: Tensor) -> Tensor:
        z_bias, bias = self.word.bias.chunk(2)
        gates = self.gates(parts.flatten(1)) + torch.cat([z_bias, self.reset, self.reset])
        z, *r = torch.sigmoid(gates).chunk(3, 1)  # eqs. 3.34 and 3.35
        kept = parts.flatten(1) * torch.cat(r, 1)
        new = torch.tanh(self.proposal(kept) + bias)  # eq. 3.36
        state: Tensor = (1 - z) * new + z * parts.mean(1)  # eq. 3.37
        return state

    def arrays(self) -> Arrays:
        z_bias, bias = view_of(self.word.bias).reshape(2, -1)
        reset = view_of(self.reset)
        return (
            linear("parts", self.gates)
            | {"parts.bias": np.concatenate([z_bias, reset, reset])}
            | linear("proposal", self.proposal)
            | {"proposal.bias": bias}
        )

    def read(self, stored: Arrays) -> None:
        n = len(self.reset)
        view_of(self.reset)[...] = stored["parts.bias"][n : 2 * n]


class Lstm(Cell):
    """The N-ary Tree-LSTM, eqs. 3.28 to 3.33: a forget gate for each part; states are h, then c."""

    def __init__(self, size: int, units: int) -> None:
        super().__init__()
        self.word = nn.Linear(size, 3 * units)  # of i, o and u
        self.gates = nn.Linear(2 * units, 5 * units, bias=False)  # and every f
        self.forget = nn.Parameter(torch.zeros(units))

    def leaf(self, x: Tensor) -> Tensor:
        i, o, u = x.chunk(3, 1)
        return _state(o, torch.sigmoid(i) * torch.tanh(u))

    def node(self, parts: Tensor) -> Tensor:
        h, c = parts.chunk(2, 2)
        gates = self.gates(h.flatten(1)) + torch.cat([self.word.bias, self.forget, self.forget])
        i, o, u, *f = gates.chunk(5, 1)
        kept = (torch.sigmoid(torch.stack(f, 1)) * c).sum(1)
        return _state(o, torch.sigmoid(i) * torch.tanh(u) + kept)  # eq. 3.32

    def arrays(self) -> Arrays:
        forget = view_of(self.forget)
        bias = np.concatenate([view_of(self.word.bias), forget, forget])
        return linear("parts", self.gates) | {"parts.bias": bias}

    def read(self, stored: Arrays) -> None:
        n = len(self.forget)
        view_of(self.forget)[...] = stored["parts.bias"][3 * n : 4 * n]


class LstmSum(Cell):
    """The child-sum Tree-LSTM, eqs. 3.21 to 3.27, which does not see the order of parts."""

    def __init__(self, size: int, units: int) -> None:
        super().__init__()
        self.word = nn.Linear(size, 3 * units)
        self.gates = nn.Linear(units, 3 * units, bias=False)
        self.forget = nn.Linear(units, units)

    def leaf(self, x: Tensor) -> Tensor:
        i, o, u = x.chunk(3, 1)
        return _state(o, torch.sigmoid(i) * torch.tanh(u))

    def node(self, parts: Tensor) -> Tensor:
        h, c = parts.chunk(2, 2)
        i, o, u = (self.gates(h.sum(1)) + self.word.bias).chunk(3, 1)
        kept = (torch.sigmoid(self.forget(h)) * c).sum(1)  # eq. 3.23
        return _state(o, torch.sigmoid(i) * torch.tanh(u) + kept)  # eq. 3.26

    def arrays(self) -> Arrays:
        return (
            linear("parts", self.gates)
            | {"parts.bias": view_of(self.word.bias)}
            | linear("forget", self.forget)
        )


def _state(o: Tensor, c: Tensor) -> Tensor:
    """The state of memory c behind the gate o, which is not yet squashed."""
    return torch.cat([torch.sigmoid(o) * torch.tanh(c), c], 1)


# By `network.recursive.cell`.
CELLS: dict[str, type[Standard | MatrixVector | Gru | Lstm | LstmSum]] = {
    "standard": Standard,
    "labels": LabelVectors,
    "untied": Untied,
    "matrix-vector": MatrixVector,
    "tensor": Tensors,
    "gru": Gru,
    "lstm": Lstm,
    "lstm-sum": LstmSum,
}


class NodeHead(VectorHead):
    """A label at each node of a binary tree, (n_nodes, size); a sentence's is its root's."""

    def loss(self, emissions: Tensor, batch: Batch) -> Tensor:
        """Mean negative log-likelihood of a labelled node (Tsakalos, eq. 5.3), times sentences.

        So its mean per sentence, by which optimisers step, is that of a node.
        """
        assert batch.brackets is not None
        labels = batch.brackets[:, 3]
        return len(batch.lengths) * functional.cross_entropy(emissions, labels, ignore_index=-1)

    def predict(self, emissions: Tensor, batch: Batch) -> list[str]:
        nodes = 2 * batch.lengths - 1
        return super().predict(emissions[nodes.cumsum(0) - nodes], batch)


class RecursiveNetwork(Network):
    """Lookup tables, a cell, and the labels of nodes."""

    of_sentences = True
    settings: RecursiveConfig

    def add_layers(self) -> None:
        cell, units = self.settings.cell, self.settings.units
        self.probe = Probe("standard" if cell in ("labels", "untied") else cell)
        self.cell = CELLS[cell](self.inputs.size, units)
        for task, names in self.names.items():
            self.heads[task] = NodeHead(Place(task, names, units, self.options))

    def encode(self, batch: Batch) -> Tensor:
        """The states of all nodes, (n_nodes, units), as `batch.brackets` has them."""
        assert batch.brackets is not None
        x = self.dropout(self.inputs(batch))
        words = x[mask_of(batch.lengths, x.shape[1])]
        _, first, last, _, labels = batch.brackets.cpu().numpy().T
        order = Order.of(last - first + 1)
        rules = torch.from_numpy(order.rules(labels)).to(x.device)
        states: Tensor = self.cell.leaf(self.cell.word(words))
        children = torch.from_numpy(order.children).to(x.device)
        n = order.ends[0]
        for start, end in pairwise(order.ends):
            parts = states[children[start - n : end - n]]
            states = torch.cat([states, self.cell.compose(parts, rules[start - n : end - n])])
        places = torch.from_numpy(np.argsort(order.nodes)).to(x.device)
        nodes: Tensor = self.probe(states[places, : self.settings.units])
        return nodes

    def layer_arrays(self) -> Arrays:
        return linear("layer-0", self.cell.word) | self.cell.arrays()

    def read(self, stored: Arrays) -> None:
        self.cell.read(stored)


NETWORK = RecursiveNetwork
