"""First weights."""

import math

import pytest
import torch

from senna.training.config import Training
from senna.training.layers.weights import Linear, initialise
from senna.training.optimisers import make_optimisers


def test_first_weights_by_fan_in():
    torch.manual_seed(3)
    linear, embedding = torch.nn.Linear(400, 300), torch.nn.Embedding(1000, 50, padding_idx=0)
    initialise(torch.nn.ModuleList([linear, embedding]))
    deviation, table = 400**-0.5, 0.2 / math.sqrt(3)
    assert linear.weight.std().item() == pytest.approx(deviation, rel=0.02)
    assert linear.weight.mean().item() == pytest.approx(0, abs=deviation / 50)
    assert linear.weight.abs().max().item() <= math.sqrt(3) * deviation * 1.001
    assert not linear.bias.any()
    assert embedding.weight[1:].std().item() == pytest.approx(table, rel=0.02)
    assert not embedding.weight[0].any()


def test_a_layer_states_its_fan_in():
    """A part of a larger layer learns, and starts, as the whole does (remark 7)."""
    part, whole = Linear(4, 900, fan_in=64), Linear(64, 900)
    model = torch.nn.ModuleList([part, whole, torch.nn.Linear(16, 2), torch.nn.Embedding(5, 3)])
    initialise(model)
    bound = (3 / 64) ** 0.5
    for layer in (part, whole):
        assert 0.98 * bound < float(layer.weight.detach().abs().max()) <= bound
    words = torch.nn.Parameter(torch.zeros(2, 3))
    (layers, _) = make_optimisers(Training(optimiser="sgd", learning_rate=6.4), model, words)
    assert [group["lr"] for group in layers.param_groups] == pytest.approx([0.1, 0.1, 0.4, 6.4])
