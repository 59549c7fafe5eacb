"""Tags from left to right: against a loop, and with a wide beam against all taggings."""

from __future__ import annotations

import math

import numpy as np
import pytest

from senna.errors import SennaError
from senna.lab.criteria.greedy import Greedy
from senna.paths.marginals import chances
from senna.paths.nbest import best_paths
from senna.paths.viterbi import Dense, paths_of
from tests import oracles
from tests.paths.test_nbest import is_valid

LENGTHS = np.array([4, 0, 3, 1, 2, 4, 4])
ENDS = np.cumsum(LENGTHS)
TAGS = ["O", "B-X", "I-X", "E-X", "S-X"]
Path = tuple[int, ...]


def drawn(
    seed: int, history: int, beam: int, constrained: bool = False
) -> tuple[Greedy, np.ndarray, list[str]]:
    """Random moves, and scores; those of last words without tags that cannot end a sentence."""
    random = np.random.default_rng(seed)
    n = len(TAGS)

    def normal(*shape: int) -> np.ndarray:
        return random.normal(0, 2, shape).astype(np.float32)

    plain, final = paths_of(TAGS, normal(n, n), normal(n), constrained)
    scores = normal(LENGTHS.sum(), n)
    scores[ENDS[LENGTHS > 0] - 1] += final[plain.order]
    paths = Greedy(plain, normal(history - 1, n, n), beam)
    return paths, scores, [TAGS[i] for i in plain.order]


def sentences(scores: np.ndarray) -> list[tuple[slice, np.ndarray]]:
    """Where each sentence with words is, and its scores."""
    both = zip(ENDS.tolist(), LENGTHS.tolist(), strict=True)
    places = [slice(end - n, end) for end, n in both if n]
    return [(here, scores[here]) for here in places]


def of_next(paths: Greedy, rows: np.ndarray, before: Path) -> np.ndarray:
    """The scores of the next word's tags after some tags."""
    return np.array(
        [
            oracles.next_score(
                rows[len(before)], paths.transitions, paths.initial, paths.earlier, before, tag
            )
            for tag in range(len(TAGS))
        ]
    )


def every(paths: Greedy, rows: np.ndarray, temperature: float = 1.0) -> dict[Path, float]:
    """The probability of each tagging: the product of those of its tags, each after the others."""
    chance = {}
    for path in oracles.all_paths(*rows.shape):
        chance[path] = 1.0
        for word, tag in enumerate(path):
            weights = np.exp(of_next(paths, rows, path[:word]) / temperature)
            chance[path] *= float(weights[tag] / weights.sum())
    return chance


@pytest.mark.parametrize("constrained", [False, True])
@pytest.mark.parametrize("history", [1, 2, 3])
def test_greedy(history: int, constrained: bool) -> None:
    """A beam of one takes the best tag, word by word."""
    other_than_viterbi = 0
    for seed in range(5):
        paths, scores, names = drawn(seed, history, 1, constrained)
        found = paths.decode(scores, LENGTHS)
        for here, rows in sentences(scores):
            path: Path = ()
            for _ in rows:
                path = (*path, int(of_next(paths, rows, path).argmax()))
            assert tuple(found[here].tolist()) == path
            assert not constrained or is_valid(path, names)
        exact = Dense(paths.transitions, paths.initial).decode(scores, LENGTHS)
        other_than_viterbi += exact.tolist() != found.tolist()
    assert other_than_viterbi > 2


@pytest.mark.parametrize("constrained", [False, True])
@pytest.mark.parametrize("history", [1, 2, 3])
def test_a_beam_that_keeps_all(history: int, constrained: bool) -> None:
    """It finds the best of all taggings, and the next ones in order."""
    paths, scores, names = drawn(history, history, len(TAGS) ** 4, constrained)
    three = best_paths(paths, scores, LENGTHS, 3)
    assert three[0].tolist() == paths.decode(scores, LENGTHS).tolist()
    for here, rows in sentences(scores):
        chance = every(paths, rows)
        valid = [path for path in chance if not constrained or is_valid(path, names)]
        falling = sorted(valid, key=lambda path: -chance[path])
        expected = falling[:3] + [(-1,) * len(rows)] * (3 - len(falling))
        assert list(map(tuple, three[:, here].tolist())) == expected


@pytest.mark.parametrize("width", [2, 3, 4])
def test_a_narrow_beam(width: int) -> None:
    """Against one that is written with lists; wider beams find better taggings."""
    better = 0
    for seed in range(12):
        paths, scores, _ = drawn(seed, 2, width)
        found = paths.decode(scores, LENGTHS)
        greedy = Greedy(paths, paths.earlier, 1).decode(scores, LENGTHS)
        for here, rows in sentences(scores):
            beam: list[tuple[float, Path]] = [(0.0, ())]
            for _ in rows:
                longer = []
                for total, path in beam:
                    next_scores = of_next(paths, rows, path)
                    norm = math.log(np.exp(next_scores).sum())
                    longer += [
                        (total + float(s) - norm, (*path, tag)) for tag, s in enumerate(next_scores)
                    ]
                beam = sorted(longer, reverse=True)[:width]
            assert tuple(found[here].tolist()) == beam[0][1]
            chance = every(paths, rows)
            better += chance[beam[0][1]] > chance[tuple(greedy[here].tolist())]
    assert better > 3


@pytest.mark.parametrize("temperature", [1.0, 2.5])
def test_probabilities(temperature: float) -> None:
    """Of a tag after those before it, and of several tags together."""
    paths, scores, _ = drawn(3, 3, 2)
    path = paths.decode(scores, LENGTHS)
    [told] = chances(paths, scores, LENGTHS, [path], temperature)
    for here, rows in sentences(scores):
        chance = every(paths, rows, temperature)
        chosen = tuple(path[here].tolist())

        def begins(n: int, chance: dict[Path, float] = chance, chosen: Path = chosen) -> float:
            return sum(p for other, p in chance.items() if other[:n] == chosen[:n])

        for i in range(len(rows)):
            word = begins(i + 1) / begins(i)
            assert told.words[here.start + i] == pytest.approx(word)
            for k in range(i, len(rows)):
                both = math.exp(told.opens[here.start + i] + told.closes[here.start + k])
                assert both == pytest.approx(begins(k + 1) / begins(i))


def test_more_taggings_than_the_beam_keeps() -> None:
    paths, scores, _ = drawn(0, 1, 2)
    with pytest.raises(SennaError, match="n_best 3: a beam of 2 keeps no more taggings"):
        best_paths(paths, scores, LENGTHS, 3)


def test_many_sentences() -> None:
    """Several batches: each is tagged as it is alone."""
    random = np.random.default_rng(0)
    lengths = np.array([300, 1, 0, *[7] * 200, 40])
    n, words = len(TAGS), int(lengths.sum())
    plain, _, _ = drawn(1, 3, 4)
    scores = random.normal(0, 2, (words, n)).astype(np.float32)
    together = plain.decode(scores, lengths)
    ends = np.cumsum(lengths)
    for end, m in zip(ends.tolist(), lengths.tolist(), strict=True):
        alone = plain.decode(scores[end - m : end], np.array([m])) if m else np.zeros(0)
        assert together[end - m : end].tolist() == alone.tolist()
