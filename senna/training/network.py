"""What networks of all kinds have in common."""

from __future__ import annotations

from typing import ClassVar

from torch import Tensor, nn

from senna.config import Config
from senna.tasks import TASKS
from senna.training.examples.batches import Batch
from senna.training.heads import Head, head_class
from senna.training.lookup import Inputs
from senna.training.weights import Arrays


class Network(nn.Module):
    """Lookup tables, layers that all tasks share, and one head a task."""

    HEADS: ClassVar[tuple[str, ...]] = ("tags", "roles")  # of which tasks it can have

    def __init__(
        self, config: Config, inputs: Inputs, names: dict[str, list[str]], n_labels: int = 0
    ) -> None:
        """names: the tags of each task; n_labels: of the trees that are a feature, 0 for none."""
        super().__init__()
        self.inputs, self.config, self.names = inputs, config, names
        self.n_labels = n_labels
        self.heads = nn.ModuleDict()
        self.dropout = nn.Dropout(config.train.dropout_input)

    def add_head(self, task: str, layers: nn.Module, size: int, kind: str = "") -> None:
        """Give a task its head, over layers of its own that give `size` numbers a word.

        `kind`: other than the one that the table of tasks names.
        """
        head = head_class(kind or TASKS[task].head, self.config)
        self.heads[task] = head(self.config, task, self.names[task], layers, size)

    def head(self, task: str) -> Head:
        """The head of a task."""
        head = self.heads[task]
        assert isinstance(head, Head)
        return head

    def forward(self, task: str, batch: Batch) -> Tensor:
        """Emissions of a task, (n_sentences, n_steps, n_tags); of roles (n_pairs, ...)."""
        raise NotImplementedError

    def layer_arrays(self) -> Arrays:
        """The weights of the layers that all tasks share, by their names in the model folder."""
        raise NotImplementedError

    def arrays(self) -> Arrays:
        """All weights but the word table's."""
        arrays = self.inputs.arrays() | self.layer_arrays()
        for task in self.heads:
            arrays |= self.head(task).arrays(task)
        return arrays
