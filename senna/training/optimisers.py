"""How weights change: optimisers, the rate over a run, clipping, the running mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from senna import registry
from senna.training.config import Training
from senna.training.layers.weights import fan_in_of, regularised
from senna.training.loop import take_in
from senna.training.networks.base import Network


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


class Optimiser(NamedTuple):
    """An optimiser for the layers, and one for the word table, whose gradients are sparse."""

    layers: Any
    words: Any
    plain: bool = False  # steps follow the summed loss, at rates divided by fan-in (remark 7)


OPTIMISERS = {  # by `train.optimiser`
    "adam": Optimiser(torch.optim.Adam, torch.optim.SparseAdam),
    "sgd": Optimiser(torch.optim.SGD, torch.optim.SGD, plain=True),
}
# By `train.schedule`: the part of the rate that a step has, by the share of steps that are done and
# their number.
SCHEDULES: dict[str, Callable[[Training, float, int], float]] = {
    "constant": lambda train, done, step: 1.0,
    "linear": lambda train, done, step: max(1.0 - done, 0.01),
}


def make_optimisers(
    train: Training, model: nn.Module, words: nn.Parameter
) -> list[torch.optim.Optimizer]:
    """One optimiser for the layers of a model and one for its word table, if it is trained."""
    of_layers, of_words, plain = registry.OPTIMISERS[train.optimiser]
    rate, groups = train.learning_rate, list[dict[str, Any]]()
    if plain:
        for module in model.modules():
            weights = [p for p in module.parameters(recurse=False) if p is not words]
            if weights:
                groups.append({"params": weights, "lr": rate / fan_in_of(module)})
    else:
        groups.append({"params": [p for p in model.parameters() if p is not words]})
    optimisers = [of_layers(groups, lr=rate)]
    if words.requires_grad:
        optimisers.append(of_words([words], lr=rate))
    return optimisers


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

    def prepare(self, done: float, step: int) -> None:
        """Forget the last gradients, and set the rate after a share of all steps, and so many."""
        share = registry.SCHEDULES[self.train.schedule](self.train, done, step)
        for optimiser, rates in zip(self.optimisers, self.rates, strict=True):
            for group, rate in zip(optimiser.param_groups, rates, strict=True):
                group["lr"] = rate * share
            optimiser.zero_grad(set_to_none=True)

    def step(self, loss: Tensor, n: int) -> None:
        """Change the weights by the summed loss of n sentences."""
        for weights in self.regularised:
            loss = loss + n * self.train.l2 / 2 * weights.square().sum()
        loss = loss if registry.OPTIMISERS[self.train.optimiser].plain else loss / n
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
        """Let only those weights learn whose turn it is in an epoch, from 0 on (`train.thaw`)."""
        if self.train.thaw:
            layers = registry.THAWING[self.train.thawing]
            warm = {*map(id, layers(self.model, self.learnt, epoch // self.train.thaw))}
            for weights in self.learnt:
                weights.requires_grad_(id(weights) in warm)

    def release(self) -> None:
        """Let all layers learn again."""
        for weights in self.learnt:
            weights.requires_grad_(True)
