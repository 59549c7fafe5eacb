"""The way to each word of a dictionary in a binary tree (Morin and Bengio 2005).

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


Way = list[tuple[int, bool]]  # the branches, and which of two ways it goes on there


def ways_of(clusters: ClusterPaths) -> tuple[Tensor, Tensor, int]:
    """The branches on the way to each word, (n_words, depth), and where it goes, and their number.

    Where: 1 or -1, and 0 after the end of the way. SennaError for a path that begins another one.
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
    ways: list[Way] = [[] for _ in clusters.rows]
    for path, words in zip(paths, members, strict=True):
        way = [
            (numbers[path[:i]], bit == "1")
            for i, bit in enumerate(path)
            if {path[:i] + "0", path[:i] + "1"} <= reached
        ]
        _halve(words, way, ways)
    return *_padded(ways), len(branches)


def _paths(clusters: ClusterPaths) -> list[str]:
    """The path of each cluster; the first branch parts off the words that have none."""
    paths = clusters.paths[1:]
    for one, other in pairwise(paths):
        if other.startswith(one):
            what = f"the path {one} is the beginning of {other}"
            raise SennaError(what, where="clusters", mend="A tree of words needs leaves as paths.")
    return ["0", *(f"1{path}" for path in paths)]


def _halve(words: list[int], way: Way, ways: list[Way]) -> None:
    """Write the ways to a cluster's words, which go on from `way`."""
    if len(words) < 2:
        for word in words:
            ways[word] = way
        return
    half = len(words) // 2
    first = words[half]
    _halve(words[:half], [*way, (first, False)], ways)
    _halve(words[half:], [*way, (first, True)], ways)


def _padded(ways: list[Way]) -> tuple[Tensor, Tensor]:
    shape = len(ways), max(map(len, ways))
    branches, goes = np.zeros(shape, np.int64), np.zeros(shape, np.float32)
    for word, way in enumerate(ways):
        for i, (branch, one) in enumerate(way):
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
