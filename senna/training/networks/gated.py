"""The gated network: an encoder that runs once a sentence, and one output a task.

Each layer adds to a word's units a gated convolution over the normalised units of some words that
stand `dilation` apart (Dauphin et al. 2017; van den Oord et al. 2016). For roles, each word and
each predicate is multiplied once; a word w for a predicate p is then ReLU(A h_w + B h_p +
d[w - p]). It is the paper's own trick (section 3.3.2: the convolution is linear, so its parts are
computed once), behind a deep encoder that all predicates share. A few smaller layers of the same
kind then run over the words for each predicate, and an output layer.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from senna.config import Config
from senna.infer.networks.gated import GatedConfig, TreeConfig
from senna.tasks import TASKS
from senna.text.trees.views import sizes
from senna.training.examples.batches import Batch
from senna.training.layers.trees import NodeLayers, SpanLayers
from senna.training.lookup import Inputs
from senna.training.losses.criteria import mask_of
from senna.training.network import Network
from senna.training.networks.window import Layers
from senna.training.weights import Arrays, array_of, linear


class GatedLayer(nn.Module):
    """One residual layer; `factorise` makes its weights a product of two matrices."""

    def __init__(self, units: int, width: int, dilation: int, dropout: float) -> None:
        super().__init__()
        self.width, self.dilation = width, dilation
        self.down: nn.Linear | None = None
        self.up = nn.Linear(width * units, 2 * units)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, inside: Tensor) -> Tensor:
        """x (n_sentences, n_steps, units); inside (n_sentences, n_steps, 1), where words are."""
        n, reach = x.shape[1], self.width // 2 * self.dilation
        normal = functional.layer_norm(x, x.shape[2:]) * inside
        padded = functional.pad(normal, (0, 0, reach, reach))
        shifts = [i * self.dilation for i in range(self.width)]
        y = torch.cat([padded[:, shift : shift + n] for shift in shifts], dim=2)
        if self.down is not None:
            y = self.down(y)
        more: Tensor = self.dropout(functional.glu(self.up(y), dim=2))
        return x + more

    def factorise(self, down: NDArray[np.float32], up: NDArray[np.float32]) -> None:
        """Put the product of down (n_in, rank) and up (rank, n_out) in place of the weights."""
        (n_in, rank), (_, n_out) = down.shape, up.shape
        before, bias = self.up.weight, self.up.bias
        self.down = nn.Linear(n_in, rank, bias=False)
        self.down.weight = nn.Parameter(torch.from_numpy(down.T).to(before))
        self.up = nn.Linear(rank, n_out)
        self.up.weight, self.up.bias = nn.Parameter(torch.from_numpy(up.T).to(before)), bias

    @property
    def first(self) -> nn.Linear:
        """What the windows are multiplied with: the first factor, or all weights."""
        return self.up if self.down is None else self.down

    def product(self) -> NDArray[np.float32]:
        """The weights (n_in, n_out), of two factors their product."""
        up = array_of(self.up.weight).T
        return up if self.down is None else array_of(self.down.weight).T @ up

    def arrays(self, name: str) -> Arrays:
        """Its weights, by their names in the model folder."""
        if self.down is None:
            return linear(name, self.up)
        return linear(f"{name}.down", self.down) | {
            f"{name}.up.weight": array_of(self.up.weight).T,
            f"{name}.bias": array_of(self.up.bias),
        }


class PairLayers(nn.Module):
    """What only the task of roles has: units of words for predicates."""

    def __init__(self, settings: GatedConfig, dropout: float, n_labels: int) -> None:
        super().__init__()
        self.clip = settings.distance
        # Of what a predicate sees of the tree, see `senna.text.trees.views`.
        self.views = nn.ModuleList(
            nn.Embedding(n, settings.pair) for n in (sizes(n_labels) if n_labels else ())
        )
        self.word = nn.Linear(settings.units, settings.pair)
        self.predicate = nn.Linear(settings.units, settings.pair, bias=False)
        self.distance = nn.Embedding(2 * settings.distance + 1, settings.pair)
        self.layers = nn.ModuleList(
            GatedLayer(settings.pair, settings.width, d, dropout) for d in settings.pair_dilations
        )
        self.dropout = nn.Dropout(dropout)

    def forward(
        self, x: Tensor, pairs: Tensor, lengths: Tensor, views: Tensor | None = None
    ) -> Tensor:
        """Units (n, n_steps, pair) of x (n_sentences, n_steps, units), pairs (n, 2).

        A pair is a sentence and the place of a predicate in it; lengths (n,) are the sentences';
        views (n, n_steps, 2) are what predicates see of trees.
        """
        sentences, positions = pairs[:, 0], pairs[:, 1]
        steps = torch.arange(x.shape[1], device=x.device)
        away = (steps - positions[:, None]).clamp(-self.clip, self.clip) + self.clip
        y = self.word(x)[sentences] + self.distance(away)  # (n, n_steps, pair)
        if views is not None:
            y = y + sum(table(views[:, :, i]) for i, table in enumerate(self.views))
        y = functional.relu(y + self.predicate(x[sentences, positions])[:, None])
        inside = mask_of(lengths, x.shape[1])[:, :, None]
        for layer in self.layers:
            y = layer(y, inside)
        units: Tensor = self.dropout(functional.layer_norm(y, y.shape[2:]))
        return units

    def arrays(self, task: str) -> Arrays:
        """Their weights, by their names in the model folder."""
        arrays = linear(f"{task}.word", self.word) | linear(f"{task}.predicate", self.predicate)
        arrays[f"{task}.distance"] = array_of(self.distance.weight)
        for name, table in zip(("beside", "above"), self.views, strict=False):
            assert isinstance(table, nn.Embedding)
            arrays[f"{task}.{name}"] = array_of(table.weight)
        return arrays | _arrays(f"{task}.gated", self.layers)


class GatedNetwork(Network):
    """Lookup tables, encoder, and one head a task."""

    HEADS = ("tags", "roles", "trees", "labels")

    def __init__(
        self, config: Config, inputs: Inputs, names: dict[str, list[str]], n_labels: int = 0
    ) -> None:
        super().__init__(config, inputs, names, n_labels)
        settings, dropout = config.network.gated, config.train.dropout_hidden
        self.projection = nn.Linear(inputs.size, settings.units)
        self.layers = nn.ModuleList(
            GatedLayer(settings.units, settings.width, d, dropout) for d in settings.dilations
        )
        for task in names:
            if TASKS[task].head == "roles":
                self.add_head(task, PairLayers(settings, dropout, n_labels), settings.pair)
            elif TASKS[task].head == "trees":
                self._add_trees(task, config.network.tree, dropout)
            else:
                self.add_head(task, Layers([], 0), settings.units)

    def _add_trees(self, task: str, tree: TreeConfig, dropout: float) -> None:
        settings = self.config.network.gated
        if tree.parser == "spans":
            self.add_head(task, SpanLayers(settings.units, tree, dropout), tree.labels)
            return
        layers = NodeLayers(
            settings.units,
            tree,
            len(self.names[task]),
            [GatedLayer(tree.node, settings.width, d, dropout) for d in tree.node_dilations],
            dropout,
        )
        self.add_head(task, layers, tree.node, "levels")

    def encode(self, batch: Batch) -> Tensor:
        """The encoder's units, (n_sentences, n_steps, units)."""
        x: Tensor = self.projection(self.dropout(self.inputs(batch)))
        inside = mask_of(batch.lengths, x.shape[1])[:, :, None]
        for layer in self.layers:
            x = layer(x, inside)
        return functional.layer_norm(x, x.shape[2:])

    def forward(self, task: str, batch: Batch) -> Tensor:
        x, head = self.encode(batch), self.head(task)
        if batch.pairs is not None:
            x = head.layers(x, batch.pairs, batch.gold_lengths, batch.views)
        emissions: Tensor = head(x, batch.gold_lengths)
        return emissions

    def layer_arrays(self) -> Arrays:
        return linear("layer-0", self.projection) | _arrays("gated", self.layers)


def _arrays(name: str, layers: Any) -> Arrays:
    arrays: Arrays = {}
    for i, layer in enumerate(layers):
        arrays |= layer.arrays(f"{name}-{i}")
    return arrays
