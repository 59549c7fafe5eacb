"""The gated network: an encoder that runs once per sentence, and one output per task.

Each layer adds to a word's units a gated convolution over the normalised units of some words that
stand `dilation` apart (Dauphin et al. 2017; van den Oord et al. 2016). For roles, each word and
each predicate is multiplied once; a word w for a predicate p is then ReLU(A h_w + B h_p +
d[w - p]). It is the paper's own trick (section 3.3.2: the convolution is linear, so its parts are
computed once), behind a deep encoder that all predicates share. A few smaller layers of the same
kind then run over the words for each predicate, and an output layer.
"""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional

from senna.inference.networks.settings import GatedConfig
from senna.training.layers.batch import Batch, mask_of
from senna.training.layers.gated import GatedLayer, arrays_of
from senna.training.layers.weights import Arrays, linear
from senna.training.networks.base import Network


class GatedNetwork(Network):
    """Lookup tables, encoder, and one head per task."""

    settings: GatedConfig

    def add_layers(self) -> None:
        settings, dropout = self.settings, self.options.train.dropout_hidden
        self.projection = nn.Linear(self.inputs.size, settings.units)
        self.layers = nn.ModuleList(
            GatedLayer(settings.units, settings.width, d, dropout) for d in settings.dilations
        )
        self.add_heads_above(settings.units)

    def encode(self, batch: Batch) -> Tensor:
        """The encoder's units, (n_sentences, n_steps, units)."""
        x: Tensor = self.projection(self.dropout(self.inputs(batch)))
        inside = mask_of(batch.lengths, x.shape[1])[:, :, None]
        for layer in self.layers:
            x = layer(x, inside)
        return functional.layer_norm(x, x.shape[2:])

    def layer_arrays(self) -> Arrays:
        return linear("layer-0", self.projection) | arrays_of("gated", self.layers)


NETWORK = GatedNetwork
