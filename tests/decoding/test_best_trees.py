"""Trees of spans, and dependency trees, against all trees of short sentences."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from senna.decoding.best_trees import (
    arc_marginals,
    are_trees,
    best_heads,
    best_relations,
    best_spans,
)
from tests import oracles
from tests.oracles import all_dependency_trees

Scores = np.ndarray[tuple[int, int], np.dtype[np.float32]]


@st.composite
def arc_scores(draw: st.DrawFn) -> Scores:
    n = draw(st.integers(1, 5))
    numbers = st.integers(-6, 6) if draw(st.booleans()) else st.floats(-20, 20, width=32)
    row = st.lists(numbers, min_size=n + 1, max_size=n + 1)
    return np.array(draw(st.lists(row, min_size=n, max_size=n)), np.float32)


def best(scores: Scores) -> list[int]:
    heads: list[int] = best_heads(scores[None], np.array([len(scores)]))[0].tolist()
    return heads


def sums(scores: Scores) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """All trees of a sentence, and the score of each."""
    trees = np.array(all_dependency_trees(len(scores)))
    return trees, scores.astype(float)[np.arange(len(scores)), trees].sum(axis=1)


def shares(scores: Scores, temperature: float = 1) -> NDArray[np.float64]:
    """The marginals of all arcs."""
    trees, totals = sums(scores)
    weights = np.exp((totals - totals.max()) / temperature)
    expected = np.zeros(scores.shape)
    np.add.at(expected, (np.arange(len(scores)), trees), (weights / weights.sum())[:, None])
    return expected


@settings(max_examples=60)
@given(arc_scores())
def test_the_best_tree_is_the_best_of_all(scores):
    trees, totals = sums(scores)
    place = trees.tolist().index(best(scores))
    assert totals[place] == pytest.approx(totals.max(), abs=1e-4)


@settings(max_examples=60)
@given(arc_scores())
def test_marginals_are_shares_of_all_trees(scores):
    assert arc_marginals(scores, temperature=2) == pytest.approx(shares(scores, 2), abs=1e-7)


def test_sentences_together_have_the_trees_that_they_have_alone():
    random = np.random.default_rng(5)
    lengths = np.array([1, 7, 0, 12, 4])
    scores = random.normal(size=(5, 12, 13)).astype(np.float32)
    heads = best_heads(scores, lengths)
    assert are_trees(heads, lengths).all()
    for i, n in enumerate(lengths.tolist()):
        assert n == 0 or heads[i, :n].tolist() == best(scores[i, :n, : n + 1])
        assert not heads[i, n:].any()


def test_of_equal_trees_the_same_one_is_found_in_whichever_batch():
    assert best(np.zeros((4, 5), np.float32)) == best(np.zeros((4, 5), np.float32) + 3)


def test_a_long_sentence_of_nothing_but_cycles():
    n = 60
    scores = np.zeros((n, n + 1), np.float32)
    for i in range(n):  # each word and its neighbour want each other
        scores[i, (i ^ 1) + 1] = 9
    heads = np.array([best(scores)])
    assert are_trees(heads, np.array([n])).all()
    assert sum(scores[i, h] == 9 for i, h in enumerate(heads[0])) == n / 2


@pytest.mark.parametrize(
    ("heads", "expected"),
    [([0, 1, 1], True), ([0, 0, 1], False), ([2, 1, 0], False), ([2, 3, 1], False)],
)
def test_trees_have_one_root_and_no_cycle(heads, expected):
    assert are_trees(np.array([heads]), np.array([3])).tolist() == [expected]


def test_the_root_alone_has_the_relation_of_the_root():
    scores = np.array([[1, 2, 9], [1, 5, 0], [7, 8, 9]], np.float32)
    heads = np.array([2, 0, 2])
    assert best_relations(scores.copy(), heads, 2).tolist() == [1, 2, 1]
    assert best_relations(scores.copy(), heads, -1).tolist() == [2, 1, 2]


def pairs(n: int, score: float) -> Scores:
    """Scores of words that want each other, two and two: of each pair one must do without."""
    scores = np.random.default_rng(7).normal(size=(n, n + 1)).astype(np.float32)
    for i in range(n):
        scores[i, (i ^ 1) + 1] = score
    return scores


@pytest.mark.parametrize("score", [20, 40, 200])
def test_marginals_of_words_that_want_each_other_lose_no_digits(score):
    scores = pairs(4, score)
    assert arc_marginals(scores) == pytest.approx(shares(scores), abs=1e-9)


@pytest.mark.parametrize("score", [0, 300, 1e30])
def test_marginals_of_a_sentence_of_500_words_are_probabilities(score):
    marginals = arc_marginals(pairs(500, score))
    assert marginals.min() >= 0
    assert marginals.sum(axis=1) == pytest.approx(np.ones(500), abs=1e-9)
    assert marginals[:, 0].sum() == pytest.approx(1, abs=1e-9)  # one root


def test_marginals_where_the_root_is_all_that_words_want():
    scores = np.full((3, 4), -1e30, np.float32)
    scores[:, 0] = 1e30
    marginals = arc_marginals(scores)
    assert marginals[:, 0] == pytest.approx([1 / 3] * 3)
    assert arc_marginals(scores[:1, :2]).tolist() == [[1, 0]]


def spans_of(scores: oracles.Array, lengths: list[int]) -> list[list[oracles.Span]]:
    """What `best_spans` finds, by sentence; they come sentence by sentence."""
    found: list[list[oracles.Span]] = [[] for _ in lengths]
    sentences, first, last = best_spans(scores, np.array(lengths))
    assert list(sentences) == sorted(sentences)
    for s, i, j in zip(sentences.tolist(), first.tolist(), last.tolist(), strict=True):
        found[s].append((i, j))
    return found


@pytest.mark.parametrize("seed", range(5))
def test_best_trees_of_sentences_of_different_lengths(seed):
    random, lengths = np.random.default_rng(seed), [6, 1, 4, 2, 7, 3]
    scores = random.normal(size=(len(lengths), 7, 7)).astype(np.float32)
    for own, n, found in zip(scores, lengths, spans_of(scores, lengths), strict=True):
        every = oracles.binary_trees(0, n - 1)
        best = max(every, key=lambda tree: float(oracles.tree_score(own, tree)))
        assert found == best


def test_what_stands_beyond_a_sentence_or_below_the_diagonal_does_not_count():
    random = np.random.default_rng(7)
    scores = random.normal(size=(2, 5, 5)).astype(np.float32)
    expected = spans_of(scores, [3, 5])
    scores[0, :, 3:] = 100
    scores[:, *np.tril_indices(5)] = 100
    assert spans_of(scores, [3, 5]) == expected


def test_of_equal_trees_the_same_is_taken_for_any_neighbours():
    alone = spans_of(np.zeros((1, 4, 4), np.float32), [4])
    assert spans_of(np.zeros((2, 9, 9), np.float32), [9, 4])[1] == alone[0]
