"""The lookup table of letter n-grams in training."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional

from senna.training.layers.lookup import PlainTable


class Ngrams(PlainTable):
    """The sum of the rows of a word's n-grams, which begin at 0; row 0 stands for none."""

    def forward(self, rows: Tensor) -> Tensor:
        """rows (n_forms, n_ngrams), zero after the last one -> (n_forms, size)."""
        return functional.embedding_bag(rows, self.weight, mode="sum", padding_idx=0)

    def first_weights(self) -> None:
        """All 0, so that a word begins with its own vector."""
        nn.init.zeros_(self.weight)


LAYERS = {"ngrams": Ngrams}
