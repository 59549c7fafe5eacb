"""A recurrent language model: an LSTM in each direction, or one alone, predicts the next word.

Both share the words' vectors and the output layer (Peters et al. 2018). Gradients go back over the
words of one step alone (truncated back-propagation, Mikolov et al. 2010), but the state goes on: it
begins with zeros in each part of the text, and at no other place, so that a part is where a run can
be resumed.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from senna.files import replacing
from senna.lab.pretraining.states import LAYERS, lstm, run
from senna.pretraining.lookup_table import LookupTable
from senna.pretraining.objectives import LanguageModel
from senna.pretraining.softmaxes import SoftmaxLayer
from senna.text.features import RARE
from senna.training.loop import GO_ON

State = tuple[Tensor, Tensor]


class Recurrent(LanguageModel):
    """Reads streams of text (n, 2, length + 2): see `TextBlocks.streams`."""

    streaming = True
    centre = 1  # a word is predicted from the one before, or after, and the state

    def __init__(
        self,
        words: LookupTable,
        softmax: SoftmaxLayer,
        units: int,
        projection: int,
        steps: int,
        ahead: bool = False,
    ) -> None:
        """ahead: it reads forwards alone, which halves the work."""
        super().__init__()
        self.words, self.softmax, self.length = words, softmax, steps
        size = words.weight.shape[1]
        self.directions = nn.ModuleList(lstm(size, units, projection) for _ in range(2 - ahead))
        self.tables = {"words": words} | softmax.tables
        self.begin()

    @property
    def width(self) -> int:
        return 2 * self.length + 1

    def begin(self) -> None:
        self.carried: list[State | None] = [None for _ in self.directions]

    def centres(self, rows: Tensor) -> Tensor:
        return rows[:, 0, 1:-1]

    def loss(self, rows: Tensor) -> Tensor:
        """The mean criterion of the output layer over the directions."""
        hidden, words = [], []
        for i in range(len(self.directions)):
            stream = rows[:, 1].flip(1) if i else rows[:, 0]
            states, last = self.read(i, self.words.take(stream[:, :-2]), self.carried[i])
            self.carried[i] = (last[0].detach(), last[1].detach())
            hidden.append(states.flatten(0, 1))
            words.append(stream[:, 1:-1].flatten())
        return self.softmax.loss(torch.cat(hidden), torch.cat(words))

    def read(self, direction: int, vectors: Tensor, state: State | None) -> tuple[Tensor, State]:
        """(n, n_steps, size) to (n, n_steps, width + 1), 1 at last for the bias; and the state."""
        states, last = run(self.directions[direction], vectors, state)
        return functional.pad(states, (0, 1), value=1.0), last

    def scores(self, windows: Tensor, words: Tensor) -> Tensor:
        """Score of each of `words` (m,) after the first half of each window (n, width): (n, m)."""
        before = windows[:, : windows.shape[1] // 2]
        states, _ = self.read(0, self.words.weight[before], None)
        return self.softmax.scores(states[:, -1], words)

    def states(self, rows: Tensor, places: Tensor, n: int, length: int = 256) -> Tensor:
        """The states that predict the words at rising places of running text (n_tokens,), forwards.

        (n_places, width + 1). The text is read as `n` streams, each with its state carried on.
        """
        across = -(-len(rows) // n)
        before = functional.pad(rows, (1, n * across - len(rows) - 1)).view(n, across)
        order = torch.full((n * across,), -1, device=rows.device)
        order[places] = torch.arange(len(places), device=rows.device)
        order, last, parts = order.view(n, across), None, []
        for start in range(0, across, length):
            columns = slice(start, start + length)
            states, last = self.read(0, self.words.weight[before[:, columns]], last)
            wanted = order[:, columns] >= 0
            parts.append((order[:, columns][wanted], states[wanted]))
        hidden = torch.cat([states for _, states in parts])
        return hidden[torch.argsort(torch.cat([numbers for numbers, _ in parts]))]


def write_states(out: Path, weights: Mapping[str, Tensor]) -> None:
    """Write the layers that `LanguageStates.load` reads, if the model reads in both directions."""
    if layers := state_arrays(weights):
        with replacing(out / LAYERS, GO_ON) as place, place.open("wb") as file:
            np.savez(file, **layers)


def state_arrays(weights: Mapping[str, Tensor]) -> dict[str, Any]:
    """The weights that `LanguageStates.load` reads; nothing of models of another kind.

    Those that read forwards alone have no states of a word in its sentence.
    """
    layers = {
        name.removeprefix("layer."): weight.numpy()
        for name, weight in weights.items()
        if name.startswith("layer.directions.")
    }
    if not any(name.startswith("directions.1.") for name in layers):
        return {}
    return layers | {"margins": weights["table.words"][: RARE + 1].numpy()}
