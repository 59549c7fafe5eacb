"""The path to each word in a binary tree (hierarchical softmax; Morin and Bengio 2005).

It is the path of the word's cluster, then goes through halves of the cluster's words. A half is
known by its first word, whose row has the number of the branch to it; the branches of the clusters'
paths have the next numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from senna.errors import SennaError
from senna.lab.features.clusters import read_clusters
from senna.text.features import PADDING


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
            raise SennaError(what, where="clusters", mend="A tree of words needs leaves as paths.")
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
