"""First weights."""

from __future__ import annotations

import math

import pytest
import torch

from senna.training.weights import initialise


@pytest.mark.parametrize(
    ("initial", "deviation", "table"),
    [
        ("small", 400**-0.5, 0.2 / math.sqrt(3)),
        ("deviation", 400**-0.5, 1.0),
        ("variance", 400**-0.25, 1.0),
    ],
)
def test_first_weights_by_fan_in(initial: str, deviation: float, table: float) -> None:
    torch.manual_seed(3)
    linear, embedding = torch.nn.Linear(400, 300), torch.nn.Embedding(1000, 50, padding_idx=0)
    initialise(torch.nn.ModuleList([linear, embedding]), initial)
    assert linear.weight.std().item() == pytest.approx(deviation, rel=0.02)
    assert linear.weight.mean().item() == pytest.approx(0, abs=deviation / 50)
    assert linear.weight.abs().max().item() <= math.sqrt(3) * deviation * 1.001
    assert not linear.bias.any()
    assert embedding.weight[1:].std().item() == pytest.approx(table, rel=0.02)
    assert not embedding.weight[0].any()
