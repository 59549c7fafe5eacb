"""Optimisers against their published equations, and their sparse forms against the dense ones."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from senna.config import Training
from senna.training.descent import make_optimisers, optimiser_of
from tests import toys

Array = NDArray[np.float64]


STEPS, RATE = 6, 0.3


def by_momentum(gradient: Callable[[Array], Array], w: Array) -> Array:
    """Polyak 1964, as in Sutskever et al. 2013, eqs. 1 and 2."""
    v = np.zeros_like(w)
    for _ in range(STEPS):
        v = 0.9 * v - RATE * gradient(w)
        w = w + v
    return w


def by_nesterov(gradient: Callable[[Array], Array], w: Array) -> Array:
    """Sutskever et al. 2013, eqs. 3 and 4, whose gradient is taken at w + mu v.

    What is kept are these places, not w: Bengio et al. 2013.
    """
    v = np.zeros_like(w)
    for _ in range(STEPS):
        new = 0.9 * v - RATE * gradient(w + 0.9 * v)
        w, v = w + new, new
    return w + 0.9 * v


def by_adagrad(gradient: Callable[[Array], Array], w: Array) -> Array:
    """Duchi et al. 2011: rate over the root of the sum of all squares."""
    squares: list[Array] = []
    for _ in range(STEPS):
        g = gradient(w)
        squares.append(g**2)
        w = w - RATE * g / np.sqrt(np.maximum(sum(squares), 1e-30))
    return w


def by_adadelta(gradient: Callable[[Array], Array], w: Array) -> Array:
    """Zeiler 2012, algorithm 1, with a rate."""
    rho, epsilon = 0.95, 1e-6
    of_gradients, of_steps = np.zeros_like(w), np.zeros_like(w)
    for _ in range(STEPS):
        g = gradient(w)
        of_gradients = rho * of_gradients + (1 - rho) * g**2
        step = -np.sqrt(of_steps + epsilon) / np.sqrt(of_gradients + epsilon) * g
        of_steps = rho * of_steps + (1 - rho) * step**2
        w = w + RATE * step
    return w


def by_rmsprop(gradient: Callable[[Array], Array], w: Array) -> Array:
    """Tieleman and Hinton 2012: MeanSquare(w, t) = 0.9 MeanSquare(w, t - 1) + 0.1 g^2."""
    mean = np.zeros_like(w)
    for _ in range(STEPS):
        g = gradient(w)
        mean = 0.9 * mean + 0.1 * g**2
        w = w - RATE * g / np.sqrt(np.maximum(mean, 1e-30))
    return w


ORACLES = {
    "momentum": by_momentum,
    "nesterov": by_nesterov,
    "adagrad": by_adagrad,
    "adadelta": by_adadelta,
    "rmsprop": by_rmsprop,
}


@pytest.mark.parametrize("name", sorted(ORACLES))
def test_against_the_published_equations(name: str) -> None:
    """Down a bowl, whose gradient is A w + b."""
    random = np.random.default_rng(4)
    a, b, w = random.uniform(0.1, 2, (5, 3)), random.normal(size=(5, 3)), random.normal(size=(5, 3))
    weights = torch.nn.Parameter(torch.from_numpy(w.copy()))
    optimiser = optimiser_of(name).layers([weights], lr=RATE)
    for _ in range(STEPS):
        optimiser.zero_grad()
        (torch.from_numpy(a) / 2 * weights**2 + torch.from_numpy(b) * weights).sum().backward()
        optimiser.step()
    expected = ORACLES[name](lambda x: a * x + b, w)
    assert np.abs(expected - w).max() > (0.001 if name == "adadelta" else 0.3)
    np.testing.assert_allclose(weights.detach().numpy(), expected, rtol=1e-6)


@pytest.mark.parametrize("name", sorted(ORACLES))
def test_a_sparse_gradient_changes_its_rows_as_a_dense_one_would(name: str) -> None:
    """Row by row: as often as steps touch it, as if there were no others."""
    generator = torch.Generator().manual_seed(1)
    first = torch.randn(6, 3, generator=generator)
    touched = [[1, 4, 4], [4], [0, 1], [1, 1, 1], [4, 0]]
    table = torch.nn.Embedding.from_pretrained(first.clone(), freeze=False, sparse=True)
    optimiser = optimiser_of(name).words([table.weight], lr=RATE)
    gradients: dict[int, list[torch.Tensor]] = {row: [] for row in range(6)}
    for rows in touched:
        optimiser.zero_grad(set_to_none=True)
        factors = torch.randn(len(rows), 3, generator=generator)
        (table(torch.tensor(rows)) * factors).sum().backward()
        for row in set(rows):
            here = [i for i, other in enumerate(rows) if other == row]
            gradients[row].append(factors[here].sum(0))
        optimiser.step()
    for row, steps in gradients.items():
        weights = torch.nn.Parameter(first[row].clone())
        alone = optimiser_of(name).layers([weights], lr=RATE)
        for step in steps:
            weights.grad = step
            alone.step()
        assert torch.equal(table.weight[row].detach(), weights.detach()), row
    assert torch.equal(table.weight[5].detach(), first[5])


def test_adagrad_is_exact_for_a_sparse_gradient() -> None:
    """Rows without a gradient stay in the dense form, too."""
    sparse, dense = (torch.nn.Embedding(9, 4, sparse=kind) for kind in (True, False))
    dense.load_state_dict(sparse.state_dict())
    optimisers = [optimiser_of("adagrad").words([t.weight], lr=RATE) for t in (sparse, dense)]
    for rows in ([1, 2, 2], [7], [2, 8]):
        for table, optimiser in zip((sparse, dense), optimisers, strict=True):
            optimiser.zero_grad(set_to_none=True)
            (table(torch.tensor(rows)) ** 2).sum().backward()
            optimiser.step()
    torch.testing.assert_close(sparse.weight, dense.weight)


def test_momentum_has_rates_by_fan_in_as_sgd_has() -> None:
    setup = toys.setup(toys.SMALL)
    words = setup.model.inputs.word
    rates = [
        [group["lr"] for o in make_optimisers(Training(optimiser=name), setup.model, words)
         for group in o.param_groups]
        for name in ("sgd", "momentum", "nesterov")
    ]  # fmt: skip
    assert rates[0] == rates[1] == rates[2]
    assert len(set(rates[0])) > 2
