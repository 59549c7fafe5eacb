"""The paths to words in a tree of clusters."""

from __future__ import annotations

import numpy as np
import pytest

from senna.errors import SennaError
from senna.lab.pretraining.tree_paths import ClusterPaths, tree_paths_of
from senna.text.features import PADDING, RARE

PATHS = {"she": "00", "he": "00", "it": "00", "runs": "1", "walks": "01"}


def choices(words: list[str]) -> dict[str, list[tuple[int, int]]]:
    """The branches on the way to each word, and where it goes, 1 or -1."""
    clusters = ClusterPaths.of(PATHS, words)
    assert clusters is not None
    branches, goes, n_branches = tree_paths_of(clusters)
    assert n_branches == 3
    rows = zip(["PADDING", "RARE", *words], branches.tolist(), goes.tolist(), strict=True)
    return {
        word: [(branch, int(way)) for branch, way in zip(*row, strict=True) if way]
        for word, *row in rows
    }


def test_a_way_goes_through_the_path_and_then_through_halves() -> None:
    words = ["she", "zebra", "he", "walks", "it", "runs"]
    top, first, second = 8, 9, 10  # the branches after the rows of PADDING, RARE and six words
    assert choices(words) == {
        "PADDING": [],
        "RARE": [(top, -1), (3, -1)],
        "zebra": [(top, -1), (3, 1)],
        "she": [(top, 1), (first, -1), (second, -1), (4, -1)],
        "he": [(top, 1), (first, -1), (second, -1), (4, 1), (6, -1)],
        "it": [(top, 1), (first, -1), (second, -1), (4, 1), (6, 1)],
        "walks": [(top, 1), (first, -1), (second, 1)],
        "runs": [(top, 1), (first, 1)],
    }


def test_without_words_on_one_side_there_is_no_branch() -> None:
    assert choices(["she", "runs"]) == {
        "PADDING": [],
        "RARE": [(4, -1)],
        "she": [(4, 1), (5, -1)],
        "runs": [(4, 1), (5, 1)],
    }


@pytest.mark.parametrize("n", [1, 2, 3, 8, 100])
def test_every_word_is_found_by_its_choices(n: int) -> None:
    random = np.random.default_rng(n)
    clusters = ClusterPaths(random.integers(0, 5, n + 2), ["", "00", "01", "10", "11"])
    branches, goes, _ = tree_paths_of(clusters)
    assert not goes[PADDING].any()
    for word in range(RARE, n + 2):
        chosen = dict(zip(branches[word].tolist(), goes[word].tolist(), strict=True))
        same = [
            other
            for other in range(RARE, n + 2)
            if all(
                chosen.get(branch, 0) in (0, way)
                for branch, way in zip(branches[other].tolist(), goes[other].tolist(), strict=True)
                if way
            )
        ]
        assert same == [word]


def test_a_path_that_is_the_beginning_of_another_is_no_leaf() -> None:
    clusters = ClusterPaths(np.array([0, 0, 1]), ["", "0", "01"])
    with pytest.raises(SennaError, match="clusters: the path 0 is the beginning of 01"):
        tree_paths_of(clusters)
