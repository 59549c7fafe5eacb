"""Lookup tables of which a step changes few rows, noise, and the output layer above them.

An output layer says which word it is, given the last layer's numbers. It has a row of numbers and a
bias for each word; `hidden` (n, size + 1) ends with a 1 for the bias. In training none computes the
softmax over the whole dictionary; in scoring all do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from senna.pretraining.processes import summed_over_processes
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
        rows, gradients = summed_over_processes(rows, gradients)
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


SLICE = 512  # words at a time: their scores against a large sample stay in the cache
GPU_SLICE = 1 << 16  # on a GPU, where each piece costs the launch of its kernels


@dataclass(frozen=True)
class OutputSettings:
    """The inputs of an output layer's constructor."""

    noise: Noise
    size: int  # of the last layer
    sample: int  # random words that the words of a step share
    clusters: Any = None  # of the dictionary


class SoftmaxLayer(Protocol):
    """An output layer: which word it is, given the last layer's numbers."""

    tables: dict[str, LookupTable]

    def loss(self, hidden: Tensor, words: Tensor) -> Tensor:
        """The mean criterion of `words` (n,), boundaries left out."""

    def scores(self, hidden: Tensor, words: Tensor) -> Tensor:
        """Score of each of `words` (m,): (n, m)."""


class SampledSoftmax:
    """A softmax over the true word and a sample of others.

    Each score is corrected by the log of how often it is drawn (Bengio and Senecal 2008).
    """

    def __init__(self, settings: OutputSettings) -> None:
        self.noise, self.sample = settings.noise, settings.sample
        n, device = len(self.noise.log_share), self.noise.log_share.device
        self.table = LookupTable(torch.zeros(n, settings.size + 1, device=device))
        self.tables = {"output": self.table}

    def loss(self, hidden: Tensor, words: Tensor) -> Tensor:
        """The mean negative log-likelihood of `words` (n,), boundaries left out."""
        others = self.noise.draw(self.sample)
        share = self.noise.log_share.to(hidden.dtype)
        true = (hidden * self.table.take(words)).sum(1) - share[words]
        # The true word may be drawn, too: without it the optimum would be another (frequent words).
        loss: Tensor = _SampledLoss.apply(  # type: ignore[no-untyped-call]
            hidden, self.table.take(others), share[others], true, words != PADDING
        )
        return loss

    def scores(self, hidden: Tensor, words: Tensor) -> Tensor:
        """Score of each of `words` (m,): (n, m), before the softmax."""
        return hidden @ self.table.weight[words].T


class _SampledLoss(torch.autograd.Function):
    """The mean of log(e^true + sum_j e^other_j) - true over the words that are kept.

    Some words at a time, with the gradients at once: the scores of all of them need not be in
    memory together.
    """

    @staticmethod
    def forward(
        context: Any, hidden: Tensor, others: Tensor, share: Tensor, true: Tensor, keep: Tensor
    ) -> Tensor:
        weight = keep.to(hidden.dtype) / keep.sum().clamp(min=1)
        of_hidden, of_others = torch.empty_like(hidden), torch.zeros_like(others)
        of_true, loss = torch.empty_like(true), hidden.new_zeros(())
        size = SLICE if hidden.device.type == "cpu" else GPU_SLICE
        for start in range(0, len(hidden), size):
            rows = slice(start, start + size)
            scores = hidden[rows] @ others.T
            scores -= share
            most = torch.maximum(scores.amax(1), true[rows])
            scores.sub_(most[:, None]).exp_()
            total = scores.sum(1) + (true[rows] - most).exp()
            loss += (weight[rows] * (most + total.log() - true[rows])).sum()
            factor = weight[rows] / total
            of_true[rows] = factor * (true[rows] - most).exp() - weight[rows]
            scores *= factor[:, None]
            of_hidden[rows] = scores @ others
            of_others.addmm_(scores.T, hidden[rows])
        context.save_for_backward(of_hidden, of_others, of_true)
        return loss

    @staticmethod
    def backward(context: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        (gradient,), (hidden, others, true) = gradients, context.saved_tensors
        return gradient * hidden, gradient * others, None, gradient * true, None
