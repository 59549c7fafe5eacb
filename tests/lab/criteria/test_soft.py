"""Soft labels: the cross-entropy of probabilities, against sums over all paths."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from senna.lab.criteria.greedy import GreedyPaths
from senna.lab.criteria.state_transitions import StatePaths
from senna.training.losses.criteria import DensePaths, GoldBatch, criterion_of
from tests import oracles
from tests.lab.criteria import test_greedy_criterion as test_greedy
from tests.lab.criteria import test_state_transitions as test_states
from tests.training.losses.test_criteria import LENGTHS, N_TAGS, draw


def teacher(seed: int) -> Tensor:
    """Probabilities of tags, some of them 0."""
    generator = torch.Generator().manual_seed(seed)
    shape = (len(LENGTHS), max(LENGTHS), N_TAGS)
    labels = torch.rand(shape, generator=generator, dtype=torch.float64)
    labels = labels * (labels > 0.3) + 1e-9 * (labels <= 0.3)
    return labels / labels.sum(2, keepdim=True)


def assert_equal(loss: Tensor, expected: Tensor, inputs: list[Tensor]) -> None:
    torch.testing.assert_close(loss, expected)
    ours = torch.autograd.grad(loss, inputs, materialize_grads=True)
    theirs = torch.autograd.grad(expected, inputs, materialize_grads=True)
    for one, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(one, other)


@pytest.mark.parametrize("states", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_marginals_of_sentences(seed: int, states: bool) -> None:
    scores, tags, lengths = test_states.drawn(seed)
    emissions, transitions, initial, moves = scores
    labels = teacher(seed)
    paths = StatePaths(*scores[1:]) if states else DensePaths(transitions, initial)
    loss = criterion_of("sentence").loss(emissions, GoldBatch(tags, lengths, soft=labels), paths)
    expected = emissions.new_zeros(())
    for row, n in enumerate(LENGTHS):
        every = list(oracles.all_paths(n, N_TAGS))
        added = moves[row] if states else torch.zeros_like(moves[row])
        weights = torch.stack(
            [
                oracles.state_path_score(emissions[row], transitions, initial, added, path).exp()
                for path in every
            ]
        )
        for word in range(n):
            for tag in range(N_TAGS):
                here = torch.tensor([path[word] == tag for path in every])
                marginal = weights[here].sum() / weights.sum()
                expected = expected - labels[row, word, tag] * marginal.log()
    assert_equal(loss, expected, list(scores if states else scores[:3]))


def of_words(labels: Tensor, row: int, word: int, scores: Tensor) -> Tensor:
    """The cross-entropy of one word, tag by tag."""
    total = scores.exp().sum()
    return -sum(labels[row, word, k] * (scores[k].exp() / total).log() for k in range(N_TAGS))


def test_words() -> None:
    emissions, transitions, initial, tags, lengths = draw(1)
    labels = teacher(1)
    paths = DensePaths(transitions, initial)
    loss = criterion_of("word").loss(emissions, GoldBatch(tags, lengths, soft=labels), paths)
    words = [(row, word) for row, n in enumerate(LENGTHS) for word in range(n)]
    assert_equal(loss, sum(of_words(labels, *at, emissions[at]) for at in words), [emissions])


def test_words_after_gold_tags() -> None:
    scores, tags, lengths = test_greedy.drawn(2, 3)
    labels = teacher(2)
    gold = GoldBatch(tags, lengths, soft=labels)
    loss = criterion_of("greedy").loss(scores[0], gold, GreedyPaths(*scores[1:], beam=1))
    expected = scores[0].new_zeros(())
    for row, n in enumerate(LENGTHS):
        for word in range(n):
            after = test_greedy.next_scores(scores, row, tuple(tags[row, :word].tolist()))
            expected = expected + of_words(labels, row, word, after)
    assert_equal(loss, expected, list(scores))
