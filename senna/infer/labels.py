"""From a network's last layer to one label a sentence: the words are pooled, a layer follows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from senna.infer.confidence import PLAIN, Request
from senna.infer.heads import read_tags, temperature_of
from senna.infer.products import Floats, Weights, product
from senna.infer.recurrence import ends
from senna.infer.workspace import Block, Ints
from senna.model.folder import ModelFolder
from senna.outputs.labels import Label
from senna.toml import build, text

FINE = np.float32(2**14)  # units are counted in its inverse before they are summed


def _means(x: Floats, starts: Ints, lengths: Ints) -> Floats:
    """In double precision sums of whole numbers are exact, whatever their order."""
    numbers = np.rint(x * FINE).astype(np.float64)
    sums = np.add.reduceat(numbers, starts, axis=0)
    means: Floats = (sums / (float(FINE) * lengths[:, None])).astype(np.float32)
    return means


def _maxima(x: Floats, starts: Ints, lengths: Ints) -> Floats:
    maxima: Floats = np.maximum.reduceat(x, starts, axis=0)
    return maxima


def _last(x: Floats, starts: Ints, lengths: Ints) -> Floats:
    states: Floats = x[starts + lengths - 1]
    return states


# Each takes x (n_words, units) and the first words and lengths of sentences, none of them empty,
# that lie end to end, and gives (n_sentences, units).
POOLING: dict[str, Callable[[Floats, Ints, Ints], Floats]] = {
    "mean": _means,
    "max": _maxima,
    "last": _last,
    "ends": ends,
}


@dataclass(frozen=True)
class LabelConfig:
    """What the task of labels has above the encoder."""

    # of each unit, over the words of a sentence; several stand side by side. Of recurrent networks
    # also "last", the state after the last word, and "ends", that of each of two directions
    pooling: tuple[str, ...] = text(
        ("mean", "max"), POOLING.__contains__, f"is none of {', '.join(POOLING)}", distinct=True
    )


class LabelHead:
    """Pooling, and the output layer of a task that gives a sentence one label."""

    def __init__(self, folder: ModelFolder, task: str, units: int) -> None:
        """For the encoder's output of `units` numbers a word."""
        self.names = read_tags(folder, task)
        table, where = folder.meta["network"].get("label", {}), str(folder.path / "model.toml")
        settings = build(LabelConfig, table, where=where, key="network.label", strict=False)
        n_in, n = units * len(settings.pooling), len(self.names)
        weights = np.split(folder.array(f"{task}.output.weight", n_in, n), len(settings.pooling))
        # Each part is rounded by itself: means are much smaller than maxima.
        self.parts = [
            (POOLING[name], Weights.of(part))
            for name, part in zip(settings.pooling, weights, strict=True)
        ]
        self.bias = folder.array(f"{task}.output.bias", n)
        self.temperature = temperature_of(folder, task)

    def scores(self, x: Floats, lengths: Ints) -> Floats:
        """Scores (n_sentences, n_labels) of x (n_words, units); without words they are the bias."""
        scores = np.tile(self.bias, (len(lengths), 1))
        some = np.flatnonzero(lengths)
        if len(some):
            starts = (np.cumsum(lengths) - lengths)[some]
            for pool, weights in self.parts:
                scores[some] += product(pool(x, starts, lengths[some]), weights)
        return scores

    def __call__(self, x: Floats, block: Block, request: Request = PLAIN) -> Sequence[Label]:
        """The label of each sentence; x is what the network gives, (n_words, units)."""
        return labels_of(self.scores(x, block.lengths), self.names, self.temperature, request)


def labels_of(
    scores: Floats, names: Sequence[str], temperature: float, request: Request
) -> list[Label]:
    """The label of each sentence, with probabilities where asked for; scores (n, n_labels)."""
    labels = [names[i] for i in scores.argmax(axis=1).tolist()]
    if not request.asked.scores:
        return list(map(Label, labels))
    wide = scores.astype(np.float64) / temperature
    chances = np.exp(wide - wide.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    every = (dict(zip(names, row, strict=True)) for row in chances.tolist())
    return list(map(Label, labels, every))


class NodeHead:
    """The output layer of labels at the nodes of trees; that of a sentence is its root's."""

    def __init__(self, folder: ModelFolder, task: str, units: int) -> None:
        """For states of `units` numbers a node."""
        self.names = read_tags(folder, task)
        n = len(self.names)
        self.weights = Weights.of(folder.array(f"{task}.output.weight", units, n))
        self.bias = folder.array(f"{task}.output.bias", n)
        self.temperature = temperature_of(folder, task)

    def scores(self, x: Floats) -> Floats:
        """Scores (n_nodes, n_labels) of states x (n_nodes, units)."""
        scores = product(x, self.weights)
        scores += self.bias
        return scores

    def __call__(self, x: Floats, block: Block, request: Request = PLAIN) -> Sequence[Label]:
        """The label of each sentence and of its nodes; the bias decides for one without words."""
        nodes = np.maximum(2 * block.lengths - 1, 0)
        ends = np.cumsum(nodes)
        scores = self.scores(x)
        roots = np.tile(self.bias, (len(nodes), 1))
        roots[nodes > 0] = scores[(ends - nodes)[nodes > 0]]
        labels = labels_of(roots, self.names, self.temperature, request)
        best = [self.names[i] for i in scores.argmax(axis=1).tolist()]
        for label, end, n in zip(labels, ends.tolist(), nodes.tolist(), strict=True):
            label.nodes = best[end - n : end]
        return labels
