"""Criteria on paths whose moves each word scores for itself, against all paths."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from senna.lab.criteria.state_transitions import StatePaths
from senna.training.losses.criteria import GoldBatch, criterion_of
from tests import oracles
from tests.training.losses.test_criteria import LENGTHS, N_TAGS, assert_equal_with_gradients, draw

SHAPE = (len(LENGTHS), max(LENGTHS), N_TAGS, N_TAGS)


def drawn(seed: int) -> tuple[tuple[Tensor, ...], Tensor, Tensor]:
    """Emissions, transitions, initial and moves, which want gradients; tags, lengths."""
    *scores, tags, lengths = draw(seed)
    generator = torch.Generator().manual_seed(100 + seed)
    moves = torch.randn(SHAPE, generator=generator, dtype=torch.float64).requires_grad_()
    return (*scores, moves), tags, lengths


def by_hand(
    margin: float | None, scores: tuple[Tensor, ...], tags: Tensor, allowed: Tensor
) -> Tensor:
    """The loss over all paths; margin: of the hinge, None for the likelihood."""
    emissions, transitions, initial, moves = scores
    total = emissions.new_zeros(())
    for row, n in enumerate(LENGTHS):
        every, right, wrong = [], [], []
        for path in oracles.all_paths(n, N_TAGS):
            score = oracles.state_path_score(emissions[row], transitions, initial, moves[row], path)
            every.append(score)
            wrong.append(sum(not allowed[row, word, tag] for word, tag in enumerate(path)))
            right += [] if wrong[-1] else [score]
        both = torch.stack(every), torch.stack(right)
        if margin is None:
            total = total + both[0].logsumexp(0) - both[1].logsumexp(0)
        else:
            total = total + (both[0] + margin * torch.tensor(wrong)).max() - both[1].max()
    return total


@pytest.mark.parametrize(
    ("name", "margin"), [("sentence", None), ("hinge", 1.0), ("perceptron", 0.0)]
)
@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_against_all_paths(name: str, margin: float | None, several: bool, seed: int) -> None:
    scores, tags, lengths = drawn(seed)
    generator = torch.Generator().manual_seed(seed)
    allowed = torch.rand(SHAPE[:3], generator=generator) < (0.4 if several else 0)
    allowed.scatter_(2, tags[:, :, None], True)

    def loss(emissions: Tensor, *paths: Tensor) -> Tensor:
        gold = GoldBatch(tags, lengths, allowed if several else None)
        return criterion_of(name).loss(emissions, gold, StatePaths(*paths))

    value = loss(*scores)
    assert value > 0
    expected = by_hand(margin, scores, tags, allowed)
    assert_equal_with_gradients(value, expected, list(scores))
    assert torch.autograd.gradcheck(loss, scores, fast_mode=True)


@pytest.mark.parametrize("seed", range(3))
def test_the_best_paths(seed: int) -> None:
    scores, _, lengths = drawn(seed)
    emissions, transitions, initial, moves = (score.detach() for score in scores)
    best = StatePaths(transitions, initial, moves).best(emissions, lengths)
    for row, n in enumerate(LENGTHS):
        worth = {
            path: float(
                oracles.state_path_score(emissions[row], transitions, initial, moves[row], path)
            )
            for path in oracles.all_paths(n, N_TAGS)
        }
        assert tuple(best[row, :n].tolist()) == max(worth, key=worth.__getitem__)
        assert not best[row, n:].any()
