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
from senna.pretraining.config import Pretraining
from senna.pretraining.lookup_table import LookupTable, Noise
from senna.pretraining.objectives import (
    Bilinear,
    Cbow,
    Likelihood,
    Objective,
    Positional,
    Ranking,
    SkipGram,
)
from senna.pretraining.recurrent import Recurrent
from senna.text.vocabulary import PADDING

CPU = torch.device("cpu")
LAST_SHARE = 0.01  # of the learning rates, when they have fallen
PART = 1 << 19  # tokens, about, that are read at a time; a checkpoint falls between two parts

OBJECTIVES: dict[str, type[Objective]] = {
    "ranking": Ranking,
    "likelihood": Likelihood,
    "bilinear": Bilinear,
    "recurrent": Recurrent,
    "skipgram": SkipGram,
    "positional": Positional,
    "cbow": Cbow,
}
Weights = dict[str, Tensor]


@dataclass(frozen=True)
class TextBlocks:
    """The training text as one dictionary sees it."""

    ids: NDArray[np.uint32]  # (n_tokens,) of the text, memory-mapped
    table: NDArray[np.int32]  # row of the dictionary for each id of the text
    margin: int  # words of context on each side of a block
    length: int  # words of a block that are centres
    part: int = PART  # tokens, about
    keep: NDArray[np.float32] | None = None  # chance of each row to stay, where some are dropped

    @property
    def n_parts(self) -> int:
        """How many parts one pass over the text has."""
        return max(len(self.ids) // self.part, 1)

    def order(self, seed: list[int]) -> NDArray[np.int64]:
        """The parts of one pass, shuffled."""
        return np.random.default_rng(seed).permutation(self.n_parts)

    def batches(
        self, part: int, size: int, seed: list[int], device: torch.device = CPU
    ) -> list[Tensor]:
        """The part's blocks (n, length + 2 * margin), shuffled, about `size` centres at a time.

        The part is moved to the device as one tensor.
        """
        random = np.random.default_rng(seed)
        blocks = self._blocks(part, random)
        if not len(blocks):
            return []
        shuffled = torch.from_numpy(blocks[random.permutation(len(blocks))].astype(np.int64))
        return list(torch.split(shuffled.to(device), max(1, size // self.length)))

    def streams(
        self, part: int, size: int, seed: list[int], device: torch.device = CPU
    ) -> list[Tensor]:
        """The part cut into long streams, a block of each at a time: about `size` words.

        (n_streams, 2, length + 2 * margin): a stream's blocks in the order of the text, and next to
        them the same blocks from the last to the first, for a network that reads backwards.
        """
        blocks = self._blocks(part, np.random.default_rng(seed))
        n = max(min(size // self.length, len(blocks)), 1)
        n_steps = len(blocks) // n
        streams = blocks[: n * n_steps].reshape(n, n_steps, blocks.shape[1])
        both = np.stack([streams, streams[:, ::-1]], 2)  # (stream, step, direction, word)
        return list(torch.from_numpy(both.astype(np.int64)).to(device).unbind(1))

    def _blocks(self, part: int, random: np.random.Generator) -> NDArray[np.int32]:
        rows = self.rows(part, random)
        wide = self.length + 2 * self.margin
        if len(rows) == 0:
            return np.empty((0, wide), np.int32)
        n = max(len(rows) // self.length, 1)
        whole = max(len(rows), self.length)
        # The first block starts anywhere, so that blocks are cut elsewhere in each pass.
        first = int(random.integers(whole - n * self.length + 1))
        padded = np.full(whole + 2 * self.margin, PADDING, np.int32)
        padded[self.margin : self.margin + len(rows)] = rows
        return np.lib.stride_tricks.sliding_window_view(padded[first:], wide)[:: self.length][:n]

    def rows(self, part: int, random: np.random.Generator) -> NDArray[np.int32]:
        """One part as rows of the dictionary; `keep` drops frequent words at random."""
        first, last = (len(self.ids) * i // self.n_parts for i in (part, part + 1))
        rows = self.table[self.ids[first:last]]
        if self.keep is None:
            return rows
        return rows[random.random(len(rows), np.float32) < self.keep[rows]]


def keep_chances(counts: NDArray[np.int64], threshold: float) -> NDArray[np.float32] | None:
    """The probability of keeping each word, below 1 above a share `threshold` (Mikolov 2013)."""
    if not threshold:
        return None
    share = counts / max(counts.sum(), 1)
    ratio = threshold / np.maximum(share, 1e-12)
    chances: NDArray[np.float64] = np.minimum(np.sqrt(ratio) + ratio, 1)
    return chances.astype(np.float32)


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
        length = self.model.length
        part = min(PART, max(len(corpus.ids) // 8, 4 * length))  # a short text has several, too
        keep, margin = keep_chances(corpus.counts, config.threshold), config.window // 2
        self.blocks = TextBlocks(corpus.ids, corpus.table, margin, length, part, keep)
        layers = list(self.model.parameters())
        self.optimiser = torch.optim.Adam(layers, lr=config.network_rate) if layers else None

    def batches(self, number: int, total: int, falling: bool) -> Iterator[tuple[Tensor, float]]:
        """The batches of part `number` of `total`, each with the share of the rates that it has."""
        config = self.config
        epoch, place = divmod(number, self.blocks.n_parts)
        part = int(self.blocks.order([config.seed, epoch])[place])
        seed = [config.seed, epoch, part]
        torch.manual_seed(int(np.random.default_rng(seed).integers(1 << 31)))
        cut = self.blocks.streams if self.model.streaming else self.blocks.batches
        batches = cut(part, config.batch, seed, self.device)
        self.model.begin()
        self.loss = torch.zeros((), device=self.device)
        self.n_steps, self.n_windows = 0, torch.zeros((), dtype=torch.int64, device=self.device)
        for step, rows in enumerate(batches):
            done = (number + step / len(batches)) / total
            yield rows, max(1 - done, LAST_SHARE) if falling else 1.0

    def step(self, rows: Tensor, share: float) -> int:
        """Learn from a batch at a share of the rates; returns its windows."""
        loss = self.model.loss(rows)
        loss.backward()  # type: ignore[no-untyped-call]
        for table in self.model.tables.values():
            table.step(self.config.learning_rate * share)
        if self.optimiser:
            for group in self.optimiser.param_groups:
                group["lr"] = self.config.network_rate * share
            self.optimiser.step()
            self.optimiser.zero_grad(set_to_none=True)
        self.loss += loss.detach()
        self.n_steps += 1
        self.n_windows += (self.model.centres(rows) != PADDING).sum()
        return len(rows) * self.blocks.length

    @property
    def mean_loss(self) -> float:
        """The mean loss of this part; SennaError where it is no number."""
        mean = self.loss.item() / max(self.n_steps, 1)
        if not math.isfinite(mean):
            remedy = "Try a smaller learning_rate."
            raise SennaError("the loss is no longer a number", where="pretrain", remedy=remedy)
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
    return OBJECTIVES[config.objective](config, words, noise, corpus.clusters).to(device)
