"""The recurrent network at tagging time: see `senna.networks.recurrent.train`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from senna.errors import SennaError
from senna.model.folder import ModelFolder
from senna.model.schema import AGAIN
from senna.networks.recurrent.settings import RecurrentConfig
from senna.networks.tag import Network
from senna.outputs.labels.answer import Label
from senna.outputs.labels.tag import LabelHead, labels_of
from senna.paths.confidence import PLAIN, Request
from senna.products.exact import Floats
from senna.products.lookup import WordTable
from senna.products.recurrence import CellLayer, ends
from senna.products.workspace import Block, Workspace
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
        if settings.wrong:
            raise SennaError(settings.wrong, where=str(folder.path / "model.toml"), mend=AGAIN)
        units = settings.directions * settings.units
        super().__init__(folder, words, 1, settings.gates * units)
        self.layers = [  # what words give to the gates of the first layer is in `FirstLayer`
            CellLayer(folder, f"layer-{i}", settings, units if i else None)
            for i in range(settings.layers)
        ]
        self.directions, self.spans = settings.directions, settings.spans
        if settings.spans:
            self.layers.append(CellLayer(folder, "spans", settings, units))
            self.add_heads(labels=lambda folder, task: SpanLabels(folder, task, units))
            return
        self.add_heads_above(units, settings)

    def encode(self, block: Block, space: Workspace) -> Floats:
        x = self.first(block, space)
        if self.spans:
            return self._of_spans(x, list(map(span_lengths, block.forms)))
        for layer in self.layers:
            x = layer(x, block.lengths)
        return x

    def _of_spans(self, x: Floats, sentences: Sequence[Sequence[int]]) -> Floats:
        """States of the spans of sentences, (n_spans, units), of words x (n_words, units)."""
        lengths = np.array([n for spans in sentences for n in spans], np.int64)
        *layers, above = self.layers
        for layer in layers:
            x = layer(x, lengths)
        starts = np.cumsum(lengths) - lengths
        states = ends(x, starts, lengths) if self.directions == 2 else x[starts + lengths - 1]
        return above(states, np.array(list(map(len, sentences)), np.int64))


NETWORK = RecurrentNetwork
