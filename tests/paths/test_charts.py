"""The best tree, against all trees."""

from __future__ import annotations

import numpy as np
import pytest

from senna.paths.charts import best_spans
from tests import oracles


def spans_of(scores: oracles.Array, lengths: list[int]) -> list[list[oracles.Span]]:
    """What `best_spans` finds, by sentence; they come sentence by sentence."""
    found: list[list[oracles.Span]] = [[] for _ in lengths]
    sentences, first, last = best_spans(scores, np.array(lengths))
    assert list(sentences) == sorted(sentences)
    for s, i, j in zip(sentences.tolist(), first.tolist(), last.tolist(), strict=True):
        found[s].append((i, j))
    return found


@pytest.mark.parametrize("seed", range(5))
def test_best_trees_of_sentences_of_different_lengths(seed: int) -> None:
    random, lengths = np.random.default_rng(seed), [6, 1, 4, 2, 7, 3]
    scores = random.normal(size=(len(lengths), 7, 7)).astype(np.float32)
    for own, n, found in zip(scores, lengths, spans_of(scores, lengths), strict=True):
        every = oracles.binary_trees(0, n - 1)
        best = max(every, key=lambda tree: float(oracles.tree_score(own, tree)))
        assert found == best


def test_what_stands_beyond_a_sentence_or_below_the_diagonal_does_not_count() -> None:
    random = np.random.default_rng(7)
    scores = random.normal(size=(2, 5, 5)).astype(np.float32)
    expected = spans_of(scores, [3, 5])
    scores[0, :, 3:] = 100
    scores[:, *np.tril_indices(5)] = 100
    assert spans_of(scores, [3, 5]) == expected


def test_of_equal_trees_the_same_is_taken_for_any_neighbours() -> None:
    alone = spans_of(np.zeros((1, 4, 4), np.float32), [4])
    assert spans_of(np.zeros((2, 9, 9), np.float32), [9, 4])[1] == alone[0]
