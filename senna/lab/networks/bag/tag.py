"""A bag of words: their features, added up, through one hidden layer to the label of a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from senna.answers.labels import Label
from senna.heads.labels import FINE, OutputLayer, labels_of
from senna.lab.networks.settings import BagConfig
from senna.model.folder import ModelFolder
from senna.networks.base import Network
from senna.paths.confidence import PLAIN, Request
from senna.products.exact import Floats
from senna.products.lookup import WordTable
from senna.products.workspace import Block, Ints, Workspace


def frequencies(folder: ModelFolder) -> dict[str, float]:
    """The inverse document frequencies of words, "" of those that training lacked."""
    words = ["", *folder.lines("idf.txt")]
    return dict(zip(words, folder.array("idf", len(words)).tolist(), strict=True))


class BagHead(OutputLayer):
    """The output layer of one vector per sentence."""

    def __call__(self, x: Floats, block: Block, request: Request = PLAIN) -> Sequence[Label]:
        return labels_of(self.scores(x), self.names, self.temperature, request)


class BagNetwork(Network):
    """The hidden layer of sentences, and their labels."""

    SETTINGS: ClassVar = BagConfig

    def __init__(self, folder: ModelFolder, words: WordTable, settings: BagConfig) -> None:
        super().__init__(folder, words, 1, settings.units)
        self.is_mean = settings.sum == "mean"
        self.idf = frequencies(folder) if settings.weights == "tf-idf" else {}
        self.bias = folder.array("layer-0.bias", settings.units)
        self.add_heads(labels=lambda folder, task: BagHead(folder, task, settings.units))

    def encode(self, block: Block, space: Workspace) -> Floats:
        """(n_sentences, units). The layer is linear up to here, so words pass it one by one."""
        x, lengths = self.first(block, space), block.lengths
        x -= self.bias
        hidden = np.tile(self.bias, (len(lengths), 1))
        some = np.flatnonzero(lengths)
        if len(some):
            weights = self._weights(block, space) if self.idf else np.ones(len(x), np.float32)
            hidden[some] += self._sums(x * weights[:, None], weights, lengths[some])
        np.maximum(hidden, 0, out=hidden)
        return hidden

    def _weights(self, block: Block, space: Workspace) -> Floats:
        """How much each word counts, (n_words,)."""
        forms, places = np.unique(block.flat[block.places], return_inverse=True)
        words = (space.spelt[form].lower for form in forms.tolist())
        return np.array([self.idf.get(word, self.idf[""]) for word in words], np.float32)[places]

    def _sums(self, x: Floats, weights: Floats, lengths: Ints) -> Floats:
        """In double precision sums of whole numbers are exact, whatever their order.

        So are those of weights, of which a few thousand have less than 53 bits.
        """
        starts = np.cumsum(lengths) - lengths
        numbers = np.rint(x * FINE).astype(np.float64)
        sums = np.add.reduceat(numbers, starts, axis=0) / float(FINE)
        if self.is_mean:
            sums /= np.add.reduceat(weights.astype(np.float64), starts)[:, None]
        words: Floats = sums.astype(np.float32)
        return words


NETWORK = BagNetwork
