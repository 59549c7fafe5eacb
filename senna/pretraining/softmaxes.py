"""Output layers of language models: which word it is, given the last layer's numbers.

Each has a row of numbers and a bias for each word; `hidden` (n, size + 1) ends with a 1 for the
bias. In training none computes the softmax over the whole dictionary; in scoring all do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor

from senna.pretraining.lookup_table import LookupTable, Noise
from senna.text.features import PADDING

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
