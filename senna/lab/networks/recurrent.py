"""The recurrent network: layers of cells over the words, in two directions.

Its states are the heads' input: with the sentence criterion that is a BiLSTM-CRF (Huang et al.
2015), with the last states for a label an acceptor (Goldberg 2015, section 10.3). With `skip` each
layer also reads the words, and the heads read all layers (Hermans and Schrauwen 2013; Graves 2013,
section 2).

A cell makes a new state s_j of the word x_j and the state s_{j-1} before it, and begins with zeros
(Goldberg 2015, sections 10 and 11). Another cell reads from the last word to
the first, and a word has the states of both (section 10.4). In the equations * is the product of
elements, sigma the sigmoid; the biases of the gates are among what the word gives, x_j W^x + b,
which is computed for all words at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor, nn

from senna.inference.exact import Floats
from senna.inference.features.forms import FormTable
from senna.inference.lookup import letter_table
from senna.lab.heads import ends
from senna.lab.networks.settings import SLOW, CellSettings, RecurrentConfig
from senna.model.folder import ModelFolder
from senna.model.schema import damaged
from senna.text.vocabulary import Ids
from senna.text.word_lists import PUNCTUATION
from senna.training.heads.labels import LabelHead
from senna.training.layers.batch import Batch, mask_of
from senna.training.layers.weights import Arrays, Linear, Probe, linear, view_of
from senna.training.networks.base import Network

DIRECTIONS = ("forward", "backward")
LARGEST = 1e4  # states of ReLUs beyond it are cut

State = tuple[Tensor, ...]  # (n_directions, n_sentences, units) each; the first is the output
# From what a word gives (n_directions, n_sentences, gates * units), the state before it, the
# weights W^s (n_directions, units, gates * units) to the state.
Step = Callable[[Tensor, State, Tensor], State]


def elman(x: Tensor, state: State, weights: Tensor) -> State:
    """s_j = tanh(x_j W^x + s_{j-1} W^s + b) (section 11.1; Elman 1990)."""
    return (torch.tanh(torch.baddbmm(x, state[0], weights)),)


def irnn(x: Tensor, state: State, weights: Tensor) -> State:
    """s_j = ReLU(x_j W^x + s_{j-1} W^s + b) (section 11.4; Le et al. 2015)."""
    return (torch.baddbmm(x, state[0], weights).clamp(0, LARGEST),)


def lstm(x: Tensor, state: State, weights: Tensor, peephole: Tensor | None = None) -> State:
    """i, f, o = sigma(x_j W^x + h_{j-1} W^h + b), g = tanh(the same) (section 11.2).

    c_j = c_{j-1} * f + g * i; h_j = tanh(c_j) * o. With peepholes p * c_{j-1} is added within i
    and f, p * c_j within o; with tied gates i = 1 - f (note 33; Greff et al. 2015).
    """
    h, c = state
    *memory_gates, o, g = torch.baddbmm(x, h, weights).chunk(x.shape[2] // h.shape[2], 2)
    p = [] if peephole is None else peephole[:, :, None].unbind(1)  # (n_directions, 1, units) each
    if p:
        memory_gates = [gate + w * c for gate, w in zip(memory_gates, p[:-1], strict=True)]
    f = torch.sigmoid(memory_gates[-1])
    i = torch.sigmoid(memory_gates[0]) if len(memory_gates) == 2 else 1 - f
    c = c * f + torch.tanh(g) * i
    return torch.tanh(c) * torch.sigmoid(o + p[-1] * c if p else o), c


def gru(x: Tensor, state: State, weights: Tensor) -> State:
    """z, r = sigma(x_j W^x + s_{j-1} W^s + b), h = tanh(x_j W^x + (s_{j-1} * r) W^s + b).

    s_j = (1 - z) * s_{j-1} + z * h (section 11.3).
    """
    (s,) = state
    n = s.shape[2]
    gates = torch.sigmoid(torch.baddbmm(x[:, :, : 2 * n], s, weights[:, :, : 2 * n]))
    z, r = gates.chunk(2, 2)
    h = torch.tanh(torch.baddbmm(x[:, :, 2 * n :], s * r, weights[:, :, 2 * n :]))
    return ((1 - z) * s + z * h,)


def scrn(x: Tensor, state: State, weights: Tensor) -> State:
    """c_j = 0.95 c_{j-1} + 0.05 (x_j W^c + b), h_j = sigma(x_j W^x + [c_j, h_{j-1}] W^s + b).

    s_j = [c_j, h_j]: slow units, which remember what a text is about, and fast ones (section 11.1;
    Mikolov et al. 2014).
    """
    (s,) = state
    slow = s.shape[2] - weights.shape[2]
    c = SLOW * s[:, :, :slow] + (1 - SLOW) * x[:, :, :slow]
    h = torch.baddbmm(x[:, :, slow:], torch.cat([c, s[:, :, slow:]], 2), weights)
    return (torch.cat([c, torch.sigmoid(h)], 2),)


STEPS: dict[str, Step] = {"elman": elman, "irnn": irnn, "gru": gru, "scrn": scrn}
STEPS |= dict.fromkeys(("lstm", "lstm-peephole", "lstm-tied"), lstm)


def turned(x: Tensor, lengths: Tensor) -> Tensor:
    """The words of each sentence from the last to the first; x (n_sentences, n_steps, size)."""
    steps = torch.arange(x.shape[1], device=x.device)
    last = lengths[:, None] - 1
    places = torch.where(steps <= last, last - steps, steps)
    return x.gather(1, places[:, :, None].expand_as(x))


class RecurrentLayer(nn.Module):
    """One layer, in both directions."""

    def __init__(self, size: int, settings: CellSettings) -> None:
        super().__init__()
        self.settings, self.step = settings, STEPS[settings.cell]
        units, n, across = settings.units, len(DIRECTIONS), settings.gates * settings.units
        self.cell = settings.cell.partition("-")[0]
        self.slow, self.probe = across - settings.from_state, Probe(self.cell)
        if settings.cell == "lstm-peephole":
            self.peephole = nn.Parameter(torch.zeros(n, 3, units))  # of i, f and o
            self.step = partial(lstm, peephole=self.peephole)
        # Words and state are two parts of one linear layer.
        self.inputs = Linear(size, n * across, fan_in=size + units)
        self.recurrent = nn.ModuleList(
            Linear(units, settings.from_state, bias=False, fan_in=size + units) for _ in range(n)
        )

    def first_weights(self) -> None:
        """Begin with what helps to remember: the state is copied, or not forgotten."""
        units = self.settings.units
        with torch.no_grad():
            if self.cell == "irnn":
                for weights in self.recurrent.parameters():
                    nn.init.eye_(weights)
            if self.cell == "lstm":  # f is the last gate but o and g
                self.inputs.bias.view(len(self.recurrent), -1, units)[:, -3] = 1

    def forward(self, x: Tensor, lengths: Tensor) -> Tensor:
        """(n_sentences, n_steps, size) -> (n_sentences, n_steps, n_directions * units)."""
        n = len(self.recurrent)
        forward, backward = self.inputs(x).chunk(n, 2)
        words = torch.stack(
            [forward, turned(backward, lengths)], 1
        )  # (sentence, direction, step, gates * units)
        weights = torch.stack([weights.T for weights in self.recurrent.parameters()])
        zeros = x.new_zeros(n, len(x), self.settings.units)
        state: State = (zeros, zeros) if self.cell == "lstm" else (zeros,)
        outputs = []
        for word in words.transpose(0, 1).unbind(2):
            state = self.step(word, state, weights)
            outputs.append(state[0])
        forward, backward = torch.stack(outputs, 2)  # (sentence, step, units) of each direction
        states = torch.cat([forward, turned(backward, lengths)], 2)
        fast = states.view(*x.shape[:2], n, -1)[:, :, :, self.slow :]  # slow ones are linear
        self.probe(fast.flatten(2), mask_of(lengths, x.shape[1])[:, :, None])
        return states

    def arrays(self, name: str) -> Arrays:
        """Its weights, by their names in the model folder."""
        arrays = linear(name, self.inputs)
        for direction, weights in zip(DIRECTIONS, self.recurrent.parameters(), strict=False):
            arrays[f"{name}.{direction}.weight"] = view_of(weights).T
        if self.settings.cell == "lstm-peephole":
            arrays[f"{name}.peephole"] = view_of(self.peephole)
        return arrays


def span_lengths(words: Sequence[str]) -> list[int]:
    """How many words the spans between punctuation have; a span ends with the signs behind it.

    >>> span_lengths("Well , it works ( now ) .".split())
    [2, 6]
    """
    signs = [word in PUNCTUATION for word in words]
    inner = [i + 1 for i, pair in enumerate(pairwise(signs)) if pair == (True, False)]
    return [end - start for start, end in pairwise([0, *inner, len(words)]) if words]


class RecurrentNetwork(Network):
    """Lookup tables, recurrent layers, and one head per task."""

    settings: RecurrentConfig

    def add_layers(self) -> None:
        settings, size = self.settings, self.inputs.size
        units, skip = len(DIRECTIONS) * settings.units, settings.skip
        sizes = [size] + [skip * size + units] * (settings.layers - 1)
        self.layers = nn.ModuleList(RecurrentLayer(n, settings) for n in sizes)
        joined = (settings.layers if skip else 1) * units
        self.above = RecurrentLayer(joined, settings) if settings.spans else None  # the spans
        self.of_sentences = settings.spans
        # Between layers, not between steps (section 11.2).
        self.between = nn.Dropout(self.options.train.dropout_hidden)
        self.add_heads_above(units if settings.spans else joined)

    @staticmethod
    def span_lengths(settings: RecurrentConfig, words: Sequence[str]) -> list[int] | None:
        return span_lengths(words) if settings.spans else None

    def encode(self, batch: Batch) -> Tensor:
        """States of words, (n_sentences, n_steps, units of the last layer, or of all)."""
        return self._states(self.dropout(self.inputs(batch)), batch.lengths)

    def _states(self, words: Tensor, lengths: Tensor) -> Tensor:
        """States of the words (n_sequences, n_steps, size) of sequences, as `encode` gives them."""
        x = words
        states: list[Tensor] = []
        for layer in self.layers:
            x = torch.cat([words, x], 2) if self.settings.skip and states else x
            x = self.between(layer(x, lengths))
            states.append(x)
        if not self.settings.skip:
            return x
        # All that read from the first word, then all others: see `ends`.
        n = len(DIRECTIONS)
        return torch.cat([x.chunk(n, 2)[i] for i in range(n) for x in states], 2)

    def forward(self, task: str, batch: Batch) -> Tensor:
        if self.above is None:
            return super().forward(task, batch)
        return self._labels_of_spans(task, self.dropout(self.inputs(batch)), batch)

    def _labels_of_spans(self, task: str, x: Tensor, batch: Batch) -> Tensor:
        """Emissions by spans between punctuation, each read by itself (Li et al. 2015)."""
        assert self.above is not None and batch.spans is not None
        sentences, lengths = batch.spans.T
        x = self._states(_regrouped(x[mask_of(batch.lengths, x.shape[1])], lengths), lengths)
        states = ends(x, lengths)
        counts = torch.bincount(sentences, minlength=len(batch.lengths))
        states = self.between(self.above(_regrouped(states, counts), counts))
        head = self.head(task)
        assert isinstance(head, LabelHead)
        return head.of_inputs([(states, counts)], batch)

    def layer_arrays(self) -> Arrays:
        arrays: Arrays = {} if self.above is None else self.above.arrays("spans")
        for i, layer in enumerate(self.layers):
            assert isinstance(layer, RecurrentLayer)
            arrays |= layer.arrays(f"layer-{i}")
            if self.settings.skip and i:  # apart: what words give is computed once per form
                parts = np.split(arrays[f"layer-{i}.weight"], [self.inputs.size])
                arrays[f"layer-{i}.weight"], arrays[f"layer-{i}.below.weight"] = parts
        return arrays


def _regrouped(rows: Tensor, lengths: Tensor) -> Tensor:
    """Rows (n, size) that lie end to end as sequences (len(lengths), n_steps, size)."""
    starts = lengths.cumsum(0) - lengths
    steps = torch.arange(int(lengths.max()), device=rows.device)
    return rows[(starts[:, None] + steps).clamp(max=len(rows) - 1)]  # beyond an end any row does


class RecurrentLetters(nn.Module):
    """The last states of two LSTMs over a word's letters, one from each end (Ling et al. 2015)."""

    def __init__(self, table: FormTable, size: int) -> None:
        """size: numbers per letter."""
        super().__init__()
        self.letters = nn.Embedding(table.n_rows, size, padding_idx=0)
        self.layer = RecurrentLayer(size, CellSettings("lstm", table.size // 2))

    def forward(self, letters: Tensor) -> Tensor:
        """letters (n_forms, longest), zero after the last one -> (n_forms, 2 units)."""
        lengths = (letters != 0).sum(1)
        some = lengths.clamp(min=1)
        states = self.layer(self.letters(letters[:, : int(some.max())]), some)
        vectors: Tensor = ends(states, some) * (lengths > 0)[:, None]
        return vectors

    def arrays(self, name: str) -> Arrays:
        """Their weights, by their names in the model folder."""
        return {name: view_of(self.letters.weight)} | self.layer.arrays("characters")

    @staticmethod
    def of_folder(folder: ModelFolder, table: FormTable) -> LettersOfFolder:
        """The same layers with the weights of a model folder, at tagging time."""
        return LettersOfFolder(folder, table)


class LettersOfFolder:
    """The same at tagging time, with the weights of a model folder."""

    def __init__(self, folder: ModelFolder, table: FormTable) -> None:
        letters = letter_table(folder, table)
        self.size = len(folder.array("characters.bias", None)) // 4
        if not self.size:
            raise damaged("layers over letters without units", folder.path)
        self.module = RecurrentLetters(replace(table, size=self.size), letters.shape[1])
        for name, place in self.module.arrays("letters").items():
            place[...] = folder.array(name, *place.shape)

    @torch.no_grad()
    def __call__(self, rows: Ids) -> Floats:
        """rows (n_forms, longest), zero after a form's last letter: (n_forms, size)."""
        vectors: Floats = self.module(torch.from_numpy(rows).long()).numpy()
        return vectors


LETTERS = {"recurrent": RecurrentLetters}
LAYERS = {"recurrent": lambda table, chosen: RecurrentLetters(table, chosen.characters.size)}
NETWORK = RecurrentNetwork
