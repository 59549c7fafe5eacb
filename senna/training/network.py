"""What networks of all kinds have in common."""

from __future__ import annotations

import math
from typing import ClassVar

from torch import Tensor, nn

from senna.config import Config
from senna.tasks import TASKS
from senna.training.arrays import Arrays
from senna.training.batches import Batch
from senna.training.heads import HEADS, Head
from senna.training.lookup import Inputs


class Network(nn.Module):
    """Lookup tables, layers of its own, and one head a task."""

    HEADS: ClassVar[tuple[str, ...]] = ("tags", "roles")  # of which tasks it can have
    margin = 0  # padding words that it wants at both ends of a sentence

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
        head = HEADS[kind or TASKS[task].head]
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
        found = self.inputs.arrays() | self.layer_arrays()
        for task in self.heads:
            found |= self.head(task).arrays(task)
        return found


def initialise(model: nn.Module, initial: str) -> None:
    """Centred uniform weights by fan-in (remark 7); a lookup table has fan-in 1.

    The remark's variance of 1/sqrt(fan-in) is taken to the letter with ``variance``;
    ``deviation`` has a standard deviation of 1/sqrt(fan-in), which is what was probably meant;
    ``small`` is the same with small values in the tables, as word vectors have.
    """
    table = 0.2 if initial == "small" else math.sqrt(3)
    for module in model.modules():
        if isinstance(module, nn.Linear):
            n = module.in_features
            bound = math.sqrt(3) * (n**-0.25 if initial == "variance" else n**-0.5)
            nn.init.uniform_(module.weight, -bound, bound)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            nn.init.uniform_(module.weight, -table, table)
            if module.padding_idx is not None:
                nn.init.zeros_(module.weight[module.padding_idx])
