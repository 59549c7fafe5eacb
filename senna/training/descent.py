"""How weights change: optimisers, the rate over a run, clipping, the running mean."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from senna.config import Training
from senna.lazy import lab_module
from senna.training.layers.weights import fan_in_of, regularised
from senna.training.loop import take_in
from senna.training.networks.base import Network


class Optimiser(NamedTuple):
    """An optimiser for the layers, and one for the word table, whose gradients are sparse."""

    layers: Any
    words: Any
    by_mean: bool = True  # steps follow the mean loss of a sentence, not the sum
    by_fan_in: bool = False  # each layer's rate is divided by its fan-in (remark 7)


OPTIMISERS = {  # by `train.optimiser`
    "adam": Optimiser(torch.optim.Adam, torch.optim.SparseAdam),
    "sgd": Optimiser(torch.optim.SGD, torch.optim.SGD, by_mean=False, by_fan_in=True),
}


LAB = ("momentum", "nesterov", "adagrad", "adadelta", "rmsprop")  # of `senna.lab.optimisers`


def optimiser_of(name: str) -> Optimiser:
    """The optimiser of a name."""
    if name in OPTIMISERS:
        return OPTIMISERS[name]
    optimiser: Optimiser = lab_module("optimisers").OPTIMISERS[name]
    return optimiser


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
    kind, rate = optimiser_of(train.optimiser), train.learning_rate
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
        loss = loss / n if optimiser_of(self.train.optimiser).by_mean else loss
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
        take_in(average, weights, self.train.average, step, self.EVERY)
        return average

    def thaw(self, epoch: int) -> None:
        """Let those layers learn whose turn it is in an epoch (`train.thaw`)."""
        if self.train.thaw:
            lab_module("thawing").thaw(self.model, self.train, epoch, self.learnt)

    def release(self) -> None:
        """Let all layers learn again."""
        for weights in self.learnt:
            weights.requires_grad_(True)
