"""Tags of words by transitions that depend on the words, in training."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from senna.lab.criteria.state_paths import StatePaths
from senna.training.heads.tags import TagHead
from senna.training.layers.batch import Batch
from senna.training.layers.options import NetworkOptions
from senna.training.losses.criteria import Paths


class WordMoves(nn.Module):
    """A weight vector for each two tags, on the units of the word at the second of them."""

    def __init__(self, size: int, n_tags: int) -> None:
        super().__init__()
        self.fan_in = size
        self.states = nn.Parameter(torch.zeros(size, n_tags, n_tags))

    def forward(self, x: Tensor) -> Tensor:
        """(n_sentences, n_steps, size) to (n_sentences, n_steps, n_tags * n_tags)."""
        return x @ self.states.flatten(1)


class StateHead(TagHead):
    """One tag per word; transitions also depend on the word's units, as in a BiLSTM-CRF."""

    def add_moves(self, size: int, options: NetworkOptions) -> None:
        self.moves = WordMoves(size, len(self.names))

    def forward(self, x: Tensor, batch: Batch) -> Tensor:
        """Emissions as of `TagHead`, and the scores of the moves to each word after them."""
        return torch.cat([super().forward(x, batch), self.moves(x)], dim=2)

    def split(self, emissions: Tensor) -> tuple[Tensor, Paths]:
        n, paths = len(self.names), self.paths()
        moves = emissions[:, :, n:].reshape(*emissions.shape[:2], n, n)
        return emissions[:, :, :n], StatePaths(*paths, moves)
