"""A window network of any hidden units against plain loops, and the gradient of steps."""

import math
from typing import Any

import numpy as np
import pytest
import torch

from senna.lab.networks import settings
from senna.lab.networks.feedforward import UNITS, step
from tests import toys

FUNCTIONS = {  # written anew, of one number
    "hardtanh": lambda x: max(-1.0, min(1.0, x)),
    "tanh": math.tanh,
    "sigmoid": lambda x: 1 / (1 + math.exp(-x)),
    "relu": lambda x: max(0.0, x),
    "step": lambda x: 1.0 if x > 0 else -1.0,
    "cube": lambda x: x * x * x,
    "tanh-cube": lambda x: math.tanh(x**3 + x),
    "tanh-normalised": math.tanh,  # and then divided by the length
}


def test_every_unit_is_here():
    assert set(UNITS) == set(settings.UNITS) == set(FUNCTIONS)


@pytest.mark.parametrize("unit", UNITS)
def test_layers_word_by_word(unit):
    table = f"network.mlp={{unit='{unit}', widths=[3,3], hidden=[5,4]}}"
    made = toys.setup(toys.small("ner", "network.kind=mlp", table))
    model: Any = made.model
    batch = made.batches.batch("ner", made.numbered.tasks[0].train)
    with torch.no_grad():
        x, found = model.inputs(batch, 1).double().numpy(), model.encode(batch).numpy()
    for row, units, n in zip(x, found, batch.lengths.tolist(), strict=True):
        below = row[: n + 2]  # with its padding
        for layer in model.layers:
            weight, bias = (p.detach().double().numpy() for p in layer.linear.parameters())
            sums = [weight @ below[i : i + 3].ravel() + bias for i in range(n)]
            values = [[FUNCTIONS[unit](value) for value in of_word] for of_word in sums]
            if unit == "tanh-normalised":
                values = [np.array(row) / math.dist(row, [0] * len(row)) for row in values]
            below = np.pad(np.array(values), ((1, 1), (0, 0)))  # zeros beyond the ends
        np.testing.assert_allclose(units[:n], below[1:-1], rtol=1e-4, atol=1e-5)


def test_a_step_has_the_gradient_of_tanh():
    x = torch.tensor([-2.0, -0.1, 0.3], requires_grad=True)
    y = step(x)
    assert y.tolist() == [-1, -1, 1]
    y.sum().backward()
    torch.testing.assert_close(x.grad, 1 - torch.tanh(x.detach()) ** 2)
