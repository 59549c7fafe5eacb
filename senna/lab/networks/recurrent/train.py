"""The recurrent network: layers of cells over the words, in one or two directions.

Its states are the heads' input: with the sentence criterion that is a BiLSTM-CRF (Huang et al.
2015), with the last states for a label an acceptor (Goldberg 2015, section 10.3). With `skip` each
layer also reads the words, and the heads read all layers (Hermans and Schrauwen 2013; Graves 2013,
section 2).
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from senna.lab.networks.recurrence import RecurrentLayer
from senna.lab.networks.settings import RecurrentConfig
from senna.training.heads.labels import LabelHead, ends, last_states
from senna.training.layers.batch import Batch, mask_of
from senna.training.layers.lookup import Inputs
from senna.training.layers.options import NetworkOptions
from senna.training.layers.weights import Arrays
from senna.training.networks.base import Network


class RecurrentNetwork(Network):
    """Lookup tables, recurrent layers, and one head per task."""

    def __init__(
        self,
        settings: RecurrentConfig,
        options: NetworkOptions,
        inputs: Inputs,
        names: dict[str, list[str]],
    ) -> None:
        super().__init__(options, inputs, names)
        self.settings = settings
        dropout = options.dropout_hidden
        units, skip = settings.directions * settings.units, settings.skip
        sizes = [inputs.size] + [skip * inputs.size + units] * (settings.layers - 1)
        self.layers = nn.ModuleList(RecurrentLayer(size, settings) for size in sizes)
        joined = (settings.layers if skip else 1) * units
        self.above = RecurrentLayer(joined, settings) if settings.spans else None  # the spans
        self.between = nn.Dropout(dropout)  # of layers, not of steps (section 11.2)
        self.add_heads_above(units if settings.spans else joined, settings)

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
        n = self.settings.directions
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
        both = self.settings.directions == 2
        states = ends(x, lengths) if both else last_states(x, lengths)
        counts = torch.bincount(sentences, minlength=len(batch.lengths))
        states = self.between(self.above(_regrouped(states, counts), counts))
        head = self.head(task)
        assert isinstance(head, LabelHead)
        return head.of_inputs([(states, counts)])

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


NETWORK = RecurrentNetwork
