"""The sum over all dependency trees against adding them up."""

from __future__ import annotations

import pytest
import torch

from senna.lab.criteria.arborescences import log_arborescences
from tests.oracles import all_dependency_trees, arcs_score


def test_the_sum_over_all_trees_and_its_gradient() -> None:
    torch.manual_seed(1)
    lengths = torch.tensor([5, 1, 3])
    scores = (3 * torch.randn(3, 5, 6)).requires_grad_()
    expected = torch.stack(
        [
            torch.logsumexp(torch.stack([arcs_score(rows, t) for t in all_dependency_trees(n)]), 0)
            for rows, n in zip(scores, lengths.tolist(), strict=True)
        ]
    ).sum()
    total = log_arborescences(scores, lengths)
    assert total.item() == pytest.approx(expected.item(), rel=1e-5)
    gradients = [torch.autograd.grad(loss, scores)[0] for loss in (total, expected)]
    assert torch.allclose(*gradients, atol=1e-4)


def test_the_size_of_scores_does_not_matter() -> None:
    scores = torch.zeros(1, 3, 4)
    scores[0, :, 0] = 2000
    assert log_arborescences(scores, torch.tensor([3])).item() == pytest.approx(2000 + 2.1972, 1e-6)
