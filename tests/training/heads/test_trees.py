"""The likelihood of trees, against all trees."""

import math

import pytest
import torch
from torch import Tensor

from senna.training.heads.trees import log_trees
from tests import oracles

LENGTHS = [6, 1, 4, 2, 5, 3]


def random_scores(n: int, seed: int = 3) -> Tensor:
    torch.manual_seed(seed)
    return torch.randn(len(LENGTHS), n, n, dtype=torch.float64)


def all_trees(scores: Tensor, lengths: list[int]) -> Tensor:
    """`log_trees` by adding up every tree."""
    total = scores.new_zeros(())
    for own, n in zip(scores, lengths, strict=True):
        trees = oracles.binary_trees(0, n - 1)
        each = [oracles.tree_score(own, tree) + own.new_zeros(()) for tree in trees]
        total = total + torch.stack(each).logsumexp(0)
    return total


@pytest.mark.parametrize("n", [6, 8])
def test_the_sum_over_all_trees_and_its_gradient(n):
    scores = random_scores(n).requires_grad_()
    found = log_trees(scores, torch.tensor(LENGTHS))
    expected = all_trees(scores, LENGTHS)
    torch.testing.assert_close(found, expected)
    (gradient,) = torch.autograd.grad(3 * found, scores)
    torch.testing.assert_close(gradient, 3 * torch.autograd.grad(expected, scores)[0])


def test_sentences_of_one_word_have_one_tree():
    scores = torch.ones(2, 1, 1, requires_grad=True)
    total = log_trees(scores, torch.tensor([1, 1]))
    assert total.item() == 0
    assert torch.autograd.grad(total, scores)[0].abs().sum().item() == 0


def test_large_scores_do_not_overflow():
    scores = 1e4 * random_scores(6).float()
    assert math.isfinite(log_trees(scores, torch.tensor(LENGTHS)).item())
