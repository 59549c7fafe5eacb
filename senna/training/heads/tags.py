"""The output layer of tasks that give each word a tag, and its scores of paths, in training."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from senna.decoding.viterbi import FORBIDDEN, forbidden
from senna.kinds import output_of
from senna.registry import OTHER_HEADS
from senna.tasks import TASKS
from senna.text.lemmas import Rule
from senna.training.criteria import DensePaths
from senna.training.heads.base import Head, Place
from senna.training.layers.batch import Batch


class TagHead(Head):
    """One tag per word: any tag may follow any, but what IOBES rules out."""

    forbidden: Tensor

    def __init__(self, place: Place, is_iobes: bool = True) -> None:
        super().__init__(place)
        names, n = place.names, len(place.names)
        self.transitions = nn.Parameter(torch.zeros(n, n))
        self.initial = nn.Parameter(torch.zeros(n))
        # Without paths there are none to rule out.
        phrases = is_iobes and place.options.network.constrained and self.criterion.paths
        rules = forbidden(names) if phrases else np.zeros((n + 2, n), np.bool_)
        self.register_buffer("forbidden", torch.from_numpy(rules), persistent=False)

    def forward(self, x: Tensor, batch: Batch) -> Tensor:
        """Emissions; tags that cannot end a sentence are ruled out at its last word."""
        emissions = super().forward(x, batch)
        steps = torch.arange(emissions.shape[1], device=emissions.device)
        last = (steps == batch.gold_lengths[:, None] - 1)[:, :, None]
        return emissions.masked_fill(last & self.forbidden[-1], FORBIDDEN)

    def paths(self) -> DensePaths:
        """See `Head.paths`; what IOBES rules out is filled in."""
        transitions = self.transitions.masked_fill(self.forbidden[1:-1], FORBIDDEN)
        return DensePaths(transitions, self.initial.masked_fill(self.forbidden[0], FORBIDDEN))


def head(place: Place) -> TagHead:
    if TASKS[place.task].independent:
        place = place._replace(options=place.options.by_words())
    if TASKS[place.task].head == "lemmas":  # rules stand for the lemmas that they make of forms
        place = place._replace(names=list(map(Rule, place.names)))
    options = place.options
    other = OTHER_HEADS.get(options.train.criterion) or OTHER_HEADS.get(options.network.transitions)
    made: TagHead = (other or TagHead)(place, output_of(place.task).kind == "phrases")
    return made
