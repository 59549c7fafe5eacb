"""The greedy criterion against a loop over words, and decoding beside it."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from senna.lab.criteria.greedy import CRITERIA, GreedyPaths
from senna.training.losses.criteria import GoldBatch
from tests import oracles
from tests.training.losses.test_criteria import LENGTHS, N_TAGS, assert_equal_with_gradients, draw


def drawn(seed: int, history: int) -> tuple[tuple[Tensor, ...], Tensor, Tensor]:
    """Emissions, transitions, initial and earlier moves, which want gradients; tags, lengths."""
    *scores, tags, lengths = draw(seed)
    generator = torch.Generator().manual_seed(100 + seed)
    shape = (history - 1, N_TAGS, N_TAGS)
    earlier = torch.randn(shape, generator=generator, dtype=torch.float64).requires_grad_()
    return (*scores, earlier), tags, lengths


def next_scores(scores: tuple[Tensor, ...], row: int, before: tuple[int, ...]) -> Tensor:
    emissions, transitions, initial, earlier = scores
    word = emissions[row, len(before)]
    moves = (transitions, initial, earlier, before)
    return torch.stack([oracles.next_score(word, *moves, tag) for tag in range(len(word))])


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("history", [1, 2, 4])
def test_each_word_after_the_gold_tags(history: int, several: bool) -> None:
    scores, tags, lengths = drawn(history, history)
    generator = torch.Generator().manual_seed(1)
    allowed = torch.rand(scores[0].shape, generator=generator) < (0.4 if several else 0)
    allowed.scatter_(2, tags[:, :, None], True)

    def loss(emissions: Tensor, *moves: Tensor) -> Tensor:
        gold = GoldBatch(tags, lengths, allowed if several else None)
        return CRITERIA["greedy"].loss(emissions, gold, GreedyPaths(*moves, beam=1))

    value, expected = loss(*scores), scores[0].new_zeros(())
    for row, n in enumerate(LENGTHS):
        for word in range(n):
            every = next_scores(scores, row, tuple(tags[row, :word].tolist()))
            right = every[allowed[row, word]]
            expected = expected + every.logsumexp(0) - right.logsumexp(0)
    assert_equal_with_gradients(value, expected, [x for x in scores if x.numel()])


@pytest.mark.parametrize("history", [1, 3])
def test_the_best_tagging(history: int) -> None:
    """With a beam that keeps all; the probabilities of all taggings sum to 1."""
    drawn_scores, _, lengths = drawn(history, history)
    scores = tuple(x.detach() for x in drawn_scores)
    paths = GreedyPaths(*scores[1:], beam=N_TAGS ** max(LENGTHS))
    best = paths.best(scores[0], lengths)
    for row, n in enumerate(LENGTHS):
        logs = {}
        for path in oracles.all_paths(n, N_TAGS):
            one = torch.tensor([path])
            logs[path] = float(paths.score(scores[0][row : row + 1, :n], one, torch.tensor([n])))
        total = torch.tensor(list(logs.values())).logsumexp(0)
        none = paths.log_partition(scores[0], lengths)
        torch.testing.assert_close(total.double(), none, atol=1e-6, rtol=0)
        assert tuple(best[row, :n].tolist()) == max(logs, key=logs.__getitem__)
