"""Layers of recurrent cells, which read a sequence word by word (Goldberg 2015, sections 10, 11).

A cell makes a new state s_j of the word x_j and the state s_{j-1} before it, and begins with zeros.
With two directions another cell reads from the last word to the first, and a word has the
states of both (section 10.4). In the equations * is the product of elements, sigma the sigmoid; the
biases of the gates are among what the word gives, x_j W^x + b, which is computed for all words at
once.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from senna.lab.networks.recurrence_tag import DIRECTIONS, LARGEST
from senna.lab.networks.settings import SLOW, CellSettings
from senna.training.layers.batch import mask_of, turned
from senna.training.layers.units import Probe
from senna.training.layers.weights import Arrays, Linear, linear, view_of

State = tuple[Tensor, ...]  # (n_directions, n_sentences, units) each; the first is the output
# From what a word gives (n_directions, n_sentences, gates * units), the state before it, the
# weights W^s (n_directions, units, gates * units) and peepholes to the state.
Step = Callable[[Tensor, State, Tensor, Tensor | None], State]


def elman(x: Tensor, state: State, weights: Tensor, _: Tensor | None) -> State:
    """s_j = tanh(x_j W^x + s_{j-1} W^s + b) (section 11.1; Elman 1990)."""
    return (torch.tanh(torch.baddbmm(x, state[0], weights)),)


def irnn(x: Tensor, state: State, weights: Tensor, _: Tensor | None) -> State:
    """s_j = ReLU(x_j W^x + s_{j-1} W^s + b) (section 11.4; Le et al. 2015)."""
    return (torch.baddbmm(x, state[0], weights).clamp(0, LARGEST),)


def lstm(x: Tensor, state: State, weights: Tensor, peephole: Tensor | None) -> State:
    """i, f, o = sigma(x_j W^x + h_{j-1} W^h + b), g = tanh(the same) (section 11.2).

    c_j = c_{j-1} * f + g * i; h_j = tanh(c_j) * o. With peepholes p * c_{j-1} is added within i
    and f, p * c_j within o; with tied gates i = 1 - f (note 33; Greff et al. 2015).
    """
    h, c = state
    *memory_gates, o, g = torch.baddbmm(x, h, weights).chunk(x.shape[2] // h.shape[2], 2)
    p = [] if peephole is None else peephole[:, :, None].unbind(1)
    if p:
        memory_gates = [gate + w * c for gate, w in zip(memory_gates, p[:-1], strict=True)]
    f = torch.sigmoid(memory_gates[-1])
    i = torch.sigmoid(memory_gates[0]) if len(memory_gates) == 2 else 1 - f
    c = c * f + torch.tanh(g) * i
    o = torch.sigmoid(o + p[-1] * c if p else o)
    return torch.tanh(c) * o, c


def gru(x: Tensor, state: State, weights: Tensor, _: Tensor | None) -> State:
    """z, r = sigma(x_j W^x + s_{j-1} W^s + b), h = tanh(x_j W^x + (s_{j-1} * r) W^s + b).

    s_j = (1 - z) * s_{j-1} + z * h (section 11.3).
    """
    (s,) = state
    n = s.shape[2]
    gates = torch.sigmoid(torch.baddbmm(x[:, :, : 2 * n], s, weights[:, :, : 2 * n]))
    z, r = gates.chunk(2, 2)
    h = torch.tanh(torch.baddbmm(x[:, :, 2 * n :], s * r, weights[:, :, 2 * n :]))
    return ((1 - z) * s + z * h,)


def scrn(x: Tensor, state: State, weights: Tensor, _: Tensor | None) -> State:
    """c_j = 0.95 c_{j-1} + 0.05 (x_j W^c + b), h_j = sigma(x_j W^x + [c_j, h_{j-1}] W^s + b).

    s_j = [c_j, h_j]: slow units, which remember what a text is about, and fast ones (section 11.1;
    Mikolov et al. 2014).
    """
    (s,) = state
    slow = s.shape[2] - weights.shape[2]
    c = SLOW * s[:, :, :slow] + (1 - SLOW) * x[:, :, :slow]
    h = torch.baddbmm(x[:, :, slow:], torch.cat([c, s[:, :, slow:]], 2), weights)
    return (torch.cat([c, torch.sigmoid(h)], 2),)


STEPS: dict[str, Step] = {"elman": elman, "irnn": irnn, "lstm": lstm, "gru": gru, "scrn": scrn}


class RecurrentLayer(nn.Module):
    """One layer, in one or both directions."""

    def __init__(self, size: int, settings: CellSettings) -> None:
        super().__init__()
        self.settings, self.step = settings, STEPS[settings.cell]
        units, n, across = settings.units, settings.directions, settings.gates * settings.units
        self.slow, self.probe = across - settings.from_state, Probe(settings.cell)
        # Words and state are two parts of one linear layer.
        self.inputs = Linear(size, n * across, fan_in=size + units)
        self.recurrent = nn.ModuleList(
            Linear(units, settings.from_state, bias=False, fan_in=size + units) for _ in range(n)
        )
        shape = (n, 3 - settings.tied, units)
        self.peephole = nn.Parameter(torch.zeros(shape)) if settings.peephole else None

    def first_weights(self) -> None:
        """Begin with what helps to remember: the state is copied, or not forgotten."""
        units = self.settings.units
        with torch.no_grad():
            if self.settings.cell == "irnn":
                for weights in self.recurrent.parameters():
                    nn.init.eye_(weights)
            if self.settings.cell == "lstm":  # f is the last gate but o and g
                self.inputs.bias.view(len(self.recurrent), -1, units)[:, -3] = 1

    def forward(self, x: Tensor, lengths: Tensor) -> Tensor:
        """(n_sentences, n_steps, size) -> (n_sentences, n_steps, n_directions * units)."""
        n = len(self.recurrent)
        directions = list(self.inputs(x).chunk(n, 2))
        if n == 2:
            directions[1] = turned(directions[1], lengths)
        words = torch.stack(directions, 1)  # (sentence, direction, step, gates * units)
        weights = torch.stack([weights.T for weights in self.recurrent.parameters()])
        zeros = x.new_zeros(n, len(x), self.settings.units)
        state: State = (zeros, zeros) if self.settings.cell == "lstm" else (zeros,)
        outputs = []
        for word in words.transpose(0, 1).unbind(2):
            state = self.step(word, state, weights, self.peephole)
            outputs.append(state[0])
        directions = list(torch.stack(outputs, 2))  # (sentence, step, units) of each direction
        if n == 2:
            directions[1] = turned(directions[1], lengths)
        states = torch.cat(directions, 2)
        fast = states.view(*x.shape[:2], n, -1)[:, :, :, self.slow :]  # slow ones are linear
        self.probe(fast.flatten(2), mask_of(lengths, x.shape[1])[:, :, None])
        return states

    def arrays(self, name: str) -> Arrays:
        """Its weights, by their names in the model folder."""
        arrays = linear(name, self.inputs)
        for direction, weights in zip(DIRECTIONS, self.recurrent.parameters(), strict=False):
            arrays[f"{name}.{direction}.weight"] = view_of(weights).T
        if self.peephole is not None:
            arrays[f"{name}.peephole"] = view_of(self.peephole)
        return arrays
