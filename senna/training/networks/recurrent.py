"""The recurrent network: layers of cells over the words, in one or two directions.

Its states are the heads' input: with the sentence criterion that is a BiLSTM-CRF (Huang et al.
2015), with the last states for a label an acceptor (Goldberg 2015, section 10.3).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from senna.config import Config
from senna.infer.networks.recurrent import role_layers
from senna.tasks import TASKS
from senna.training.examples.batches import Batch
from senna.training.layers.recurrence import RecurrentLayer, ends, last_states
from senna.training.lookup import Inputs
from senna.training.losses.criteria import mask_of
from senna.training.network import Network
from senna.training.networks.gated import PairLayers
from senna.training.networks.window import Layers
from senna.training.weights import Arrays


class RecurrentNetwork(Network):
    """Lookup tables, recurrent layers, and one head a task."""

    HEADS = ("tags", "roles", "labels")

    def __init__(
        self, config: Config, inputs: Inputs, names: dict[str, list[str]], n_labels: int = 0
    ) -> None:
        super().__init__(config, inputs, names, n_labels)
        settings, dropout = config.network.recurrent, config.train.dropout_hidden
        units = settings.directions * settings.units
        sizes = [inputs.size] + [units] * (settings.layers - 1)
        self.layers = nn.ModuleList(RecurrentLayer(size, settings) for size in sizes)
        self.above = RecurrentLayer(units, settings) if settings.spans else None  # the spans
        self.between = nn.Dropout(dropout)  # of layers, not of steps (section 11.2)
        for task in names:
            if TASKS[task].head == "roles":
                self.add_head(
                    task, PairLayers(role_layers(settings), dropout, n_labels), settings.pair
                )
            else:
                self.add_head(task, Layers([], 0), units)

    def forward(self, task: str, batch: Batch) -> Tensor:
        x, head = self.dropout(self.inputs(batch)), self.head(task)
        if self.above is not None:
            return self._labels_of_spans(task, x, batch)
        for layer in self.layers:
            x = self.between(layer(x, batch.lengths))
        if batch.pairs is not None:
            x = head.layers(x, batch.pairs, batch.gold_lengths, batch.views)
        emissions: Tensor = head(x, batch.gold_lengths)
        return emissions

    def _labels_of_spans(self, task: str, x: Tensor, batch: Batch) -> Tensor:
        """Emissions by spans between punctuation, each read by itself (Li et al. 2015)."""
        assert self.above is not None and batch.spans is not None
        sentences, lengths = batch.spans.T
        x = _regrouped(x[mask_of(batch.lengths, x.shape[1])], lengths)
        for layer in self.layers:
            x = self.between(layer(x, lengths))
        both = self.config.network.recurrent.directions == 2
        states = ends(x, lengths) if both else last_states(x, lengths)
        counts = torch.bincount(sentences, minlength=len(batch.lengths))
        emissions: Tensor = self.head(task)(
            self.between(self.above(_regrouped(states, counts), counts)), counts
        )
        return emissions

    def layer_arrays(self) -> Arrays:
        arrays: Arrays = {} if self.above is None else self.above.arrays("spans")
        for i, layer in enumerate(self.layers):
            assert isinstance(layer, RecurrentLayer)
            arrays |= layer.arrays(f"layer-{i}")
        return arrays


def _regrouped(rows: Tensor, lengths: Tensor) -> Tensor:
    """Rows (n, size) that lie end to end as sequences (len(lengths), n_steps, size)."""
    starts = lengths.cumsum(0) - lengths
    steps = torch.arange(int(lengths.max()), device=rows.device)
    return rows[(starts[:, None] + steps).clamp(max=len(rows) - 1)]  # beyond an end any row does
