"""The base class of the heads that learn, and options of a network and its heads.

The module of each kind has a function `head(place)`, which makes the head of a task.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from torch import Tensor, nn

from senna.kinds.head import split_tags
from senna.registry import CRITERIA
from senna.training.config import NetworkConfig, Training
from senna.training.criteria import GoldBatch, Paths, best_tags
from senna.training.layers.batch import Batch
from senna.training.layers.weights import Arrays, linear, view_of


@dataclass(frozen=True)
class NetworkOptions:
    """The parts of a configuration on which networks and heads depend."""

    network: NetworkConfig = NetworkConfig()
    train: Training = Training()
    n_labels: int = 0  # labels of the trees that are a feature; 0: there is no such feature

    def by_words(self) -> NetworkOptions:
        """The same for a head whose tags do not depend on one another."""
        network = replace(self.network, constrained=False, transitions="tied")
        return replace(self, network=network, train=replace(self.train, criterion="word"))


class Place(NamedTuple):
    """Where a head stands: its task, and what is below it."""

    task: str
    names: list[str]  # the task's tags
    units: int  # how many numbers it reads of a word, or its layers give
    options: NetworkOptions
    layers: nn.Module | None = None  # of the task alone


class Head(nn.Module):
    """One task's part of a network; `layers` belong to the task, and know their arrays."""

    layers: Any

    def __init__(self, place: Place) -> None:
        super().__init__()
        self.names, self.layers = place.names, place.layers
        self.criterion = CRITERIA[place.options.train.criterion]
        self.output = nn.Linear(place.units, len(place.names))

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
        loss: Tensor = self.criterion.loss(scores, gold, paths)
        return loss

    def predict(self, emissions: Tensor, batch: Batch) -> list[Any]:
        """The predictions for each sentence, as `Example.gold`: its tags."""
        scores, paths = self.split(emissions)
        lengths = batch.gold_lengths
        best = best_tags(scores, lengths, paths if self.criterion.paths else None)
        return split_tags([self.names[i] for i in best.tolist()], lengths.cpu().numpy())

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
        arrays: Arrays = linear(f"{task}.output", self.output)
        if self.layers is not None:
            arrays = self.layers.arrays(task) | arrays
        for name, weights in self.named_parameters():
            if not name.startswith(("layers.", "output.")):  # what scores the steps between tags
                arrays[f"{task}.{name.rpartition('.')[2]}"] = view_of(weights)
        return arrays
