"""Output layers of language models, which say which word it is, given the last layer's numbers.

They have a row of numbers and a bias for each word; `hidden` (n, size + 1) ends with a 1 for the
bias. In training none computes the softmax over the whole dictionary; in scoring all do.

That of a tree (Morin and Bengio 2005) has a path to each word: that of the word's cluster, then
through halves of the cluster's words. A half is known by its first word, whose row has the number
of the branch to it; the branches of the clusters' paths have the next numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from senna.errors import SennaError
from senna.lab.form_features import read_clusters
from senna.pretraining.lookup_table import LookupTable, Noise
from senna.text.vocabulary import PADDING

SLICE = 512  # words at a time: their scores against a large sample stay in the cache
GPU_SLICE = 1 << 16  # on a GPU, where each piece costs the launch of its kernels


class SampledSoftmax:
    """A softmax over the true word and a sample of others.

    Each score is corrected by the log of how often it is drawn (Bengio and Senecal 2008).
    """

    def __init__(self, noise: Noise, size: int, sample: int, clusters: Any = None) -> None:
        """size: of the last layer; sample: random words that the words of a step share."""
        self.noise, self.sample = noise, sample
        n, device = len(noise.log_share), noise.log_share.device
        self.table = LookupTable(torch.zeros(n, size + 1, device=device))
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

    def __init__(self, noise: Noise, size: int, sample: int, clusters: Any = None) -> None:
        super().__init__(noise, size, sample)
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

    def __init__(self, noise: Noise, size: int, sample: int, clusters: ClusterPaths) -> None:
        device = noise.log_share.device
        self.classes = torch.from_numpy(clusters.rows).to(device)
        order = torch.argsort(self.classes, stable=True)
        # The rows of each class; PADDING is no word.
        by_class = torch.split(order, torch.bincount(self.classes).tolist())
        self.members = [rows[rows != PADDING] for rows in by_class]
        # A smaller dictionary has no word of some classes.
        self.present = torch.tensor([i for i, rows in enumerate(self.members) if len(rows)]).to(
            device
        )
        n = len(self.classes)
        self.table = LookupTable(torch.zeros(n, size + 1, device=device))
        self.of_classes = LookupTable(torch.zeros(len(self.members), size + 1, device=device))
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

    At a branch it is the sigmoid of h times the branch's row.
    """

    def __init__(self, noise: Noise, size: int, sample: int, clusters: ClusterPaths) -> None:
        device, width = noise.log_share.device, size + 1
        branches, goes, n_branches = tree_paths_of(clusters)
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


# --------------------------------------------------------------------------- clusters of words


class ClusterPaths(NamedTuple):
    """The clusters of a dictionary's words."""

    rows: NDArray[np.int64]  # (n_words,) the number of each row's cluster
    paths: list[str]  # of each cluster, in order; that of number 0, the words without one, is ""

    @classmethod
    def of(cls, paths: Mapping[str, str], words: Sequence[str]) -> ClusterPaths:
        """Those of PADDING, RARE and some words, by the words' paths.

        A cluster keeps its number whatever the words.
        """
        distinct = sorted({"", *paths.values()})
        numbers = {path: number for number, path in enumerate(distinct)}
        rows = [0, 0, *(numbers[paths.get(word, "")] for word in words)]
        return cls(np.array(rows, np.int64), distinct)


TreePath = list[tuple[int, bool]]  # the branches, and which of two sides it goes on to


def tree_paths_of(clusters: ClusterPaths) -> tuple[Tensor, Tensor, int]:
    """The branches on the path to each word, (n_words, depth), their sides, and their number.

    A side is 1 or -1, and 0 after the end of the path. SennaError where a path begins another.
    """
    paths = _paths(clusters)
    branches = sorted({path[:i] for path in paths for i in range(len(path))})
    numbers = {branch: number for number, branch in enumerate(branches, len(clusters.rows))}
    members: list[list[int]] = [[] for _ in paths]
    for row, cluster in enumerate(clusters.rows.tolist()):
        if row != PADDING:
            members[cluster].append(row)
    # A smaller dictionary has no word of some clusters: where one way remains is no branch.
    used = [path for path, words in zip(paths, members, strict=True) if words]
    reached = {path[: i + 1] for path in used for i in range(len(path))}
    tree_paths: list[TreePath] = [[] for _ in clusters.rows]
    for path, words in zip(paths, members, strict=True):
        tree_path = [
            (numbers[path[:i]], bit == "1")
            for i, bit in enumerate(path)
            if {path[:i] + "0", path[:i] + "1"} <= reached
        ]
        _halve(words, tree_path, tree_paths)
    return *_padded(tree_paths), len(branches)


def _paths(clusters: ClusterPaths) -> list[str]:
    """The path of each cluster; the first branch parts off the words that have none."""
    paths = clusters.paths[1:]
    for one, other in pairwise(paths):
        if other.startswith(one):
            what = f"the path {one} is the beginning of {other}"
            raise SennaError(
                what, where="clusters", remedy="A tree of words needs leaves as paths."
            )
    return ["0", *(f"1{path}" for path in paths)]


def _halve(words: list[int], path: TreePath, tree_paths: list[TreePath]) -> None:
    """Write the paths to the words of a cluster, which go on from `path`."""
    if len(words) < 2:
        for word in words:
            tree_paths[word] = path
        return
    half = len(words) // 2
    first = words[half]
    _halve(words[:half], [*path, (first, False)], tree_paths)
    _halve(words[half:], [*path, (first, True)], tree_paths)


def _padded(tree_paths: list[TreePath]) -> tuple[Tensor, Tensor]:
    shape = len(tree_paths), max(map(len, tree_paths))
    branches, goes = np.zeros(shape, np.int64), np.zeros(shape, np.float32)
    for word, path in enumerate(tree_paths):
        for i, (branch, one) in enumerate(path):
            branches[word, i], goes[word, i] = branch, 1 if one else -1
    return torch.from_numpy(branches), torch.from_numpy(goes)


def read_paths(path: str, words: Sequence[str], say: Callable[[str], None]) -> dict[str, str]:
    """The path of each word in a file of clusters. SennaError where it has none of `words`."""
    paths = read_clusters(path)
    known = sum(word in paths for word in words) / len(words)
    if not known:
        raise SennaError("no word of the dictionary in it", where=path)
    n_clusters = len(set(paths.values()))
    say(f"{known:.1%} of the dictionary in {n_clusters:,} clusters, the rest in one")
    return paths


# An output layer, which has `tables`, `loss` and `scores`.
SoftmaxLayer = SampledSoftmax | ClassSoftmax | TreeSoftmax
# By `softmax`: from noise, the size of the last layer, that of samples, and clusters of words.
OUTPUTS: dict[str, Callable[[Noise, int, int, Any], SoftmaxLayer]] = {
    "sampled": SampledSoftmax,
    "nce": NoiseContrast,
    "classes": ClassSoftmax,
    "tree": TreeSoftmax,
}
