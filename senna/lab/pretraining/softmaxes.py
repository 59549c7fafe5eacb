"""Output layers of language models other than the sampled softmax."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from senna.lab.pretraining.tree_paths import tree_paths_of
from senna.pretraining.lookup_table import LookupTable
from senna.pretraining.softmaxes import OutputSettings, SampledSoftmax, SoftmaxLayer
from senna.text.features import PADDING


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

    At a branch it is the sigmoid of h times the branch's row; for the paths see
    `senna.lab.pretraining.tree_paths`.
    """

    def __init__(self, settings: OutputSettings) -> None:
        assert settings.clusters is not None
        device, width = settings.noise.log_share.device, settings.size + 1
        branches, goes, n_branches = tree_paths_of(settings.clusters)
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


OUTPUTS: dict[str, Callable[[OutputSettings], SoftmaxLayer]] = {
    "nce": NoiseContrast,
    "classes": ClassSoftmax,
    "tree": TreeSoftmax,
}
