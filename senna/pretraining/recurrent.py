"""A recurrent language model: an LSTM in each direction, or one alone, predicts the next word.

Both share the words' vectors and the output layer (Peters et al. 2018). Gradients go back over the
words of one step alone (truncated back-propagation, Mikolov et al. 2010), but the state goes on: it
begins with zeros in each part of the text, and at no other place, so that a part is where a run can
be resumed.

Its frozen states may be features of words in context: the forward state has read the sentence up to
the word, the backward state from the end to the word (Peters et al. 2018).
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from senna.atomic import replacing
from senna.errors import SennaError
from senna.formats.vectors import read_vectors
from senna.lab.networks.recurrent import turned
from senna.pretraining.objectives import LanguageModel
from senna.text.vocabulary import PADDING, RARE, Ids, Spelling, spellings
from senna.training.layers.batch import mask_of
from senna.training.loop import GO_ON

LAYERS = "layers.npz"  # beside words.txt and vectors.npy


def lstm(size: int, units: int, projection: int) -> nn.LSTM:
    """An LSTM whose output is projected to fewer numbers (Sak et al. 2014); 0: it is not.

    Its forget gates begin open (Goldberg 2015, section 11.2).
    """
    layer = nn.LSTM(size, units, batch_first=True, proj_size=projection)
    named = dict(layer.named_parameters())
    with torch.no_grad():
        named["bias_ih_l0"][units : 2 * units] = 1  # the gates are i, f, g, o
    return layer


def run(
    layer: nn.Module, vectors: Tensor, state: tuple[Tensor, Tensor] | None = None
) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    """The states (n, n_steps, width) of vectors (n, n_steps, size), and the last to go on from."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "LSTM with projections is not supported with oneDNN")
        states: tuple[Tensor, tuple[Tensor, Tensor]] = layer(vectors, state)
    return states


def check_folder(folder: Path) -> None:
    """Raise SennaError for a folder without a recurrent language model."""
    if not (folder / LAYERS).is_file():
        remedy = "Train one with senna pretrain --objective recurrent, without ahead=true."
        raise SennaError(
            "no recurrent language model in both directions", where=str(folder), remedy=remedy
        )


class LanguageStates(nn.Module):
    """Frozen states of both directions."""

    def __init__(self, words: Sequence[str], vectors: Tensor, layers: Sequence[nn.LSTM]) -> None:
        """vectors: (n_words + 2, size), those of PADDING and RARE first."""
        super().__init__()
        self.rows = {word: row for row, word in enumerate(words, RARE + 1)}
        self.vectors: Tensor
        self.register_buffer("vectors", vectors, persistent=False)
        self.layers = nn.ModuleList(layers).requires_grad_(False)
        self.size = sum(layer.proj_size or layer.hidden_size for layer in layers)

    @staticmethod
    def check(folder: Path, kind: str) -> None:
        """Raise SennaError for a folder without such a model, and for networks without states."""
        check_folder(folder)
        if kind in ("window", "sentence"):
            what = f"the {kind} network reads no states of language models"
            raise SennaError(what, where="features.states", remedy='Choose network.kind = "gated".')

    @classmethod
    def load(cls, folder: Path) -> LanguageStates:
        """Read the files of `senna pretrain`; SennaError for other vectors and damaged files."""
        check_folder(folder)
        vectors, path = read_vectors(folder), folder / LAYERS
        table = torch.from_numpy(np.array(vectors.table, np.float32))
        try:
            with np.load(path, allow_pickle=False) as arrays:
                weights = {name: torch.from_numpy(arrays[name]) for name in arrays}
            table = torch.cat([weights.pop("margins"), table])
            layers = [_layer(weights, f"directions.{i}.") for i in range(2)]
        except (OSError, EOFError, ValueError, KeyError, RuntimeError, BadZipFile) as error:
            reason = (str(error).splitlines() or [type(error).__name__])[0]
            remedy = "Finish or repeat the run that wrote it."
            raise SennaError(f"damaged: {reason:.200}", where=str(path), remedy=remedy) from None
        return cls(vectors.words, table, layers)

    def ids(self, forms: Sequence[str]) -> Ids:
        """The row of each form, which may be marked: its best known spelling, or RARE.

        PADDING of the empty form.
        """
        rows = np.full(len(forms), RARE, np.int32)
        for i, form in enumerate(forms):
            known = (self.rows.get(name) for name in spellings(Spelling.of(form).form))
            rows[i] = next(filter(None, known), RARE) if form else PADDING
        return rows

    @torch.no_grad()
    def forward(self, rows: Tensor, lengths: Tensor) -> Tensor:
        """(n_sentences, n_steps) rows -> (n_sentences, n_steps, size), 0 after the last word."""
        vectors = self.vectors[functional.pad(rows, (1, 0), value=PADDING)]
        back = torch.cat([vectors[:, :1], turned(vectors[:, 1:], lengths)], 1)
        forward, backward = (
            run(layer, x)[0][:, 1:] for layer, x in zip(self.layers, (vectors, back), strict=True)
        )
        states = torch.cat([forward, turned(backward, lengths)], 2)
        return states * mask_of(lengths, rows.shape[1])[:, :, None]


def _layer(weights: dict[str, Tensor], prefix: str) -> nn.LSTM:
    named = {
        name.removeprefix(prefix): weight
        for name, weight in weights.items()
        if name.startswith(prefix)
    }
    across, size = named["weight_ih_l0"].shape
    projection = named["weight_hh_l0"].shape[1] if "weight_hr_l0" in named else 0
    layer = lstm(size, across // 4, projection)
    layer.load_state_dict(named)
    return layer


State = tuple[Tensor, Tensor]


class Recurrent(LanguageModel):
    """Reads streams of text (n, 2, length + 2): see `TextBlocks.streams`."""

    streaming = True

    def add_layers(self, clusters: Any) -> None:
        config, size = self.config, self.words.weight.shape[1]
        self.length = config.steps
        self.add_softmax(config.projection or config.hidden, clusters)
        self.directions = nn.ModuleList(
            lstm(size, config.hidden, config.projection)
            for _ in range(1 if config.ahead else 2)  # forwards alone halves the work
        )
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
    """Write the layers that `LanguageStates.load` reads; nothing of models of another kind.

    Those that read forwards alone have no states of a word in its sentence.
    """
    layers: dict[str, Any] = {
        name.removeprefix("layer."): weight.numpy()
        for name, weight in weights.items()
        if name.startswith("layer.directions.")
    }
    if any(name.startswith("directions.1.") for name in layers):
        layers["margins"] = weights["table.words"][: RARE + 1].numpy()
        with replacing(out / LAYERS, GO_ON) as place, place.open("wb") as file:
            np.savez(file, **layers)


FEATURES = {"states": LanguageStates}
