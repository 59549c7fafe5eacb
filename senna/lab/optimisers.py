"""Optimisers other than Adam and plain descent."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor

from senna.training.descent import Optimiser

MOMENTUM, DECAY, RHO = 0.9, 0.9, 0.95  # of momentum and nesterov, of rmsprop, of adadelta

# From a gradient, what is kept of those before, (n_kept, *its shape), and the rate: how far to go.
UpdateRule = Callable[[Tensor, Tensor, float], Tensor]


def _momentum(gradient: Tensor, kept: Tensor, rate: float) -> Tensor:
    """Polyak 1964: v = mu v - rate g; go v."""
    return kept[0].mul_(MOMENTUM).sub_(gradient, alpha=rate)


def _nesterov(gradient: Tensor, kept: Tensor, rate: float) -> Tensor:
    """Nesterov 1983, as in Bengio et al. 2013: the same v; go mu v - rate g."""
    return MOMENTUM * _momentum(gradient, kept, rate) - rate * gradient


def _adagrad(gradient: Tensor, kept: Tensor, rate: float) -> Tensor:
    """Duchi et al. 2011: by the sum of squares so far."""
    return -rate * gradient / (kept[0].addcmul_(gradient, gradient).sqrt() + 1e-10)


def _adadelta(gradient: Tensor, kept: Tensor, rate: float) -> Tensor:
    """Zeiler 2012, algorithm 1; there the rate is 1."""
    kept[0].mul_(RHO).addcmul_(gradient, gradient, value=1 - RHO)
    change = -((kept[1] + 1e-6).sqrt() / (kept[0] + 1e-6).sqrt()) * gradient
    kept[1].mul_(RHO).addcmul_(change, change, value=1 - RHO)
    return rate * change


def _rmsprop(gradient: Tensor, kept: Tensor, rate: float) -> Tensor:
    """Tieleman and Hinton 2012: by the running mean of squares."""
    kept[0].mul_(DECAY).addcmul_(gradient, gradient, value=1 - DECAY)
    return -rate * gradient / (kept[0].sqrt() + 1e-8)


class ByRule(torch.optim.Optimizer):
    """Changes weights by a rule.

    Of a sparse gradient it takes the rows that a step touches: they change as those of a dense one
    would, and all others, with what is kept of them, stay as they are.
    """

    def __init__(self, params: Any, lr: float, rule: UpdateRule, n_kept: int = 1) -> None:
        super().__init__(params, {"lr": lr})
        self.rule, self.n_kept = rule, n_kept

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        """Change all weights that have a gradient."""
        for group in self.param_groups:
            for weights in group["params"]:
                if weights.grad is not None:
                    self._change(weights, weights.grad, group["lr"])

    def _change(self, weights: Tensor, gradient: Tensor, rate: float) -> None:
        state = self.state[weights]
        if not state:
            state["kept"] = weights.new_zeros(self.n_kept, *weights.shape)
        kept = state["kept"]
        if not gradient.is_sparse:
            weights.add_(self.rule(gradient, kept, rate))
            return
        gradient = gradient.coalesce()
        rows = gradient.indices()[0]
        of_rows = kept[:, rows]
        weights.index_add_(0, rows, self.rule(gradient.values(), of_rows, rate))
        kept[:, rows] = of_rows


def _by_rule(rule: UpdateRule, n_kept: int = 1, like_sgd: bool = False) -> Optimiser:
    make = partial(ByRule, rule=rule, n_kept=n_kept)
    return Optimiser(make, make, by_mean=not like_sgd, by_fan_in=like_sgd)


OPTIMISERS = {  # by `train.optimiser`
    "momentum": _by_rule(_momentum, like_sgd=True),
    "nesterov": _by_rule(_nesterov, like_sgd=True),
    "adagrad": _by_rule(_adagrad),
    "adadelta": _by_rule(_adadelta, n_kept=2),
    "rmsprop": _by_rule(_rmsprop),
}
