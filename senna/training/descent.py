"""How weights change: optimisers, the rate over a run, clipping, the running mean, thawing."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from senna.config import Training
from senna.training.layers.weights import fan_in_of, regularised
from senna.training.networks.base import Network

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


class Optimiser(NamedTuple):
    """An optimiser for the layers, and one for the word table, whose gradients are sparse."""

    layers: Any
    words: Any
    by_mean: bool = True  # steps follow the mean loss of a sentence, not the sum
    by_fan_in: bool = False  # each layer's rate is divided by its fan-in (remark 7)


def _by_rule(rule: UpdateRule, n_kept: int = 1, like_sgd: bool = False) -> Optimiser:
    make = partial(ByRule, rule=rule, n_kept=n_kept)
    return Optimiser(make, make, by_mean=not like_sgd, by_fan_in=like_sgd)


OPTIMISERS = {  # by `train.optimiser`
    "adam": Optimiser(torch.optim.Adam, torch.optim.SparseAdam),
    "sgd": Optimiser(torch.optim.SGD, torch.optim.SGD, by_mean=False, by_fan_in=True),
    "momentum": _by_rule(_momentum, like_sgd=True),
    "nesterov": _by_rule(_nesterov, like_sgd=True),
    "adagrad": _by_rule(_adagrad),
    "adadelta": _by_rule(_adadelta, n_kept=2),
    "rmsprop": _by_rule(_rmsprop),
}


def clip_gradients(parameters: Iterable[nn.Parameter], most: float) -> None:
    """Scale all gradients, the word table's sparse one too, to a norm of at most `most`."""
    values = []
    for parameter in parameters:
        if parameter.grad is not None and parameter.grad.is_sparse:
            parameter.grad = parameter.grad.coalesce()
            values.append(parameter.grad._values())
        elif parameter.grad is not None:
            values.append(parameter.grad)
    norm = torch.stack([torch.linalg.vector_norm(value) for value in values]).norm()
    share = (most / (norm + 1e-6)).clamp(max=1.0)
    for value in values:
        value.mul_(share)


def make_optimisers(
    train: Training, model: nn.Module, words: nn.Parameter
) -> list[torch.optim.Optimizer]:
    """One optimiser for the layers of a model and one for its word table, if it is trained."""
    kind, rate = OPTIMISERS[train.optimiser], train.learning_rate
    groups: list[dict[str, Any]] = []
    if kind.by_fan_in:
        for module in model.modules():
            weights = [p for p in module.parameters(recurse=False) if p is not words]
            if weights:
                groups.append({"params": weights, "lr": rate / fan_in_of(module)})
    else:
        groups.append({"params": [p for p in model.parameters() if p is not words]})
    optimisers = [kind.layers(groups, lr=rate)]
    if words.requires_grad:
        optimisers.append(kind.words([words], lr=rate))
    return optimisers


# --------------------------------------------------------------------------- the rate


class Progress(NamedTuple):
    """How far a training has come."""

    done: float  # share of its steps, 0 to 1
    epoch: int  # whole epochs


# By `train.schedule`: the share of the learning rate that a step has.
SCHEDULES: dict[str, Callable[[Progress], float]] = {
    "constant": lambda at: 1.0,
    "linear": lambda at: max(1.0 - at.done, 0.01),
    "cosine": lambda at: 0.5 * (1.0 + math.cos(math.pi * at.done)),
    "inverse": lambda at: 1.0 / (at.epoch + 1),
}


# --------------------------------------------------------------------------- which layers learn

Layer = list[nn.Parameter]


def gradual(layers: list[Layer], phase: int) -> list[Layer]:
    """The topmost layer, and in each phase the next one below as well."""
    return layers[::-1][: phase + 1]


def chain(layers: list[Layer], phase: int) -> list[Layer]:
    """The topmost layer, each other layer alone from the first on, then all (Felbo et al. 2017)."""
    *others, top = layers
    return [top, *others][phase : phase + 1] or layers


