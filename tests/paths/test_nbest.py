"""The n best paths against all paths, sorted."""

from __future__ import annotations

import numpy as np
import pytest

from senna.paths.nbest import best_paths
from senna.paths.viterbi import Dense
from tests import oracles
from tests.paths.test_marginals import LENGTHS, drawn


@pytest.mark.parametrize(("n", "seed"), [(1, 0), (2, 1), (7, 2), (30, 3)])
@pytest.mark.parametrize("kind", ["dense", "part", "phrases", "roles"])
def test_against_all_paths(kind: str, n: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    paths, final, names = drawn(kind, random)
    lengths = np.array(LENGTHS)
    ends = np.cumsum(lengths)
    scores = random.normal(0, 2, (sum(LENGTHS), len(names))).astype(np.float32)
    scores[ends[lengths > 0] - 1] += final
    found = best_paths(paths, scores, lengths, n)
    assert np.array_equal(found[0], paths.decode(scores, lengths))
    for end, length in zip(ends.tolist(), LENGTHS, strict=True):
        if not length:
            continue
        own = scores[end - length : end]
        every = list(oracles.all_paths(*own.shape))
        if kind != "dense":
            every = [path for path in every if oracles.is_valid(path, names)]
        worth = oracles.path_scores(own, paths.transitions, paths.initial, every)
        expected = [every[i] for i in np.argsort(-worth)[:n]]
        told = found[:, end - length : end]
        assert list(map(tuple, told[: len(expected)].tolist())) == expected
        assert (told[len(expected) :] == -1).all(), "fewer paths than asked for"


def test_equal_paths_are_found_once_each() -> None:
    """Where all score alike the first is still Viterbi's, and none comes twice."""
    paths = Dense(np.zeros((3, 3), np.float32), np.zeros(3, np.float32))
    scores = np.zeros((3, 3), np.float32)
    found = best_paths(paths, scores, np.array([3]), 30)
    assert np.array_equal(found[0], paths.decode(scores, np.array([3])))
    assert len({tuple(path) for path in found[:27].tolist()}) == 27
    assert (found[27:] == -1).all()


def test_many_sentences() -> None:
    """More than one batch; the best as `decode` has it."""
    random = np.random.default_rng(1)
    paths, _, names = drawn("phrases", random)
    lengths = random.integers(0, 9, 100)
    scores = random.normal(0, 2, (int(lengths.sum()), len(names))).astype(np.float32)
    found = best_paths(paths, scores, lengths, 3)
    assert np.array_equal(found[0], paths.decode(scores, lengths))
