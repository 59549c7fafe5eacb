"""The n best paths against all paths, sorted."""

import numpy as np
import pytest

from senna.decoding.marginals import best_paths
from senna.decoding.viterbi import Dense
from tests.decoding.test_marginals import LENGTHS, SENTENCES, drawn, each_kind, worths


@pytest.mark.parametrize(("n", "seed"), [(1, 0), (2, 1), (7, 2), (30, 3)])
@each_kind
def test_against_all_paths(kind, n, seed):
    random = np.random.default_rng(seed)
    paths, final, names = drawn(kind, random)
    lengths = np.array(LENGTHS)
    scores = random.normal(0, 2, (sum(LENGTHS), len(names))).astype(np.float32)
    for here in SENTENCES:
        scores[here.stop - 1] += final
    found = best_paths(paths, scores, lengths, n)
    assert np.array_equal(found[0], paths.decode(scores, lengths))
    if kind == "states":
        by_the_transitions = Dense(paths.transitions, paths.initial).decode(scores, lengths)
        assert not np.array_equal(found[0], by_the_transitions), "or the test could not fail"
    for here in SENTENCES:
        every = worths(kind, paths, names, scores, here)
        expected = sorted(every, key=lambda path: -every[path])[:n]
        told = found[:, here]
        assert list(map(tuple, told[: len(expected)].tolist())) == expected
        assert (told[len(expected) :] == -1).all(), "fewer paths than asked for"


def test_equal_paths_are_found_once_each():
    """Where all score alike the first is still Viterbi's, and none comes twice."""
    paths = Dense(np.zeros((3, 3), np.float32), np.zeros(3, np.float32))
    scores = np.zeros((3, 3), np.float32)
    found = best_paths(paths, scores, np.array([3]), 30)
    assert np.array_equal(found[0], paths.decode(scores, np.array([3])))
    assert len({tuple(path) for path in found[:27].tolist()}) == 27
    assert (found[27:] == -1).all()
