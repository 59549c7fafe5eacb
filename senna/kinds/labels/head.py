"""From a network's last layer to one label per sentence: the words are pooled, a layer follows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from senna import registry
from senna.decoding.requests import PLAIN, Request
from senna.inference.exact import Floats, Weights, product
from senna.inference.workspace import Block, Ints
from senna.kinds.head import read_tags, temperature_of
from senna.kinds.labels.answer import Label
from senna.kinds.settings import LabelConfig, several
from senna.model.folder import ModelFolder
from senna.settings import make

FINE = np.float32(2**14)  # units are counted in its inverse before they are summed


def _means(x: Floats, starts: Ints, lengths: Ints) -> Floats:
    """In double precision sums of whole numbers are exact, whatever their order."""
    numbers = np.rint(x * FINE).astype(np.float64)
    sums = np.add.reduceat(numbers, starts, axis=0)
    means: Floats = (sums / (float(FINE) * lengths[:, None])).astype(np.float32)
    return means


Pool = Callable[[Floats, Ints, Ints], Floats]
# Each takes x (n_words, units) and the first words and lengths of sentences, none of them empty,
# that lie end to end, and gives (n_sentences, units).
POOLING: dict[str, Pool] = {
    "mean": _means,
    "max": lambda x, starts, lengths: np.maximum.reduceat(x, starts, axis=0),
}


def _pool(name: str) -> Pool:
    """The function of a kind of pooling; of "3-max" it gives (n_sentences, 3 units)."""
    k, kind = several(name)
    pool: Pool = registry.POOLING[name] if k == 1 else partial(registry.POOLING[f"k-{kind}"], k=k)
    return pool


class LabelHead:
    """Pooling, and the output layer of a task that gives a sentence one label."""

    def __init__(self, folder: ModelFolder, task: str, units: int) -> None:
        """For the encoder's output of `units` numbers per word."""
        self.names = read_tags(folder, task)
        table, where = folder.meta["network"].get("label", {}), str(folder.path / "model.toml")
        settings = make(LabelConfig, table, where=where, key="network.label", strict=False)
        n = len(self.names)
        weights = folder.array(f"{task}.output.weight", units * settings.width, n)
        ends = np.cumsum([units * several(name)[0] for name in settings.pooling])
        # Each part is rounded by itself: means are much smaller than maxima.
        self.parts = [
            (_pool(name), Weights.of(part))
            for name, part in zip(settings.pooling, np.split(weights, ends[:-1]), strict=True)
        ]
        self.bias = folder.array(f"{task}.output.bias", n)
        self.temperature = temperature_of(folder, task)

    def scores(self, x: Floats, lengths: Ints) -> Floats:
        """Scores (n_sentences, n_labels) of x (n_words, units); without words they are the bias."""
        scores = np.tile(self.bias, (len(lengths), 1))
        some = np.flatnonzero(lengths)
        starts = (np.cumsum(lengths) - lengths)[some]
        for pool, weights in self.parts if len(some) else ():
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


def head(folder: ModelFolder, task: str, units: int, settings: object) -> LabelHead:
    """The head above an encoder that gives `units` numbers per word."""
    return LabelHead(folder, task, units)
