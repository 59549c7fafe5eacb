"""What a task has for itself: layers of the network's kind, an output layer, scores of paths."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from senna.config import Config
from senna.infer.paths import Dense, Roles
from senna.tasks import TASKS
from senna.text.iobes import FORBIDDEN, forbidden
from senna.training import criteria
from senna.training.arrays import Arrays, array_of, linear
from senna.training.batches import Batch
from senna.training.structured import Transitions

Scores = NDArray[np.float32]


class Head(nn.Module):
    """One task's part of a network; `layers` are its own, and know their arrays."""

    layers: Any

    def __init__(self, config: Config, task: str, names: list[str], layers: nn.Module, size: int):
        """names (n_tags,): the task's tags; size: what the layers give a word."""
        super().__init__()
        self.layers, self.criterion = layers, config.train.criterion
        self.output = nn.Linear(size, len(names))

    def forward(self, x: Tensor, lengths: Tensor) -> Tensor:
        """The output layer: (n_rows, n_steps, size) to emissions (n_rows, n_steps, n_tags)."""
        emissions: Tensor = self.output(x)
        return emissions

    def loss(self, emissions: Tensor, batch: Batch) -> Tensor:
        """The criterion of the configuration on one batch, summed."""
        if self.criterion == "word":
            gold, lengths = batch.gold, batch.gold_lengths
            return criteria.word_level(emissions, gold, lengths, batch.allowed)
        return self.path_loss(emissions, batch)

    def best(self, emissions: Tensor, lengths: Tensor) -> NDArray[np.intp]:
        """The numbers of the tags on the best paths, (n_steps, n_rows)."""
        scores = emissions.cpu().numpy()
        if self.criterion == "word":
            found: NDArray[np.intp] = scores.argmax(2).T
            return found
        return self.best_paths(scores.transpose(1, 2, 0), lengths.cpu().numpy().astype(np.int32))

    def path_loss(self, emissions: Tensor, batch: Batch) -> Tensor:
        """The sentence-level criterion."""
        raise NotImplementedError

    def best_paths(self, scores: Scores, lengths: NDArray[np.int32]) -> NDArray[np.intp]:
        """Viterbi on scores (n_steps, n_tags, n_rows)."""
        raise NotImplementedError

    def arrays(self, task: str) -> Arrays:
        """Its weights, by their names in the model folder."""
        found: Arrays = self.layers.arrays(task) | linear(f"{task}.output", self.output)
        for name, own in self.named_parameters():
            if not name.startswith(("layers.", "output.")):  # what scores the steps between tags
                found[f"{task}.{name.rpartition('.')[2]}"] = array_of(own)
        return found


class TagHead(Head):
    """One tag a word: any tag may follow any, but what IOBES rules out."""

    forbidden: Tensor

    def __init__(self, config: Config, task: str, names: list[str], layers: nn.Module, size: int):
        super().__init__(config, task, names, layers, size)
        n = len(names)
        self.transitions = nn.Parameter(torch.zeros(n, n))
        self.initial = nn.Parameter(torch.zeros(n))
        # The word-level criterion knows no paths, so it has none to rule out.
        constrained = config.network.constrained and self.criterion == "sentence"
        phrases = constrained and TASKS[task].output != "tags"
        rules = forbidden(names) if phrases else np.zeros((n + 2, n), np.bool_)
        self.register_buffer("forbidden", torch.from_numpy(rules), persistent=False)

    def forward(self, x: Tensor, lengths: Tensor) -> Tensor:
        """Emissions; tags that cannot end a sentence are ruled out at its last word."""
        emissions: Tensor = self.output(x)
        steps = torch.arange(emissions.shape[1], device=emissions.device)
        last = (steps == lengths[:, None] - 1)[:, :, None]
        return emissions.masked_fill(last & self.forbidden[-1], FORBIDDEN)

    def path_scores(self) -> tuple[Tensor, Tensor]:
        """transitions (n_tags, n_tags) and initial (n_tags,), what IOBES rules out filled in."""
        transitions = self.transitions.masked_fill(self.forbidden[1:-1], FORBIDDEN)
        return transitions, self.initial.masked_fill(self.forbidden[0], FORBIDDEN)

    def path_loss(self, emissions: Tensor, batch: Batch) -> Tensor:
        """See `Head.path_loss`."""
        lengths, paths = batch.gold_lengths, self.path_scores()
        return criteria.sentence_level(emissions, batch.gold, lengths, *paths, batch.allowed)

    def best_paths(self, scores: Scores, lengths: NDArray[np.int32]) -> NDArray[np.intp]:
        """See `Head.best_paths`."""
        paths = Dense(*map(array_of, self.path_scores()))
        return paths.best(np.ascontiguousarray(scores), lengths)


class RoleHead(Head):
    """Roles of a predicate's arguments: many tags, by the structure of IOBES."""

    def __init__(self, config: Config, task: str, names: list[str], layers: nn.Module, size: int):
        super().__init__(config, task, names, layers, size)
        self.transitions = Transitions(len(names))

    def path_loss(self, emissions: Tensor, batch: Batch) -> Tensor:
        """See `Head.path_loss`."""
        return self.transitions.loss(emissions, batch.gold, batch.gold_lengths)

    def best_paths(self, scores: Scores, lengths: NDArray[np.int32]) -> NDArray[np.intp]:
        """See `Head.best_paths`."""
        own = self.transitions
        paths = Roles(*map(array_of, (own.between, own.within, own.initial)))
        return paths.order[paths.best(np.ascontiguousarray(scores[:, paths.order]), lengths)]


HEADS: dict[str, type[Head]] = {"tags": TagHead, "roles": RoleHead}  # by `Task.head`
