"""Further optimisers, schedules and first weights for `senna.training`, the layers that learn
in each phase of a training with trained first weights, and units that are saturated or dead.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain
from typing import Any

import torch
from torch import Tensor, nn

from senna.training.config import Training
from senna.training.layers.batch import Batch
from senna.training.layers.weights import Probe, fan_in_of
from senna.training.networks.base import Network
from senna.training.optimisers import Optimiser

MOMENTUM, DECAY, RHO = 0.9, 0.9, 0.95  # of momentum and nesterov, of rmsprop, of adadelta

Schedule = Callable[[Training, float, int], float]
# From a gradient, what is kept of those before, (n_kept, *its shape), and the rate: how far to go.
Rule = Callable[[Tensor, Tensor, float], Tensor]


def _momentum(gradient: Tensor, kept: Tensor, rate: float) -> Tensor:
    """v = mu v - rate g; go v (Polyak 1964)."""
    return kept[0].mul_(MOMENTUM).sub_(gradient, alpha=rate)


def _adadelta(gradient: Tensor, kept: Tensor, rate: float) -> Tensor:
    """Zeiler 2012, algorithm 1, where the rate is 1."""
    kept[0].mul_(RHO).addcmul_(gradient, gradient, value=1 - RHO)
    change = -((kept[1] + 1e-6).sqrt() / (kept[0] + 1e-6).sqrt()) * gradient
    kept[1].mul_(RHO).addcmul_(change, change, value=1 - RHO)
    return rate * change


def _rmsprop(gradient: Tensor, kept: Tensor, rate: float) -> Tensor:
    """Divide by the root of the running mean of squares (Tieleman and Hinton 2012)."""
    kept[0].mul_(DECAY).addcmul_(gradient, gradient, value=1 - DECAY)
    return -rate * gradient / (kept[0].sqrt() + 1e-8)


class ByRule(torch.optim.Optimizer):
    """Change weights by a rule; of a sparse gradient, only the rows that a step touches."""

    def __init__(self, params: Any, lr: float, rule: Rule, n_kept: int = 1) -> None:
        super().__init__(params, {"lr": lr})
        self.rule, self.n_kept = rule, n_kept

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        """Change all weights that have a gradient."""
        for group in self.param_groups:
            for weights in (p for p in group["params"] if p.grad is not None):
                state = self.state[weights]
                if not state:
                    state["kept"] = weights.new_zeros(self.n_kept, *weights.shape)
                gradient, rows = weights.grad, slice(None)
                if gradient.is_sparse:
                    gradient = gradient.coalesce()
                    gradient, rows = gradient.values(), gradient.indices()[0]
                kept = state["kept"][:, rows]
                weights[rows] += self.rule(gradient, kept, group["lr"])
                state["kept"][:, rows] = kept


def _by(rule: Rule, n_kept: int = 1, plain: bool = False) -> Optimiser:
    make = partial(ByRule, rule=rule, n_kept=n_kept)
    return Optimiser(make, make, plain)


OPTIMISERS = {  # by `train.optimiser`
    "adagrad": _by(lambda g, kept, rate: -rate * g / (kept[0].addcmul_(g, g).sqrt() + 1e-10)),
    "momentum": _by(_momentum, plain=True),
    # The same v; go mu v - rate g (Nesterov 1983, as in Bengio et al. 2013).
    "nesterov": _by(
        lambda g, kept, rate: MOMENTUM * _momentum(g, kept, rate) - rate * g, plain=True
    ),
    "adadelta": _by(_adadelta, n_kept=2),
    "rmsprop": _by(_rmsprop),
}


SCHEDULES: dict[str, Schedule] = {  # by `train.schedule`
    # 1 / the number of the epoch (Goldberg 2015, section 6.3)
    "epoch": lambda train, done, step: 1 / (1 + int(done * train.epochs + 1e-9)),
    # 1 / (1 + rate * lambda * step), lambda being that of L2 (Bottou 2012)
    "bottou": lambda train, done, step: 1 / (1 + train.learning_rate * train.l2 * step),
}


Layer = nn.Linear | nn.Embedding


def variance(layer: Layer) -> None:
    """A variance of 1/sqrt(fan-in), as remark 7 of Collobert et al. 2011 has it to the letter."""
    bound = math.sqrt(3) * fan_in_of(layer) ** -0.25
    nn.init.uniform_(layer.weight, -bound, bound)


def xavier(layer: Layer) -> None:
    """Up to sqrt(6 / (fan-in + fan-out)); of tables, sqrt(6 / size) (Glorot and Bengio 2010)."""
    n = layer.weight.shape[1]  # of a table: numbers per entry
    if isinstance(layer, nn.Linear):
        n = fan_in_of(layer) + layer.out_features
    nn.init.uniform_(layer.weight, -math.sqrt(6 / n), math.sqrt(6 / n))


def he(layer: Layer) -> None:
    """Normal, of a deviation of sqrt(2 / fan-in), for ReLU (He et al. 2015, eq. 10)."""
    if isinstance(layer, nn.Linear):
        nn.init.normal_(layer.weight, 0, math.sqrt(2 / fan_in_of(layer)))
    else:
        xavier(layer)


FIRST_WEIGHTS = {"variance": variance, "xavier": xavier, "he": he}  # by `network.initial`


Layers = list[list[nn.Parameter]]


def _layers(model: Network, learnt: Sequence[nn.Parameter]) -> Layers:
    """The tables, the first hidden layer, ..., the last one, the heads: what they can learn."""
    hidden: list[nn.Module] = []
    for name, child in model.named_children():
        if name not in ("inputs", "heads"):
            hidden += child if isinstance(child, nn.ModuleList) else [child]
    own = {id(weights) for weights in learnt}
    modules = (model.inputs, *hidden, model.heads)
    layers = ([p for p in module.parameters() if id(p) in own] for module in modules)
    return [layer for layer in layers if layer]


def gradual(model: Network, learnt: Sequence[nn.Parameter], phase: int) -> list[nn.Parameter]:
    """The heads, and in each phase the next layer below."""
    return [*chain.from_iterable(_layers(model, learnt)[::-1][: phase + 1])]


def chained(model: Network, learnt: Sequence[nn.Parameter], phase: int) -> list[nn.Parameter]:
    """The heads, each other layer alone, from the first on, and at last all (Felbo et al. 2017)."""
    layers = _layers(model, learnt)
    return [*chain.from_iterable([layers[-1], *layers[:-1]][phase : phase + 1] or layers)]


THAWING = {"gradual": gradual, "chain": chained}


# Where units let (almost) no gradient through: their values; sums of gated linear units, whose
# second half are the gates; states of the cells of recurrent and recursive networks.
FLAT: dict[str, Callable[[Tensor], Tensor]] = {
    "hardtanh": lambda y: y.abs() >= 1,
    "relu": lambda y: y <= 0,
    "gated": lambda sums: torch.sigmoid(sums.chunk(2, -1)[1]) < 0.005,
    "cube": lambda y: y.abs() < 1e-6,
    "step": lambda y: torch.zeros_like(y, dtype=torch.bool),  # it has the gradient of tanh
    **dict.fromkeys(("elman", "standard", "matrix-vector", "tensor"), lambda y: y.abs() > 0.99),
    # The state is at its bounds, or is 0 since a gate is shut.
    **dict.fromkeys(("gru", "lstm", "lstm-sum"), lambda y: (y.abs() < 0.005) | (y.abs() > 0.99)),
    "irnn": lambda y: y <= 0,
    "scrn": lambda y: (y - 0.5).abs() > 0.495,  # of the fast units; slow ones are linear
}


def warning(share: float | None) -> str:
    """The warning about a share of `flat_units`; "" where they are no more than half."""
    if share is None or share <= 0.5:
        return ""
    what = (
        f"warning: {share:.0%} of the hidden units are saturated or dead: they pass no gradient on"
    )
    return f"{what} (lower train.learning_rate, or choose another network.initial)"


def flat_units(model: Network, batches: Iterable[tuple[str, Batch]]) -> float | None:
    """The share of hidden units, 0 to 1, that pass no gradient on at any word of some batches.

    They are saturated or dead (Goldberg 2016, section 6.3.3): see `FLAT`. None for a network
    without hidden units: a linear one, or a sentence network whose maxima are scored. Units within
    heads of trees and dependencies, and those over letters, do not count. Batches stand next to
    their tasks; units count once per task.
    """
    within = set(model.inputs.modules())
    probes = [m for m in model.modules() if isinstance(m, Probe) and m not in within]
    shares: list[Tensor] = []

    def look(probe: Probe, inputs: tuple[Any, ...], _: Any) -> None:
        units, inside, *_ = (*inputs, None)
        rows = FLAT[probe.kind](units)
        if inside is not None:
            rows = rows[inside[..., 0].bool()]
        if len(rows):  # else no predicate
            shares.append(rows.all(0))

    model.eval()
    hooks = [probe.register_forward_hook(look) for probe in probes]
    with torch.no_grad():
        for task, batch in batches if probes else ():
            model(task, batch)
    for hook in hooks:
        hook.remove()
    return float(torch.cat(shares).float().mean()) if shares else None
