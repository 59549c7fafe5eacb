"""Networks at tagging time: what all kinds have in common, and the window network (eqs. 1 to 5)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from senna.errors import SennaError
from senna.infer.first_layer import Block, FirstLayer, Floats, Forms, Ints
from senna.infer.lookup import WordTable, places_of, product
from senna.infer.model_folder import ModelFolder
from senna.infer.viterbi import viterbi
from senna.tasks import TASKS
from senna.text.iobes import FORBIDDEN, forbidden

CHUNK = 4_096  # words a step of a later hidden layer


@dataclass(frozen=True)
class Hidden:
    """One hidden layer's weights, (window * size, units), and bias (units,)."""

    weights: Floats
    bias: Floats
    window: int


class Head:
    """The layers, output layer and transitions of one task."""

    def __init__(self, folder: ModelFolder, task: str, layers: list[Hidden]) -> None:
        self.tags = folder.lines(f"{task}.tags.txt")
        self.layers = layers
        self.weights = np.ascontiguousarray(folder.array(f"{task}.output.weight"))
        n = len(self.tags)
        self.bias = folder.array(f"{task}.output.bias", n)
        network = folder.meta["network"]
        self.paths = network["criterion"] == "sentence"
        self.transitions = np.array(folder.array(f"{task}.transitions", n))
        self.initial = np.array(folder.array(f"{task}.initial", n))
        self.final = np.zeros(len(self.tags), np.float32)
        if self.paths and network["constrained"] and TASKS[task].output != "tags":
            rules = forbidden(self.tags)
            self.initial[rules[0]] = FORBIDDEN
            self.transitions[rules[1:-1]] = FORBIDDEN
            self.final[rules[-1]] = FORBIDDEN

    def scores(self, x: Floats) -> Floats:
        """The output layer: (n_words, units) to (n_words, n_tags)."""
        found = product(x, self.weights)
        found += self.bias
        return found


class Tagger:
    """One model folder, loaded: form numbers (and context features) to tags and roles."""

    def __init__(
        self, folder: ModelFolder, words: WordTable, forms: Forms, window: int, units: int
    ) -> None:
        self.folder = folder
        self.tasks = folder.tasks
        self.first = FirstLayer(folder, words, forms, window, units)
        self.encoder = self.first.encoder
        self.margin = window // 2  # paddings between sentences
        self.pos = self.first.vocabularies.get("pos")
        self.pt0 = self.first.vocabularies.get("pt0")
        self.gazetteer = self.first.gazetteer
        self.heads: dict[str, Head] = {}

    def emissions(self, block: Block, tasks: Collection[str] | None = None) -> dict[str, Floats]:
        """Scores of all tags of each task asked for (default: all), (n_words, n_tags).

        Roles have no such scores: see `roles`.
        """
        raise NotImplementedError

    def roles(self, block: Block, predicates: Sequence[Sequence[int]]) -> list[list[list[str]]]:
        """The IOBES roles of each sentence's words for each of its predicates.

        predicates: for each sentence their places in it, from 0.
        """
        raise SennaError("a network of this kind finds no roles", where=str(self.folder.path))

    def decode(self, task: str, scores: Floats, lengths: Ints) -> list[list[str]]:
        """The best path of each sentence, as tags."""
        head = self.heads[task]
        if len(scores) == 0:
            return [[] for _ in lengths]
        ends = np.cumsum(lengths)
        scores[ends - 1] += head.final
        if not head.paths:
            path = scores.argmax(axis=1)
        else:
            path = decode(scores, lengths, head.transitions, head.initial)
        tags = [head.tags[i] for i in path]
        return [tags[end - n : end] for end, n in zip(ends, lengths, strict=True)]


class WindowTagger(Tagger):
    """The window network: hidden layers that see a window of words, the first ones shared."""

    def __init__(self, folder: ModelFolder, words: WordTable, forms: Forms) -> None:
        network = folder.meta["network"]["window"]
        self.windows: list[int] = network["widths"]
        super().__init__(folder, words, forms, self.windows[0], network["hidden"][0])
        n_shared = network["shared"]
        self.shared = [self._layer(folder, f"layer-{i}", i) for i in range(1, n_shared)]
        for task in self.tasks:
            own = range(n_shared, len(self.windows))
            layers = [self._layer(folder, f"{task}.layer-{i}", i) for i in own]
            self.heads[task] = Head(folder, task, layers)

    def _layer(self, folder: ModelFolder, name: str, number: int) -> Hidden:
        weights = np.ascontiguousarray(folder.array(f"{name}.weight"))
        return Hidden(weights, folder.array(f"{name}.bias"), self.windows[number])

    def emissions(self, block: Block, tasks: Collection[str] | None = None) -> dict[str, Floats]:
        """See `Tagger.emissions`."""
        x = self.first(block)
        np.clip(x, -1.0, 1.0, out=x)  # HardTanh, eq. 5
        for layer in self.shared:
            x = hidden(x, layer, block.lengths)
        scores = {}
        for task, head in self.heads.items():
            if tasks is not None and task not in tasks:
                continue
            y = x
            for layer in head.layers:
                y = hidden(y, layer, block.lengths)
            scores[task] = head.scores(y)
        return scores


def hidden(x: Floats, layer: Hidden, lengths: Ints) -> Floats:
    """A later hidden layer: (n_words, size) to (n_words, units), zeros beyond sentence ends."""
    if layer.window == 1:
        y = product(x, layer.weights)
    else:
        half = layer.window // 2
        places = places_of(lengths, half)
        padded = np.zeros((len(x) + half * (len(lengths) + 1), x.shape[1]), np.float32)
        padded[places] = x
        y = np.empty((len(x), len(layer.bias)), np.float32)
        for start in range(0, len(x), CHUNK):
            part = places[start : start + CHUNK]
            windows = [padded[part + k - half] for k in range(layer.window)]
            y[start : start + CHUNK] = product(np.concatenate(windows, axis=1), layer.weights)
    y += layer.bias
    return np.clip(y, -1.0, 1.0, out=y)


def decode(scores: Floats, lengths: Ints, transitions: Floats, initial: Floats) -> NDArray[np.intp]:
    """Viterbi over sentences of like length together; flat in, flat out, (n_words,)."""
    starts = np.cumsum(lengths) - lengths
    order = np.argsort(-lengths, kind="stable")
    order = order[lengths[order] > 0]
    path = np.empty(len(scores), np.intp)
    for first in range(0, len(order), 128):
        rows = order[first : first + 128]
        own = lengths[rows].astype(np.int32)
        steps = np.arange(own[0])
        # Beyond a sentence's end any row does: viterbi does not look at it.
        index = np.minimum(starts[rows] + steps[:, None], len(scores) - 1)
        padded = np.ascontiguousarray(scores[index].transpose(0, 2, 1))  # (step, tag, sentence)
        best = viterbi(padded, own, transitions, initial)
        inside = steps[:, None] < own
        path[index[inside]] = best[inside]
    return path
