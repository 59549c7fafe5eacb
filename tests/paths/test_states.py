"""Moves that each word scores for itself, against all paths."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from senna.paths.marginals import chances
from senna.paths.nbest import best_paths
from senna.paths.viterbi import Dense, States, paths_of
from tests import oracles

LENGTHS = np.array([4, 0, 3, 1, 2, 4])
ENDS = np.cumsum(LENGTHS)
TAGS = ["O", "B-X", "I-X", "E-X", "S-X"]


def normal(random: np.random.Generator, *shape: int) -> np.ndarray:
    return random.normal(0, 2, shape).astype(np.float32)


def drawn_dense(
    random: np.random.Generator, lengths: np.ndarray, constrained: bool
) -> tuple[Dense, np.ndarray, list[str]]:
    """Random moves and scores; those of last words without tags that cannot end a sentence."""
    n = len(TAGS)
    plain, final = paths_of(TAGS, normal(random, n, n), normal(random, n), constrained)
    scores = normal(random, lengths.sum(), n)
    scores[np.cumsum(lengths)[lengths > 0] - 1] += final[plain.order]
    return plain, scores, [TAGS[i] for i in plain.order]


def drawn(seed: int, constrained: bool) -> tuple[States, np.ndarray, list[str]]:
    random = np.random.default_rng(seed)
    plain, scores, names = drawn_dense(random, LENGTHS, constrained)
    return States(plain, normal(random, len(scores), *plain.transitions.shape)), scores, names


def sentences(
    paths: States, scores: np.ndarray, names: list[str], constrained: bool
) -> list[tuple[slice, dict[tuple[int, ...], float]]]:
    """Of each sentence with words, where it is and the score of every path through it."""
    plain = paths.transitions
    told = []
    for end, n in zip(ENDS.tolist(), LENGTHS.tolist(), strict=True):
        if not n:
            continue
        here = slice(end - n, end)
        added = (paths.moves - plain)[here]
        every = list(oracles.all_paths(n, len(names)))
        if constrained:
            every = [path for path in every if oracles.is_valid(path, names)]
        worth = oracles.path_scores(scores[here], plain, paths.initial, every, added)
        told.append((here, dict(zip(every, worth.tolist(), strict=True))))
    return told


@pytest.mark.parametrize("constrained", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_the_best_paths(seed: int, constrained: bool) -> None:
    paths, scores, names = drawn(seed, constrained)
    best = paths.decode(scores, LENGTHS)
    three = best_paths(paths, scores, LENGTHS, 3)
    assert np.array_equal(three[0], best)
    by_the_transitions = Dense(paths.transitions, paths.initial).decode(scores, LENGTHS)
    assert best.tolist() != by_the_transitions.tolist(), "or the test could not fail"
    for here, every in sentences(paths, scores, names, constrained):
        falling = sorted(every, key=lambda path: -every[path])
        expected = falling[:3] + [(-1,) * (here.stop - here.start)] * (3 - len(falling))
        assert list(map(tuple, three[:, here].tolist())) == expected


@pytest.mark.parametrize("constrained", [False, True])
@pytest.mark.parametrize("temperature", [1.0, 2.5])
def test_probabilities(constrained: bool, temperature: float) -> None:
    """Of the tags of each part of each sentence."""
    paths, scores, names = drawn(7, constrained)
    path = paths.decode(scores, LENGTHS)
    [told] = chances(paths, scores, LENGTHS, [path], temperature)
    for here, every in sentences(paths, scores, names, constrained):
        weights = {one: math.exp(score / temperature) for one, score in every.items()}
        whole, chosen = sum(weights.values()), tuple(path[here].tolist())
        n = here.stop - here.start
        for i, k in itertools.combinations_with_replacement(range(n), 2):
            same = [w for one, w in weights.items() if one[i : k + 1] == chosen[i : k + 1]]
            value = math.exp(told.opens[here.start + i] + told.closes[here.start + k])
            assert value == pytest.approx(sum(same) / whole)
            if i == k:
                assert told.words[here.start + i] == pytest.approx(value)


def test_sentences_of_very_different_lengths() -> None:
    """Several batches; probabilities of a word sum to one."""
    random = np.random.default_rng(0)
    lengths = np.array([300, 1, 0, *[7] * 200, 40])
    n, words = 3, int(lengths.sum())
    plain = Dense(*(random.normal(0, 3, shape).astype(np.float32) for shape in ((n, n), n)))
    paths = States(plain, random.normal(0, 3, (words, n, n)).astype(np.float32))
    scores = random.normal(0, 20, (words, n)).astype(np.float32)
    tried = [np.full(words, tag) for tag in range(n)]
    total = sum(told.words for told in chances(paths, scores, lengths, tried))
    assert total == pytest.approx(np.ones(words))
    alone = [
        States(plain, paths.moves[end - m : end] - plain.transitions).decode(
            scores[end - m : end], np.array([m])
        )
        for end, m in zip(np.cumsum(lengths).tolist(), lengths.tolist(), strict=True)
        if m
    ]
    assert np.concatenate(alone).tolist() == paths.decode(scores, lengths).tolist()
