"""Output layers of language models: which word it is, given the last layer's numbers.

Each has a row of numbers and a bias for each word; `hidden` (n, size + 1) ends with a 1 for the
bias. In training none computes the softmax over the whole dictionary; in scoring all do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from senna.pretraining.dictionary import ClusterPaths
from senna.pretraining.lookup_table import LookupTable, Noise
from senna.pretraining.ways import ways_of
from senna.text.features import PADDING

SLICE = 512  # words at a time: their scores against a large sample stay in the cache
GPU_SLICE = 1 << 16  # on a GPU, where each piece costs the launch of its kernels


@dataclass(frozen=True)
class OutputSettings:
    """The inputs of an output layer's constructor."""

    noise: Noise
    size: int  # of the last layer
    sample: int  # random words that the words of a step share
    clusters: ClusterPaths | None = None  # of the dictionary


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


class NoiseContrast(SampledSoftmax):
    """Noise-contrastive estimation (Gutmann and Hyvarinen 2010; Mnih and Teh 2012, eq. 9).

    The true word and k from the noise q: which one is it? P(true | w) = sigma(s(w) - log k q(w)).
    The scores learn to be normalised by themselves; they begin as the words' own frequencies.
    """

    def __init__(self, settings: OutputSettings) -> None:
        super().__init__(settings)
        self.table.weight[:, -1] = self.noise.log_frequency

    def loss(self, hidden: Tensor, words: Tensor) -> Tensor:
        """The mean of -log P(true | w) - sum_j log(1 - P(true | w_j)), boundaries left out."""
        others = self.noise.draw(self.sample)
        share = self.noise.log_share.to(hidden.dtype) + float(np.log(self.sample))
        keep = (words != PADDING).to(hidden.dtype)
        true = (hidden * self.table.take(words)).sum(1) - share[words]
        wrong = hidden @ self.table.take(others).T - share[others]
        losses = functional.softplus(-true) + functional.softplus(wrong).sum(1)
        return (losses * keep).sum() / keep.sum().clamp(min=1)


class ClassSoftmax:
    """P(w | h) = P(class of w | h) P(w | its class, h) (Goodman 2001).

    Both are whole softmaxes: over the classes, and over the words of one class.
    """

    def __init__(self, settings: OutputSettings) -> None:
        assert settings.clusters is not None
        device = settings.noise.log_share.device
        self.classes = torch.from_numpy(settings.clusters.rows).to(device)
        order = torch.argsort(self.classes, stable=True)
        # The rows of each class; PADDING is no word.
        by_class = torch.split(order, torch.bincount(self.classes).tolist())
        self.members = [rows[rows != PADDING] for rows in by_class]
        # A smaller dictionary has no word of some classes.
        self.present = torch.tensor([i for i, rows in enumerate(self.members) if len(rows)]).to(
            device
        )
        n, size = len(self.classes), settings.size + 1
        self.table = LookupTable(torch.zeros(n, size, device=device))
        self.of_classes = LookupTable(torch.zeros(len(self.members), size, device=device))
        self.tables = {"output": self.table, "classes": self.of_classes}

    def loss(self, hidden: Tensor, words: Tensor) -> Tensor:
        """The mean negative log-likelihood of `words` (n,), boundaries left out."""
        kept = words != PADDING
        hidden, words = hidden[kept], words[kept]
        classes, order = self.classes[words].sort(stable=True)
        hidden, words = hidden[order], words[order]
        scores = hidden @ self.of_classes.take(self.present).T
        places = torch.searchsorted(self.present, classes)
        loss = functional.cross_entropy(scores, places, reduction="sum")
        counts = torch.bincount(classes, minlength=len(self.members)).tolist()
        seen = [(rows, n) for rows, n in zip(self.members, counts, strict=True) if n]
        vectors = self.table.take(torch.cat([words[:0], *(rows for rows, _ in seen)]))
        start = first = 0
        for rows, n in seen:
            some, members = slice(start, start + n), vectors[first : first + len(rows)]
            places = torch.searchsorted(rows, words[some])
            scores = hidden[some] @ members.T
            loss = loss + functional.cross_entropy(scores, places, reduction="sum")
            start, first = start + n, first + len(rows)
        return loss / max(len(words), 1)

    def scores(self, hidden: Tensor, words: Tensor) -> Tensor:
        """Log-probability of each of `words` (m,): (n, m)."""
        logs = hidden.new_full((len(hidden), len(self.classes)), -torch.inf)
        of_classes = torch.log_softmax(hidden @ self.of_classes.weight[self.present].T, 1)
        for place, number in enumerate(self.present.tolist()):
            rows = self.members[number]
            within = torch.log_softmax(hidden @ self.table.weight[rows].T, 1)
            logs[:, rows] = of_classes[:, place, None] + within
        return logs[:, words]


class TreeSoftmax:
    """P(w | h) is the product of the choices on the way to w (Morin and Bengio 2005).

    At a branch it is the sigmoid of h times the branch's row; for the ways see
    `senna.pretraining.ways`.
    """

    def __init__(self, settings: OutputSettings) -> None:
        assert settings.clusters is not None
        device, width = settings.noise.log_share.device, settings.size + 1
        branches, goes, n_branches = ways_of(settings.clusters)
        self.branches, self.goes = branches.to(device), goes.to(device)
        self.words = LookupTable(torch.zeros(len(branches), width, device=device))
        self.of_clusters = LookupTable(torch.zeros(n_branches, width, device=device))
        self.tables = {"output": self.words, "clusters": self.of_clusters}

    def loss(self, hidden: Tensor, words: Tensor) -> Tensor:
        """The mean negative log-likelihood of `words` (n,), boundaries left out."""
        kept = words != PADDING
        hidden, words = hidden[kept], words[kept]
        goes = self.goes[words].to(hidden.dtype)
        distinct, places = torch.unique(self.branches[words], return_inverse=True)
        n = len(self.words.weight)
        above = self.of_clusters.take(distinct[distinct >= n] - n)
        rows = torch.cat([self.words.take(distinct[distinct < n]), above])
        scores = (rows[places] @ hidden[:, :, None])[..., 0]
        losses = functional.softplus(-goes * scores) * goes.abs()
        return losses.sum() / max(len(words), 1)

    def scores(self, hidden: Tensor, words: Tensor) -> Tensor:
        """Log-probability of each of `words` (m,): (n, m)."""
        scores = hidden @ torch.cat([self.words.weight, self.of_clusters.weight]).T
        logs = hidden.new_zeros(len(hidden), len(words))
        for branches, goes in zip(self.branches[words].T, self.goes[words].T, strict=True):
            logs += functional.logsigmoid(goes * scores[:, branches]) * goes.abs()
        return logs


SoftmaxLayer = SampledSoftmax | ClassSoftmax | TreeSoftmax
OUTPUTS: dict[str, Callable[[OutputSettings], SoftmaxLayer]] = {
    "sampled": SampledSoftmax,
    "nce": NoiseContrast,
    "classes": ClassSoftmax,
    "tree": TreeSoftmax,
}
