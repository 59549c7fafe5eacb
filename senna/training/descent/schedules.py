"""How the learning rate changes in the course of a training."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from senna.config import Training


class Progress(NamedTuple):
    """How far a training has come."""

    done: float  # share of its steps, 0 to 1
    epoch: int  # whole epochs
    step: int
    halvings: int  # by "plateau": see `Trainer`


# By `train.schedule`: the share of the learning rate that a step has.
SCHEDULES: dict[str, Callable[[Training, Progress], float]] = {
    "constant": lambda train, at: 1.0,
    "linear": lambda train, at: max(1.0 - at.done, 0.01),
    "cosine": lambda train, at: 0.5 * (1.0 + math.cos(math.pi * at.done)),
    "inverse": lambda train, at: 1.0 / (at.epoch + 1),
    # Bottou 2012: rate / (1 + rate lambda t)
    "bottou": lambda train, at: 1.0 / (1.0 + train.learning_rate * train.decay * at.step),
    "plateau": lambda train, at: 0.5**at.halvings,
}
