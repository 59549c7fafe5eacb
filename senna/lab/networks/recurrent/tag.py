"""The recurrent network at tagging time: see `senna.lab.networks.recurrent.train`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from senna.answers.labels import Label
from senna.conditions import refused
from senna.errors import SennaError
from senna.heads.labels import LabelHead, labels_of
from senna.lab.networks.recurrence_tag import CellLayer, ends
from senna.lab.networks.settings import RecurrentConfig
from senna.model.folder import ModelFolder
from senna.model.schema import AGAIN
from senna.networks.base import Network
from senna.paths.confidence import PLAIN, Request
from senna.products.exact import Floats, Weights, fine_product
from senna.products.lookup import WordTable
from senna.products.workspace import Block, Ints, Workspace
from senna.text.english import span_lengths


class SpanLabels(LabelHead):
    """Labels of sentences, of the states of their spans."""

    def __call__(self, x: Floats, block: Block, request: Request = PLAIN) -> Sequence[Label]:
        """See `LabelHead`; x (n_spans, units)."""
        counts = np.array([len(span_lengths(forms)) for forms in block.forms], np.int64)
        return labels_of(self.scores(x, counts), self.names, self.temperature, request)


class RecurrentNetwork(Network):
    """Recurrent layers, and one head per task."""

    SETTINGS: ClassVar = RecurrentConfig

    def __init__(self, folder: ModelFolder, words: WordTable, settings: RecurrentConfig) -> None:
        if wrong := refused(settings):
            raise SennaError(wrong, where=str(folder.path / "model.toml"), mend=AGAIN)
        units = settings.directions * settings.units
        across, names = settings.gates * units, [f"layer-{i}" for i in range(settings.layers)]
        # What words give to the gates is in `FirstLayer`: of the first layer, with `skip` of all.
        of_words = names if settings.skip else names[:1]
        super().__init__(folder, words, 1, dict.fromkeys(of_words, across))
        self.layers = [
            CellLayer(folder, name, settings, None if name in of_words else units) for name in names
        ]
        self.below = [  # with `skip`: what the states of the layer below give to them
            Weights.of(folder.array(f"{name}.below.weight", units, across)) for name in of_words[1:]
        ]
        self.directions, self.spans = settings.directions, settings.spans
        joined = len(of_words) * units
        if settings.spans:
            self.above = CellLayer(folder, "spans", settings, joined)
            self.add_heads(labels=lambda folder, task: SpanLabels(folder, task, units))
            return
        self.add_heads_above(joined, settings)

    def encode(self, block: Block, space: Workspace) -> Floats:
        x = self.first(block, space)
        if self.spans:
            return self._of_spans(x, list(map(span_lengths, block.forms)))
        return self._states(x, block.lengths)

    def _states(self, x: Floats, lengths: Ints) -> Floats:
        """States of the words of sequences: of the last layer, or of all; x of the first layer."""
        if self.below:
            return self._of_all_layers(np.split(x, len(self.layers), axis=1), lengths)
        for layer in self.layers:
            x = layer(x, lengths)
        return x

    def _of_all_layers(self, of_words: Sequence[Floats], lengths: Ints) -> Floats:
        """The states of all layers, joined; of_words: what words give to the gates of each."""
        states = [self.layers[0](of_words[0], lengths)]
        for layer, gates, below in zip(self.layers[1:], of_words[1:], self.below, strict=True):
            states.append(layer(fine_product(states[-1], below) + gates, lengths))
        n = self.directions  # all that read from the first word, then all others: see `ends`
        return np.concatenate([np.split(x, n, axis=1)[i] for i in range(n) for x in states], axis=1)

    def _of_spans(self, x: Floats, sentences: Sequence[Sequence[int]]) -> Floats:
        """States of the spans of sentences, (n_spans, units), of words x (n_words, units)."""
        lengths = np.array([n for spans in sentences for n in spans], np.int64)
        x = self._states(x, lengths)
        starts = np.cumsum(lengths) - lengths
        states = ends(x, starts, lengths) if self.directions == 2 else x[starts + lengths - 1]
        return self.above(states, np.array(list(map(len, sentences)), np.int64))


NETWORK = RecurrentNetwork
