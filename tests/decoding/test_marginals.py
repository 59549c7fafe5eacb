"""Probabilities of tags and phrases, and the best paths, against all paths."""

import itertools
import math

import numpy as np
import pytest

from senna.decoding.marginals import best_paths, chances
from senna.decoding.viterbi import Dense, Roles, paths_of
from senna.lab.state_transitions import States
from tests import oracles
from tests.decoding.test_viterbi import PART, ROLES
from tests.lab.test_state_transitions import TAGS, normal

LENGTHS = [4, 0, 3, 1, 2, 4]
SENTENCES = [slice(end - n, end) for end, n in zip(np.cumsum(LENGTHS), LENGTHS, strict=True) if n]
NAMES = {
    "dense": ["A", "B", "C"], "one": ["A"], "states": TAGS,
    "outside": ["O"], "part": PART, "phrases": ROLES, "states of phrases": TAGS, "roles": ROLES,
}  # fmt: skip
FREE = ("dense", "one", "states")  # any tag may follow any other
each_kind = pytest.mark.parametrize("kind", NAMES)


def drawn(kind: str, random: np.random.Generator) -> tuple[Dense, np.ndarray, list[str]]:
    """Paths, what is added to a last word's scores, and names of the tags in order."""
    names, n = NAMES[kind], len(NAMES[kind])
    if kind == "roles":
        paths: Dense = Roles(normal(random, 3, 3), normal(random, 4, 2), normal(random, 3))
        final = np.zeros(n, np.float32)
    else:
        scores = normal(random, n, n), normal(random, n)
        paths, final = paths_of(names, *scores, constrained=kind not in FREE)
    if kind.startswith("states"):
        paths = States(paths, normal(random, sum(LENGTHS), n, n))
    return paths, final[paths.order], [names[i] for i in paths.order]


def worths(
    kind: str, paths: Dense, names: list[str], scores: np.ndarray, here: slice
) -> dict[tuple[int, ...], float]:
    """The score of each path through the words of a sentence."""
    every = list(oracles.all_paths(here.stop - here.start, len(names)))
    if kind not in FREE:
        every = [path for path in every if oracles.is_valid(path, names)]
    moves = paths.transitions.astype(float)
    added = paths.moves[here].astype(float) - moves if isinstance(paths, States) else None
    own = scores[here].astype(float), moves, paths.initial.astype(float)
    return dict(zip(every, oracles.path_scores(*own, every, added).tolist(), strict=True))


@pytest.mark.parametrize(("temperature", "seed"), [(1.0, 0), (0.7, 1), (3.0, 2)])
@each_kind
def test_against_all_paths(kind, temperature, seed):
    """Of each word's tag, and of the tags of several words together, along any path."""
    random = np.random.default_rng(seed)
    paths, final, names = drawn(kind, random)
    lengths = np.array(LENGTHS)
    scores = random.normal(0, 2, (sum(LENGTHS), len(names))).astype(np.float32)
    closed = scores.copy()
    for here in SENTENCES:
        closed[here.stop - 1] += final
    for draw in range(3):
        path = paths.decode(closed, lengths) if draw == 0 else np.zeros(len(scores), np.intp)
        expected = {}
        for here in SENTENCES:
            every = worths(kind, paths, names, scores, here)
            weights = np.exp(np.array(list(every.values())) / temperature)
            own = dict(zip(every, (weights / weights.sum()).tolist(), strict=True))
            if draw:  # any valid path will do
                path[here] = list(own)[random.integers(len(own))]
            chosen = tuple(path[here].tolist())
            for i, k in itertools.combinations_with_replacement(range(len(chosen)), 2):
                expected[here.start + i, here.start + k] = sum(
                    p for other, p in own.items() if other[i : k + 1] == chosen[i : k + 1]
                )
        [found] = chances(paths, closed, lengths, [path], temperature)
        for (i, k), probability in expected.items():
            assert math.exp(found.opens[i] + found.closes[k]) == pytest.approx(probability)
            if i == k:
                assert found.words[i] == pytest.approx(probability)


@pytest.mark.parametrize("kind", ["dense", "phrases", "roles"])
def test_scores_far_apart_are_no_error(kind):
    """What double precision does not hold counts as impossible; nothing is no number."""
    random = np.random.default_rng(0)
    paths, _, names = drawn(kind, random)
    scores = random.normal(0, 1e4, (40, len(names))).astype(np.float32)
    lengths = np.array([30, 10])
    best, worst = paths.decode(scores, lengths), paths.decode(-scores, lengths)
    for found in chances(paths, scores, lengths, [best, worst]):
        assert ((found.words >= 0) & (found.words <= 1)).all()
        assert not np.isnan(np.concatenate(found)).any()
        assert (found.opens < np.inf).all() and (found.closes < np.inf).all()


@pytest.mark.parametrize(("n", "seed"), [(1, 0), (2, 1), (7, 2), (30, 3)])
@each_kind
def test_best_paths_against_all_paths(kind, n, seed):
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
