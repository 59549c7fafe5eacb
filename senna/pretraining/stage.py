"""Training of one network with one dictionary, part by part of the text."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from senna.errors import SennaError
from senna.lazy import lab_module
from senna.pretraining import processes
from senna.pretraining.blocks import PART, TextBlocks, keep_chances
from senna.pretraining.config import Pretraining
from senna.pretraining.lookup_table import LookupTable, Noise
from senna.pretraining.objectives import OBJECTIVES, Objective
from senna.text.features import PADDING

LAST_SHARE = 0.01  # of the learning rates, when they have fallen

Weights = dict[str, Tensor]


@dataclass(frozen=True)
class TrainingText:
    """The text to train on, as one dictionary sees it."""

    ids: NDArray[np.uint32]  # (n_tokens,) of the text, memory-mapped
    table: NDArray[np.int32]  # row of the dictionary for each id of the text
    counts: NDArray[np.int64]  # how often each row occurs
    clusters: Any = None  # of its words, for a softmax of classes or of a tree


class Stage:
    """Trains one network; its weights start from those `before`, where names and shapes agree.

    A smaller dictionary's rows become the first of a larger one's (section 4.3).
    """

    def __init__(
        self, config: Pretraining, corpus: TrainingText, before: list[Weights], device: torch.device
    ) -> None:
        torch.manual_seed(config.seed)
        self.config, self.device = config, device
        self.model = make_model(config, corpus, device)
        for weights in before:
            start_from(self.model, weights)
        rank, n = processes.place()
        length = self.model.length
        # Each process needs parts of its own, and a short text should have more than one.
        part = min(PART, max(len(corpus.ids) // (8 * n), 4 * length))
        keep, margin = keep_chances(corpus.counts, config.threshold), config.window // 2
        self.blocks = TextBlocks(corpus.ids, corpus.table, margin, length, part, keep)
        if self.blocks.n_parts < n:
            raise SennaError(f"too short a text for {n} processes", mend="Start fewer.")
        self.rank, self.n_processes = rank, n
        layers = list(self.model.parameters())
        self.optimiser = torch.optim.Adam(layers, lr=config.network_rate) if layers else None

    @property
    def rounds(self) -> int:
        """Rounds in one pass over the text: every process takes a part in each."""
        return self.blocks.n_parts // self.n_processes

    def batches(self, number: int, total: int, falling: bool) -> Iterator[tuple[Tensor, float]]:
        """The batches of part `number` of `total`, each with the share of the rates that it has."""
        config = self.config
        epoch, place = divmod(number, self.rounds)
        part = int(self.blocks.order([config.seed, epoch])[place * self.n_processes + self.rank])
        seed = [config.seed, epoch, part]
        torch.manual_seed(int(np.random.default_rng(seed).integers(1 << 31)))
        cut = self.blocks.streams if self.model.streaming else self.blocks.batches
        batches = cut(part, config.batch, seed, self.device)
        self.model.begin()
        self.loss = torch.zeros((), device=self.device)
        self.n_steps, self.n_windows = 0, torch.zeros((), dtype=torch.int64, device=self.device)
        n_steps = processes.least(len(batches), self.device)
        for step, rows in enumerate(batches[:n_steps]):
            done = (number + step / n_steps) / total
            yield rows, max(1 - done, LAST_SHARE) if falling else 1.0

    def step(self, rows: Tensor, share: float) -> int:
        """Learn from a batch at a share of the rates; returns its windows in all processes."""
        loss = self.model.loss(rows)
        loss.backward()  # type: ignore[no-untyped-call]
        for table in self.model.tables.values():
            table.step(self.config.learning_rate * share)
        if self.optimiser:
            processes.sum_gradients(self.model.parameters())
            for group in self.optimiser.param_groups:
                group["lr"] = self.config.network_rate * share
            self.optimiser.step()
            self.optimiser.zero_grad(set_to_none=True)
        self.loss += loss.detach()
        self.n_steps += 1
        self.n_windows += (self.model.centres(rows) != PADDING).sum()
        return len(rows) * self.blocks.length * self.n_processes

    @property
    def mean_loss(self) -> float:
        """The mean loss of this part; SennaError where it is no number in any process."""
        mean = self.loss.item() / max(self.n_steps, 1)
        if processes.any_process(not math.isfinite(mean), self.device):
            mend = "Try a smaller learning_rate."
            raise SennaError("the loss is no longer a number", where="pretrain", mend=mend)
        return mean

    # ------------------------------------------------------------------- weights

    def weights(self) -> Weights:
        """Copies of all weights, and of the sums that the tables' rates fall by."""
        return {
            name: value.detach().clone().cpu() for name, value in tensors_of(self.model).items()
        }

    def state(self) -> dict[str, Any]:
        """Everything that a checkpoint needs."""
        optimiser = self.optimiser.state_dict() if self.optimiser else {}
        return {"weights": self.weights(), "optimiser": optimiser}

    def load_state(self, state: dict[str, Any]) -> None:
        """Go back to where `state` was taken."""
        start_from(self.model, state["weights"])
        if self.optimiser:
            self.optimiser.load_state_dict(state["optimiser"])


def tensors_of(model: Objective) -> Weights:
    """The weights of a network, and the sums that its tables' rates fall by, by name."""
    tensors: Weights = {f"layer.{name}": value for name, value in model.named_parameters()}
    for name, table in model.tables.items():
        tensors |= {f"table.{name}": table.weight, f"squares.{name}": table.squares}
    return tensors


def start_from(model: Objective, weights: Weights) -> None:
    """Copy what both have of each table, and of layers that read vectors of one shape."""
    tensors = tensors_of(model)
    both = [(name, tensors[name], value) for name, value in weights.items() if name in tensors]
    fits = all(
        target.shape[1:] == value.shape[1:]
        for name, target, value in both
        if name.startswith("layer.")
    )
    for name, target, value in both:
        if fits or not name.startswith("layer."):
            common = tuple(map(slice, map(min, target.shape, value.shape)))
            target.data[common] = value[common].to(target.device)


def first_values(config: Pretraining, n: int) -> Tensor:
    """Random vectors of n words, (n, dimension) (Goldberg 2016, section 5.2.1)."""
    size = config.dimension
    if config.first == "normal":
        return torch.randn(n, size) * config.deviation
    largest = 0.5 / size if config.first == "word2vec" else math.sqrt(6 / size)
    return (torch.rand(n, size) * 2 - 1) * largest


def make_model(config: Pretraining, corpus: TrainingText, device: torch.device) -> Objective:
    """The network of a configuration with random weights."""
    words = LookupTable(first_values(config, len(corpus.counts)).to(device))
    noise = Noise(corpus.counts, config.noise, device)
    name, make = config.objective, OBJECTIVES.get(config.objective)
    if make is None:
        make = lab_module("pretraining.objectives").OBJECTIVES[name]
    return make(config, words, noise, corpus.clusters).to(device)
