"""Moves that each word scores for itself, against all paths."""

import numpy as np
import pytest

from senna.decoding.marginals import chances
from senna.decoding.viterbi import Dense, paths_of
from senna.lab.state_transitions import States

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


def test_sentences_of_very_different_lengths():
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
    together, ends = paths.decode(scores, lengths), np.cumsum(lengths)
    for end, m in zip(ends[lengths > 0].tolist(), lengths[lengths > 0].tolist(), strict=True):
        own = slice(end - m, end)
        alone = States(plain, paths.moves[own] - plain.transitions)
        assert together[own].tolist() == alone.decode(scores[own], np.array([m])).tolist()
