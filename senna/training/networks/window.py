"""The window network (section 3.3.1): hidden layers, the first ones shared by all tasks."""

from __future__ import annotations

from torch import Tensor, nn

from senna.networks.settings import WindowConfig
from senna.tasks import TASKS
from senna.training.heads.roles import DistanceScores
from senna.training.layers.batch import Batch, mask_of
from senna.training.layers.hidden import HiddenLayer, Layers, windows
from senna.training.layers.lookup import Inputs
from senna.training.layers.options import NetworkOptions
from senna.training.layers.weights import Arrays
from senna.training.networks.base import Network


class WindowNetwork(Network):
    """Lookup tables, hidden layers and one head per task; without hidden layers it is linear."""

    def __init__(
        self,
        settings: WindowConfig,
        options: NetworkOptions,
        inputs: Inputs,
        names: dict[str, list[str]],
    ) -> None:
        super().__init__(options, inputs, names)
        self.settings = settings
        n = len(settings.hidden)
        size = settings.hidden[-1] if n else settings.widths[0] * inputs.size
        self.shared = self._layers(0, min(settings.shared, n))
        for task, tags in names.items():
            layers: nn.Module = self._layers(settings.shared, n)
            if TASKS[task].head == "roles":
                layers = DistanceScores(settings.distance, len(tags))
            self.add_head(task, layers, size)

    def _layers(self, first: int, last: int) -> Layers:
        settings, dropout = self.settings, self.options.dropout_hidden
        sizes, widths = (self.inputs.size, *settings.hidden), settings.widths
        layers = (
            HiddenLayer(sizes[i], widths[i], sizes[i + 1], dropout, settings.unit)
            for i in range(first, last)
        )
        return Layers(layers, first)

    def forward(self, task: str, batch: Batch) -> Tensor:
        margin = self.settings.widths[0] // 2
        x, head = self.dropout(self.inputs(batch, margin)), self.head(task)
        if not self.settings.hidden:
            scores: Tensor = head(windows(x, self.settings.widths[0]), batch)
            return scores
        inside = mask_of(batch.lengths, batch.n_steps)[:, :, None]
        for i, layer in enumerate([*self.shared, *head.layers]):
            x = layer(x if i == 0 else x * inside, inside, padded=i == 0)
        emissions: Tensor = head(x, batch)
        return emissions

    def layer_arrays(self) -> Arrays:
        return self.shared.arrays()


NETWORK = WindowNetwork
