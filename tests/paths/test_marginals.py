"""Probabilities of tags and phrases against sums over every path."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from senna.paths.marginals import chances
from senna.paths.viterbi import Dense, Roles, paths_of
from tests import oracles
from tests.paths.test_viterbi import PART, ROLES

LENGTHS = [4, 0, 3, 1, 2, 4]


def drawn(kind: str, random: np.random.Generator) -> tuple[Dense, np.ndarray, list[str]]:
    """Paths, what is added to a last word's scores, and names of the tags in order."""
    if kind == "roles":
        between, within = random.normal(0, 2, (3, 3)), random.normal(0, 2, (4, 2))
        parts = between, within, random.normal(0, 2, 3)
        paths: Dense = Roles(*(part.astype(np.float32) for part in parts))
        names, final = ROLES, np.zeros(len(ROLES), np.float32)
    else:
        names = {"dense": ["A", "B", "C"], "part": PART, "phrases": ROLES}[kind]
        n = len(names)
        transitions = random.normal(0, 2, (n, n)).astype(np.float32)
        initial = random.normal(0, 2, n).astype(np.float32)
        paths, final = paths_of(names, transitions, initial, constrained=kind != "dense")
    return paths, final[paths.order], [names[i] for i in paths.order]


def every_path(
    kind: str, paths: Dense, names: list[str], scores: np.ndarray, temperature: float
) -> dict[tuple[int, ...], float]:
    """The probability of each path."""
    every = list(oracles.all_paths(*scores.shape))
    if kind != "dense":
        every = [path for path in every if oracles.is_valid(path, names)]
    own = scores.astype(float), paths.transitions.astype(float), paths.initial.astype(float)
    weights = np.exp(oracles.path_scores(*own, every) / temperature)
    return dict(zip(every, (weights / weights.sum()).tolist(), strict=True))


@pytest.mark.parametrize(("temperature", "seed"), [(1.0, 0), (0.7, 1), (3.0, 2)])
@pytest.mark.parametrize("kind", ["dense", "part", "phrases", "roles"])
def test_against_all_paths(kind: str, temperature: float, seed: int) -> None:
    """Of each word's tag, and of the tags of several words together, along any path."""
    random = np.random.default_rng(seed)
    paths, final, names = drawn(kind, random)
    lengths = np.array(LENGTHS)
    scores = random.normal(0, 2, (sum(LENGTHS), len(names))).astype(np.float32)
    ends = np.cumsum(lengths)
    closed = scores.copy()
    closed[ends[lengths > 0] - 1] += final
    for draw in range(3):
        path = paths.decode(closed, lengths) if draw == 0 else np.zeros(len(scores), np.intp)
        expected = {}
        for end, n in zip(ends.tolist(), LENGTHS, strict=True):
            if not n:
                continue
            own = every_path(kind, paths, names, scores[end - n : end], temperature)
            if draw:  # any valid path will do
                path[end - n : end] = list(own)[random.integers(len(own))]
            chosen = tuple(path[end - n : end].tolist())
            for i, k in itertools.combinations_with_replacement(range(n), 2):
                expected[end - n + i, end - n + k] = sum(
                    p for other, p in own.items() if other[i : k + 1] == chosen[i : k + 1]
                )
        [found] = chances(paths, closed, lengths, [path], temperature)
        for (i, k), probability in expected.items():
            assert math.exp(found.opens[i] + found.closes[k]) == pytest.approx(probability)
            if i == k:
                assert found.words[i] == pytest.approx(probability)


def test_probabilities_of_a_word_sum_to_one() -> None:
    """Long sentences, in several batches, of very different lengths."""
    random = np.random.default_rng(0)
    paths, _, names = drawn("roles", random)
    lengths = np.array([300, 1, 0, *[7] * 200, 40])
    scores = random.normal(0, 20, (int(lengths.sum()), len(names))).astype(np.float32)
    tried = [np.full(len(scores), tag) for tag in range(len(names))]
    total = sum(found.words for found in chances(paths, scores, lengths, tried))
    assert total == pytest.approx(np.ones(len(scores)))


@pytest.mark.parametrize("kind", ["dense", "phrases", "roles"])
def test_scores_far_apart_are_no_error(kind: str) -> None:
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


def test_no_words() -> None:
    paths = Dense(np.zeros((2, 2), np.float32), np.zeros(2, np.float32))
    none = np.zeros(0, np.intp)
    found = chances(paths, np.zeros((0, 2), np.float32), np.array([0, 0]), [none])
    assert [len(own) for own in found[0]] == [0, 0, 0]
