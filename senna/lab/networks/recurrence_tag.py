"""Recurrent cells at tagging time: see `senna.lab.networks.recurrence`.

What words give to the gates is one product per layer; what the state gives is one product per step.
All sequences of a group advance together, the longest first, so that those that still have words
are the first rows. The state is rounded to 17 bits, not to 8, since its errors would add up.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from senna.lab.networks.settings import SLOW, CellSettings
from senna.model.folder import ModelFolder
from senna.products.exact import Floats, Weights, fine_product, sigmoid, tanh
from senna.products.groups import batches
from senna.products.workspace import Ints

GROUP = 128  # sequences that advance together: their gates stay in cache
DIRECTIONS = ("forward", "backward")
LARGEST = 1e4  # states of ReLUs beyond it are cut


class Cell:
    """One direction of a layer: the state after a word, from the word and the state before it."""

    STATES: ClassVar = 1

    def __init__(self, weights: Floats, peephole: Floats | None) -> None:
        """weights (units, gates * units); peephole (2 or 3, units)."""
        self.units, self.peephole = len(weights), peephole
        self.recurrent = Weights.of(weights)

    def step(self, x: Floats, state: Floats) -> None:
        """x (n, gates * units), used up; state (STATES, n, units), changed, its first the output.

        The equations are those of `senna.lab.networks.recurrence`.
        """
        raise NotImplementedError


class Elman(Cell):
    """See `Cell`."""

    def step(self, x: Floats, state: Floats) -> None:
        x += fine_product(state[0], self.recurrent)
        tanh(x, state[0])


class Irnn(Cell):
    """See `Cell`."""

    def step(self, x: Floats, state: Floats) -> None:
        x += fine_product(state[0], self.recurrent)
        np.clip(x, 0, LARGEST, out=state[0])


class Lstm(Cell):
    """See `Cell`."""

    STATES = 2

    def step(self, x: Floats, state: Floats) -> None:
        h, c = state
        x += fine_product(h, self.recurrent)
        *memory_gates, o, g = np.split(x, x.shape[1] // self.units, axis=1)
        if self.peephole is not None:
            for gate, weights in zip(memory_gates, self.peephole[:-1], strict=True):
                gate += weights * c
        for gate in memory_gates:
            sigmoid(gate, gate)
        f = memory_gates[-1]
        i = memory_gates[0] if len(memory_gates) == 2 else 1 - f
        tanh(g, g)
        c *= f
        c += i * g
        if self.peephole is not None:
            o += self.peephole[-1] * c
        sigmoid(o, o)
        tanh(c, h)
        h *= o


class Gru(Cell):
    """See `Cell`."""

    def __init__(self, weights: Floats, peephole: Floats | None) -> None:
        super().__init__(weights[:, : -len(weights)], peephole)
        self.proposal = Weights.of(weights[:, -len(weights) :])

    def step(self, x: Floats, state: Floats) -> None:
        h = state[0]
        gates, proposal = x[:, : 2 * self.units], x[:, 2 * self.units :]
        gates += fine_product(h, self.recurrent)
        sigmoid(gates, gates)
        z, r = gates[:, : self.units], gates[:, self.units :]
        proposal += fine_product(r * h, self.proposal)
        tanh(proposal, proposal)
        h *= 1 - z
        h += z * proposal


class Scrn(Cell):
    """See `Cell`; the fast units are as many as the columns of the weights."""

    def __init__(self, weights: Floats, peephole: Floats | None) -> None:
        super().__init__(weights, peephole)
        self.slow = self.units - weights.shape[1]

    def step(self, x: Floats, state: Floats) -> None:
        c, h = np.split(state[0], [self.slow], axis=1)
        c *= SLOW
        c += (1 - SLOW) * x[:, : self.slow]
        fast = x[:, self.slow :] + fine_product(state[0], self.recurrent)
        sigmoid(fast, h)


CELLS: dict[str, type[Cell]] = {
    "elman": Elman,
    "irnn": Irnn,
    "lstm": Lstm,
    "gru": Gru,
    "scrn": Scrn,
}


class CellLayer:
    """One layer: a cell for each direction, and what words give to its gates."""

    def __init__(
        self, folder: ModelFolder, name: str, settings: CellSettings, n_in: int | None
    ) -> None:
        """The arrays of a name; without n_in words come as what they give to the gates."""
        self.units, self.gates, make = settings.units, settings.gates, CELLS[settings.cell]
        across = self.gates * self.units
        self.inputs: Weights | None = None
        if n_in is not None:
            n_out = settings.directions * across
            self.inputs = Weights.of(folder.array(f"{name}.weight", n_in, n_out))
            self.bias = folder.array(f"{name}.bias", n_out)
        peepholes: list[Floats | None] = [None, None]
        if settings.peephole:
            shape = settings.directions, 3 - settings.tied, self.units
            peepholes = list(folder.array(f"{name}.peephole", *shape))
        self.cells = [
            make(
                folder.array(f"{name}.{direction}.weight", self.units, settings.from_state),
                peephole,
            )
            for direction, peephole in zip(
                DIRECTIONS[: settings.directions], peepholes, strict=False
            )
        ]

    def __call__(self, x: Floats, lengths: Ints) -> Floats:
        """x (n_words, n_in), or what they give to the gates: (n_words, directions * units)."""
        if self.inputs is not None:
            x = fine_product(x, self.inputs)
            x += self.bias
        n = len(self.cells)
        out = np.empty((len(x), n * self.units), np.float32)
        # A row for each direction of each word.
        gates, units = x.reshape(-1, self.gates * self.units), out.reshape(-1, self.units)
        first = np.cumsum(lengths) - lengths
        for rows in batches(lengths, GROUP, GROUP * int(lengths.max(initial=1))):
            steps = np.arange(lengths[rows[0]])[:, None]
            n_active = (lengths[rows] > steps).sum(axis=1)
            forward = first[rows] + steps
            backward = first[rows] + lengths[rows] - 1 - steps
            for i, (cell, words) in enumerate(zip(self.cells, (forward, backward), strict=False)):
                _run(cell, gates, n * words + i, n_active, units)
        return out


def _run(cell: Cell, gates: Floats, rows: Ints, n_active: NDArray[np.intp], units: Floats) -> None:
    """One direction over a group of sentences, from rows of `gates` into those of `units`.

    rows (n_steps, n_sentences): which of them when; n_active (n_steps,): how many of the sentences
    have a word then.
    """
    state = np.zeros((cell.STATES, rows.shape[1], cell.units), np.float32)
    for row, n in zip(rows, n_active.tolist(), strict=True):
        state = state[:, :n]
        cell.step(np.take(gates, row[:n], axis=0), state)
        units[row[:n]] = state[0]


def ends(x: Floats, starts: Ints, lengths: Ints) -> Floats:
    """The states with which the two directions end, (n_sequences, units) of x (n_words, units).

    starts, lengths (n_sequences,): first words of sequences, none of them empty, and how many.
    """
    half = x.shape[1] // 2
    states: Floats = np.concatenate([x[starts + lengths - 1, :half], x[starts, half:]], axis=1)
    return states
