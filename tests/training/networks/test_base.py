"""First weights have the spread that their sources give."""

import math

import pytest
import torch
from torch import nn

from senna.training.layers.weights import Linear, initialise

FAN_IN, UNITS = 400, 300


@pytest.mark.parametrize(
    ("initial", "deviation", "of_table"),
    [
        ("small", FAN_IN**-0.5, 0.2 / math.sqrt(3)),
        ("variance", FAN_IN**-0.25, 1.0),
        ("xavier", math.sqrt(2 / (FAN_IN + UNITS)), math.sqrt(2 / 100)),
        ("he", math.sqrt(2 / FAN_IN), math.sqrt(2 / 100)),
    ],
)
def test_deviations_are_those_of_the_sources(initial, deviation, of_table):
    torch.manual_seed(1)
    part = Linear(FAN_IN // 4, UNITS, fan_in=FAN_IN)  # of a layer that is computed in parts
    model = nn.Sequential(nn.Linear(FAN_IN, UNITS), part, nn.Embedding(500, 100, padding_idx=0))
    initialise(model, initial)
    layer, part, table = model
    for linear in (layer, part):
        assert linear.weight.std().item() == pytest.approx(deviation, rel=0.02)
        assert linear.weight.mean().item() == pytest.approx(0, abs=deviation / 50)
        assert not linear.bias.any()
    assert table.weight[1:].std().item() == pytest.approx(of_table, rel=0.02)
    assert not table.weight[0].any()
    bounded = layer.weight.abs().max() / deviation
    assert bounded > 3.5 if initial == "he" else bounded < 1.74, "normal, or uniform"
