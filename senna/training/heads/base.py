"""The base class of the heads that learn, and options of a network and its heads.

The module of each kind has a function `head(place)`, which makes the head of a task.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from torch import Tensor, nn

from senna.training.criteria import GoldBatch, Paths, criterion_of
from senna.training.layers.batch import Batch
from senna.training.layers.weights import Arrays, linear, view_of


@dataclass(frozen=True)
class NetworkOptions:
    """Options that networks and heads of all kinds share, named as in a configuration."""

    criterion: str = "sentence"  # train.criterion
    constrained: bool = True  # network.constrained
    transitions: str = "tied"  # network.transitions
    history: int = 1  # network.history
    beam: int = 1  # network.beam
    dropout_input: float = 0.0  # train.dropout_input
    dropout_hidden: float = 0.0  # train.dropout_hidden
    n_labels: int = 0  # labels of the trees that are a feature; 0: there is no such feature
    # Settings of kinds of output, by the name of their table in `network`.
    tables: Mapping[str, Any] = field(default_factory=dict)

    def by_words(self) -> NetworkOptions:
        """The same for a head whose tags do not depend on one another."""
        return replace(self, criterion="word", constrained=False, transitions="tied")


class NoLayers(nn.Module):
    """The layers of a task that has none of its own."""

    def arrays(self, task: str) -> Arrays:
        """No weights."""
        return {}


class Place(NamedTuple):
    """Where a head stands: its task, and what is below it."""

    task: str
    names: list[str]  # the task's tags
    units: int  # how many numbers it reads of a word
    options: NetworkOptions
    settings: Any = None  # of the network, where it brings no layers
    layers: nn.Module | None = None  # of the task alone: the network brings and applies them

    def own_layers(self) -> nn.Module:
        """The layers of the task alone, if there are any."""
        return NoLayers() if self.layers is None else self.layers


class Head(nn.Module):
    """One task's part of a network; `layers` belong to the task, and know their arrays."""

    layers: Any

    def __init__(self, names: list[str], layers: nn.Module, size: int, options: NetworkOptions):
        """names (n_tags,): the task's tags; size: how many numbers the layers give per word."""
        super().__init__()
        self.names, self.layers = names, layers
        self.criterion = criterion_of(options.criterion)
        self.output = nn.Linear(size, len(names))

    def forward(self, x: Tensor, batch: Batch) -> Tensor:
        """The output layer: (n_rows, n_steps, size) to emissions (n_rows, n_steps, n_tags)."""
        emissions: Tensor = self.output(x)
        return emissions

    def loss(self, emissions: Tensor, batch: Batch) -> Tensor:
        """The criterion of the configuration on one batch, summed."""
        gold = GoldBatch(
            batch.gold, batch.gold_lengths, batch.allowed, batch.soft, batch.free_running
        )
        scores, paths = self.split(emissions)
        return self.criterion.loss(scores, gold, paths)

    def predict(self, emissions: Tensor, batch: Batch) -> list[Any]:
        """The predictions for each sentence, as `Example.gold`: its tags."""
        scores, paths = self.split(emissions)
        lengths = batch.gold_lengths
        best = paths.best(scores, lengths) if self.criterion.paths else scores.argmax(2)
        rows = zip(best.tolist(), lengths.tolist(), strict=True)
        return [[self.names[i] for i in row[:n]] for row, n in rows]

    def split(self, emissions: Tensor) -> tuple[Tensor, Paths]:
        """Of what `forward` gives the scores of tags, (n_rows, n_steps, n_tags), and of paths."""
        return emissions, self.paths()

    def paths(self) -> Paths:
        """The scores of paths through its tags."""
        raise NotImplementedError

    @property
    def settings(self) -> dict[str, Any]:
        """Tables of `network` that a reader must know to compute it."""
        return {}

    def arrays(self, task: str) -> Arrays:
        """Its weights, by their names in the model folder."""
        arrays: Arrays = self.layers.arrays(task) | linear(f"{task}.output", self.output)
        for name, weights in self.named_parameters():
            if not name.startswith(("layers.", "output.")):  # what scores the steps between tags
                arrays[f"{task}.{name.rpartition('.')[2]}"] = view_of(weights)
        return arrays
