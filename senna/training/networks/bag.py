"""A bag of words: their features, added up, through one hidden layer to the label of a sentence."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional

from senna.config import Config
from senna.training.examples.batches import Batch
from senna.training.lookup import Inputs
from senna.training.losses.criteria import mask_of
from senna.training.network import Network
from senna.training.networks.window import Layers
from senna.training.weights import Arrays, linear


class BagNetwork(Network):
    """Lookup tables, their mean or sum over a sentence (Goldberg 2015, 3), and one hidden layer."""

    HEADS = ("labels",)

    def __init__(
        self, config: Config, inputs: Inputs, names: dict[str, list[str]], n_labels: int = 0
    ) -> None:
        super().__init__(config, inputs, names, n_labels)
        self.settings = config.network.bag
        self.hidden = nn.Linear(inputs.size, self.settings.units)
        for task in names:
            self.add_head(task, Layers([], 0), self.settings.units, "vectors")

    def forward(self, task: str, batch: Batch) -> Tensor:
        x = self.dropout(self.inputs(batch))
        weights = mask_of(batch.lengths, x.shape[1]).to(x)
        if batch.idf is not None:
            weights = batch.idf
        words = (x * weights[:, :, None]).sum(1)
        if self.settings.sum == "mean":
            words = words / weights.sum(1)[:, None]
        emissions: Tensor = self.head(task)(functional.relu(self.hidden(words)), batch.lengths)
        return emissions

    def layer_arrays(self) -> Arrays:
        return linear("layer-0", self.hidden)
