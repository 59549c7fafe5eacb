"""The base class of the networks that learn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from torch import Tensor, nn

from senna.registry import LEARNER_HEADS
from senna.tasks import TASKS
from senna.training.heads.base import Head, NetworkOptions, Place
from senna.training.layers.batch import Batch
from senna.training.layers.lookup import Inputs
from senna.training.layers.weights import Arrays

if TYPE_CHECKING:
    from senna.training.examples.corpora import Example


class Network(nn.Module):
    """Lookup tables, layers that all tasks share, and one head for each task."""

    units = 0  # of a word, that all heads read; 0 where tasks have hidden layers of their own
    of_sentences = False  # whether heads read whole sentences, not the units of words
    settings: Any  # the table of its kind in `network`

    def __init__(
        self, options: NetworkOptions, inputs: Inputs, names: dict[str, list[str]]
    ) -> None:
        """names: the tags of each task."""
        super().__init__()
        self.options, self.inputs, self.names = options, inputs, names
        self.settings = options.network.settings
        self.heads = nn.ModuleDict()
        self.dropout = nn.Dropout(options.train.dropout_input)
        self.add_layers()

    @staticmethod
    def word_weights(settings: Any, train: Sequence[Example]) -> dict[str, float]:
        """How much words count, "" those that training lacks; empty: all alike."""
        return {}

    @staticmethod
    def span_lengths(settings: Any, words: Sequence[str]) -> list[int] | None:
        """How many words its spans of a sentence have, if it reads spans."""
        return None

    def add_layers(self) -> None:
        """Make its layers and heads."""
        raise NotImplementedError

    def add_heads_above(self, units: int) -> None:
        """A head for each task, of any kind: each reads the `units` that a word has."""
        self.units = units
        for task in self.names:
            self.add_head(task, units)

    def add_head(self, task: str, size: int, layers: nn.Module | None = None) -> None:
        """A head for `size` numbers of a word, from layers that the network has for the task."""
        place = Place(task, self.names[task], size, self.options, layers)
        self.heads[task] = LEARNER_HEADS[TASKS[task].head](place)

    def head(self, task: str) -> Head:
        """The head of a task."""
        head = self.heads[task]
        assert isinstance(head, Head)
        return head

    def encode(self, batch: Batch) -> Tensor:
        """The input of heads: units of words, (n_sentences, n_steps, units)."""
        raise NotImplementedError

    def forward(self, task: str, batch: Batch) -> Tensor:
        """Emissions of a task, (n_sentences, n_steps, n_tags); of roles (n_pairs, ...)."""
        emissions: Tensor = self.head(task)(self.encode(batch), batch)
        return emissions

    def layer_arrays(self) -> Arrays:
        """The weights of the layers that all tasks share, by their names in the model folder."""
        raise NotImplementedError

    def read(self, stored: Arrays) -> None:
        """Set the weights that `arrays` does not give as they are, from those of a folder."""

    def arrays(self) -> Arrays:
        """All weights but the word table's."""
        arrays = self.inputs.arrays() | self.layer_arrays()
        for task in self.heads:
            arrays |= self.head(task).arrays(task)
        return arrays
