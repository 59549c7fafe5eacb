"""The gated network: an encoder that runs once a sentence, and one output a task.

Each layer adds to a word's units a gated convolution over the normalised units of some words that
stand `dilation` apart (Dauphin et al. 2017; van den Oord et al. 2016). For roles, each word and
each predicate is multiplied once; a word w for a predicate p is then ReLU(A h_w + B h_p +
d[w - p]). It is the paper's own trick (section 3.3.2: the convolution is linear, so its parts are
computed once), behind a deep encoder that all predicates share. A few smaller layers of the same
kind then run over the words for each predicate, and an output layer.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from senna.config import Config, Network
from senna.training.criteria import mask_of
from senna.training.networks import Batch, Head, Inputs, Model, initialise
from senna.training.structured import Transitions


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
        assert self.down is None, "done before"
        (n_in, rank), (_, n_out) = down.shape, up.shape
        own, bias = self.up.weight, self.up.bias
        self.down = nn.Linear(n_in, rank, bias=False)
        self.down.weight = nn.Parameter(torch.from_numpy(down.T).to(own))
        self.up = nn.Linear(rank, n_out)
        self.up.weight, self.up.bias = nn.Parameter(torch.from_numpy(up.T).to(own)), bias


class PairHead(nn.Module):
    """Roles of words for predicates: what is the task's own, and its transitions."""

    def __init__(self, network: Network, n_tags: int, dropout: float) -> None:
        super().__init__()
        self.clip = network.distance
        self.word = nn.Linear(network.units, network.pair)
        self.predicate = nn.Linear(network.units, network.pair, bias=False)
        self.distance = nn.Embedding(2 * network.distance + 1, network.pair)
        self.layers = nn.ModuleList(
            GatedLayer(network.pair, network.width, d, dropout) for d in network.pair_dilations
        )
        self.output = nn.Linear(network.pair, n_tags)
        self.dropout = nn.Dropout(dropout)
        self.transitions = Transitions(n_tags)

    def forward(self, x: Tensor, pairs: Tensor, lengths: Tensor) -> Tensor:
        """Emissions (n, n_steps, n_tags) of x (n_sentences, n_steps, units), pairs (n, 2).

        A pair is a sentence and the place of a predicate in it; lengths (n,) are the sentences'.
        """
        sentences, positions = pairs[:, 0], pairs[:, 1]
        steps = torch.arange(x.shape[1], device=x.device)
        away = (steps - positions[:, None]).clamp(-self.clip, self.clip) + self.clip
        y = self.word(x)[sentences] + self.distance(away)  # (n, n_steps, pair)
        y = functional.relu(y + self.predicate(x[sentences, positions])[:, None])
        inside = mask_of(lengths, x.shape[1])[:, :, None]
        for layer in self.layers:
            y = layer(y, inside)
        found: Tensor = self.output(self.dropout(functional.layer_norm(y, y.shape[2:])))
        return found


class GatedTagger(Model):
    """Lookup tables, encoder, and one head a task."""

    def __init__(
        self,
        config: Config,
        inputs: Inputs,
        n_tags: dict[str, int],
        forbidden: dict[str, NDArray[np.bool_]],
    ) -> None:
        super().__init__(inputs, margin=0)
        network, dropout = config.network, config.train.dropout_hidden
        self.dropout = nn.Dropout(config.train.dropout_input)
        self.projection = nn.Linear(inputs.size, network.units)
        self.layers = nn.ModuleList(
            GatedLayer(network.units, network.width, d, dropout) for d in network.dilations
        )
        for task, n in n_tags.items():
            if task == "srl":
                self.heads[task] = PairHead(network, n, dropout)
            else:
                self.heads[task] = Head(network.units, [], n, forbidden[task])
        initialise(self, network)

    def encode(self, batch: Batch) -> Tensor:
        """The encoder's units, (n_sentences, n_steps, units)."""
        x: Tensor = self.projection(self.dropout(self.inputs(batch)))
        inside = mask_of(batch.lengths, x.shape[1])[:, :, None]
        for layer in self.layers:
            x = layer(x, inside)
        return functional.layer_norm(x, x.shape[2:])

    def forward(self, task: str, batch: Batch) -> Tensor:
        """Emissions of a task: of each sentence's words, or for srl of each predicate's."""
        x, head = self.encode(batch), self.heads[task]
        if isinstance(head, PairHead):
            assert batch.pairs is not None
            emissions: Tensor = head(x, batch.pairs, batch.tag_lengths)
            return emissions
        assert isinstance(head, Head)
        return head.close(head.output(x), batch.lengths)
