"""Convolutions over the words of a sentence, of several widths side by side, for its label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from senna.heads.labels import LabelHead
from senna.lab.networks.settings import ConvolutionConfig
from senna.model.folder import ModelFolder
from senna.networks.base import Network, layer_of
from senna.products.exact import Floats, Weights, product
from senna.products.lookup import WordTable
from senna.products.workspace import Block, Ints, Workspace, places_of


class ConvolutionHead(LabelHead):
    """The label of a sentence, by what each width's filters give, pooled."""

    def __init__(self, folder: ModelFolder, task: str, settings: ConvolutionConfig) -> None:
        super().__init__(folder, task, settings.units, len(settings.widths))
        self.settings, units = settings, settings.units
        self.stages = [
            [
                layer_of(folder, f"stage-{i}.{width}", units, width * units)
                for i in range(1, 1 + len(settings.pools))
            ]
            for width in settings.widths
        ]

    def scores(self, x: Floats, lengths: Ints) -> Floats:
        """See `LabelHead.scores`; x is what each word gives in each place of each filter."""
        scores = np.tile(self.bias, (len(lengths), 1))
        some = np.flatnonzero(lengths)
        if len(some):
            ends = np.cumsum(self.settings.widths)[:-1] * self.settings.units
            parts = zip(np.split(x, ends, axis=1), self.settings.widths, self.stages, strict=True)
            scores[some] = self.of_inputs([self._staged(*part, lengths[some]) for part in parts])
        return scores

    def _staged(
        self, x: Floats, width: int, stages: Sequence[tuple[Weights, Floats]], lengths: Ints
    ) -> tuple[Floats, Ints]:
        """The filters of a width, and those of later stages over what is pooled of them."""
        y, counts = self._filtered(x, lengths, width)
        for pool, (weights, bias) in zip(self.settings.pools, stages, strict=True):
            of_sentences = -(-counts // pool)
            steps = np.arange(int(of_sentences.sum()))
            before = np.repeat(np.cumsum(of_sentences) - of_sentences, of_sentences)
            first = np.repeat(np.cumsum(counts) - counts, of_sentences) + pool * (steps - before)
            x = product(np.maximum.reduceat(y, first, axis=0), weights)
            x += bias
            y, counts = self._filtered(x, of_sentences, width)
        return y, counts

    def _filtered(self, x: Floats, lengths: Ints, width: int) -> tuple[Floats, Ints]:
        """The outputs of filters, end to end, and the number of each sentence.

        x (n_words, width * units). Zeros stand between sentences, so that no filter sees two.
        """
        units, margin = self.settings.units, width - 1
        padded = np.zeros((len(x) + margin * (len(lengths) + 1), width, units), np.float32)
        padded[places_of(lengths, margin)] = x.reshape(len(x), width, units)
        n = len(padded) - margin
        sums = padded[:n, 0].copy()
        for k in range(1, width):
            sums += padded[k : k + n, k]
        np.maximum(sums, 0, out=sums)
        counts = self.settings.places(lengths, width)
        first = np.cumsum(lengths + margin) - lengths  # of the sentences' words
        first = first - margin if self.settings.wide else first
        steps = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        return sums[np.repeat(first, counts) + steps], counts


class ConvolutionNetwork(Network):
    """Filters over words, and the labels of sentences, in NumPy."""

    SETTINGS: ClassVar = ConvolutionConfig

    def __init__(self, folder: ModelFolder, words: WordTable, settings: ConvolutionConfig) -> None:
        super().__init__(folder, words, 1, sum(settings.widths) * settings.units)
        self.add_heads(labels=lambda folder, task: ConvolutionHead(folder, task, settings))

    def encode(self, block: Block, space: Workspace) -> Floats:
        """(n_words, units of all places): for each width, of the first to the last place."""
        return self.first(block, space)


NETWORK = ConvolutionNetwork
