"""Lookup tables of which a step changes few rows, and noise."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from senna.text.vocabulary import PADDING

N_NOISE = 1 << 22  # entries of the table that noise is drawn from
TINY = 1e-8


class LookupTable:
    """A lookup table (n, size) with row-wise Adagrad: one running sum of squares per row.

    A step costs in proportion to the rows it used, whatever the size of the dictionary.
    `take` hands out rows that gather gradients; `step` then updates the table.
    """

    def __init__(self, weight: Tensor) -> None:
        self.weight = weight
        self.squares = torch.zeros(len(weight), device=weight.device)
        self._taken: list[tuple[Tensor, Tensor]] = []

    def take(self, rows: Tensor) -> Tensor:
        """The vectors of `rows` (any shape), as a leaf of the graph: (*rows.shape, size)."""
        flat = rows.reshape(-1)
        taken = self.weight.index_select(0, flat).view(*rows.shape, self.weight.shape[1])
        if torch.is_grad_enabled():
            self._taken.append((flat, taken.requires_grad_()))
        return taken

    def step(self, rate: float) -> None:
        """Update the rows taken since the last step by their gradients."""
        size = self.weight.shape[1]
        used = self._taken
        self._taken = []
        gradients = torch.cat(
            [
                (x.grad if x.grad is not None else torch.zeros_like(x)).view(-1, size)
                for _, x in used
            ]
        )
        rows, gradients = sum_rows(torch.cat([rows for rows, _ in used]), gradients)
        self.squares.index_add_(0, rows, gradients.pow(2).mean(1))
        scale = self.squares[rows].add_(TINY).rsqrt_().mul_(-rate)
        self.weight.index_add_(0, rows, gradients.mul_(scale[:, None]))


def sum_rows(rows: Tensor, vectors: Tensor) -> tuple[Tensor, Tensor]:
    """Distinct rows (m,), and the sum of the vectors of each (m, size)."""
    distinct, places = torch.unique(rows, return_inverse=True)
    sums = vectors.new_zeros(len(distinct), vectors.shape[1])
    return distinct, sums.index_add_(0, places, vectors)


class Noise:
    """Random words of the dictionary, in proportion to count ** power; 0 is uniform."""

    def __init__(self, counts: NDArray[np.int64], power: float, device: torch.device) -> None:
        share = counts.astype(np.float64) ** power
        share[PADDING] = 0  # no word
        share /= share.sum()
        # Every word gets an entry: one that is never drawn would not be learnt as likelihood.
        entries = np.where(share > 0, np.maximum(np.rint(share * N_NOISE), 1), 0).astype(np.int64)
        words = np.repeat(np.arange(len(counts), dtype=np.int32), entries)
        self.words = torch.from_numpy(words).to(device)
        held = np.bincount(words, minlength=len(counts)) / len(words)
        self.log_share = torch.from_numpy(np.log(np.maximum(held, 1e-12))).float().to(device)
        frequency = np.maximum(counts, 1) / max(counts.sum(), 1)
        self.log_frequency = torch.from_numpy(np.log(frequency)).float().to(device)

    def draw(self, *shape: int) -> Tensor:
        """Rows of the dictionary, with repetition."""
        places = torch.randint(len(self.words), shape, device=self.words.device)
        return self.words[places]