THAWING: dict[str, Callable[[list[Layer], int], list[Layer]]] = {  # by `train.thawing`
    "gradual": gradual,
    "chain": chain,
}


def thaw(model: Network, train: Training, epoch: int, learnt: Sequence[nn.Parameter]) -> None:
    """Let only those layers learn whose turn it is in an epoch; epochs count from 0.

    learnt: the parameters that learn at all.
    """
    layers = list(_layers(model, {id(weights) for weights in learnt}))
    chosen = THAWING[train.thawing](layers, epoch // train.thaw)
    warm = {id(weights) for layer in chosen for weights in layer}
    for weights in learnt:
        weights.requires_grad_(id(weights) in warm)


def _layers(model: Network, learnt: set[int]) -> Iterator[Layer]:
    """The tables, the first hidden layer, ..., the last one, the heads: what they can learn."""
    hidden: list[nn.Module] = []
    for name, child in model.named_children():
        if name not in ("inputs", "heads"):
            hidden += child if isinstance(child, nn.ModuleList) else [child]
    for module in (model.inputs, *hidden, model.heads):
        layer = [weights for weights in module.parameters() if id(weights) in learnt]
        if layer:
            yield layer


# --------------------------------------------------------------------------- a run


class Descent:
    """The optimisers of a network, and all that a configuration says of its steps."""

    EVERY = 8  # steps between two that the running mean of the weights takes in

    def __init__(self, train: Training, model: Network) -> None:
        self.train, self.model = train, model
        self.learnt = [weights for weights in model.parameters() if weights.requires_grad]
        self.begin()

    def begin(self, share: float = 1.0) -> None:
        """Begin with fresh optimisers, at a share of the learning rate."""
        train = replace(self.train, learning_rate=self.train.learning_rate * share)
        self.optimisers = make_optimisers(train, self.model, self.model.inputs.word)
        self.regularised = regularised(self.model) if train.l2 else []
        self.rates = [[g["lr"] for g in o.param_groups] for o in self.optimisers]

    def prepare(self, at: Progress) -> None:
        """Forget the last gradients, and set the rate of a step."""
        share = SCHEDULES[self.train.schedule](at)
        for optimiser, rates in zip(self.optimisers, self.rates, strict=True):
            for group, rate in zip(optimiser.param_groups, rates, strict=True):
                group["lr"] = rate * share
            optimiser.zero_grad(set_to_none=True)

    def step(self, loss: Tensor, n: int) -> None:
        """Change the weights by the summed loss of n sentences."""
        for weights in self.regularised:
            loss = loss + n * self.train.l2 / 2 * weights.square().sum()
        loss = loss / n if OPTIMISERS[self.train.optimiser].by_mean else loss
        if loss.requires_grad:  # not where the only layer that learns is not the task's
            loss.backward()  # type: ignore[no-untyped-call]
            if self.train.clip:
                clip_gradients(self.model.parameters(), self.train.clip)
        for optimiser in self.optimisers:
            optimiser.step()

    def averaged(self, average: dict[str, Tensor] | None, step: int) -> dict[str, Tensor] | None:
        """The running mean of the weights after a step, from that before; None if there is none."""
        if not self.train.average or step % self.EVERY:
            return average
        weights = self.model.state_dict()
        if average is None:
            return {name: value.clone() for name, value in weights.items()}
        # Early on the mean must not cling to the first weights.
        decay = min(self.train.average**self.EVERY, step / (step + 10 * self.EVERY))
        for name, value in weights.items():
            if value.is_floating_point():
                average[name].lerp_(value, 1 - decay)
        return average

    def thaw(self, epoch: int) -> None:
        """Let those layers learn whose turn it is in an epoch (`train.thaw`)."""
        if self.train.thaw:
            thaw(self.model, self.train, epoch, self.learnt)

    def release(self) -> None:
        """Let all layers learn again."""
        for weights in self.learnt:
            weights.requires_grad_(True)
