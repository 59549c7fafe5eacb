"""The lab's optimisers against their equations, and its schedules."""

import pytest
import torch

from senna.lab.training import OPTIMISERS, SCHEDULES
from senna.training.config import Training


def expected(name: str, gradients: list[float], rate: float) -> float:
    """Where a weight that begins at 0 is after some gradients, by the sources' equations."""
    w = v = squares = changes = 0.0
    for g in gradients:
        if name in ("momentum", "nesterov"):
            v = 0.9 * v - rate * g
            w += v if name == "momentum" else 0.9 * v - rate * g
        elif name == "adagrad":
            squares += g * g
            w -= rate * g / (squares**0.5 + 1e-10)
        elif name == "rmsprop":
            squares = 0.9 * squares + 0.1 * g * g
            w -= rate * g / (squares**0.5 + 1e-8)
        else:
            squares = 0.95 * squares + 0.05 * g * g
            change = -(((changes + 1e-6) / (squares + 1e-6)) ** 0.5) * g
            changes = 0.95 * changes + 0.05 * change * change
            w += rate * change
    return w


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("name", OPTIMISERS)
def test_steps_against_the_equations(name, sparse):
    """Of a sparse gradient, whose rows may come twice, the rows of a step alone change."""
    table = torch.nn.Embedding(4, 1, sparse=sparse)
    torch.nn.init.zeros_(table.weight)
    optimiser = OPTIMISERS[name].words([table.weight], lr=0.3)
    seen: dict[int, list[float]] = {0: [], 1: [], 2: [], 3: []}
    for rows in ([1, 3, 3], [3, 0], [1], [3]):
        optimiser.zero_grad()
        gradients = dict.fromkeys(seen, 0.0)
        for place, row in enumerate(rows):
            gradients[row] += 0.5 * place - 0.7
        factors = torch.tensor([[0.5 * place - 0.7] for place in range(len(rows))])
        (table(torch.tensor(rows)) * factors).sum().backward()
        optimiser.step()
        for row, gradient in gradients.items():
            if row in rows or not sparse:
                seen[row].append(gradient)
    for row, gradients_of_row in seen.items():
        found = table.weight[row].item()
        assert found == pytest.approx(expected(name, gradients_of_row, 0.3), rel=1e-4, abs=1e-7)


def test_plain_descent_with_momentum_has_rates_by_fan_in():
    assert [name for name, entry in OPTIMISERS.items() if entry.plain] == ["momentum", "nesterov"]


def test_schedules_by_their_formulas():
    train = Training(epochs=4, learning_rate=0.5, l2=0.1)
    shares = [SCHEDULES["epoch"](train, step / 12, step) for step in range(12)]
    assert shares == [1, 1, 1, 1 / 2, 1 / 2, 1 / 2, 1 / 3, 1 / 3, 1 / 3, 1 / 4, 1 / 4, 1 / 4]
    assert SCHEDULES["bottou"](train, 0.5, 10) == pytest.approx(1 / (1 + 0.5 * 0.1 * 10))
    assert SCHEDULES["bottou"](train, 0.0, 0) == 1
