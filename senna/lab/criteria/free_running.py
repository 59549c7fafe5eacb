"""Free running: the criterion greedy after tags that the network finds itself.

A network that only learns what follows gold tags meets its own mistakes for the first time when it
tags. Bengio et al. 2015: some of the tags before a word are therefore the network's own best ones,
a few at first and more in later epochs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from senna.text.iobes import FORBIDDEN
from senna.training.layers.batch import Batch, mask_of

if TYPE_CHECKING:
    from senna.lab.criteria.greedy import GreedyPaths
    from senna.training.losses.criteria import GoldBatch

NEVER = float("inf")  # the cost of what the rules exclude


class FreeRunning:
    """Draws the words whose history is the network's own tags (scheduled sampling)."""

    def __init__(self, last: float, epochs: int) -> None:
        """last: the share of such words in the last epoch."""
        self.last, self.epochs = last, epochs

    def __call__(self, batch: Batch, epoch: int, random: np.random.Generator) -> Batch:
        """The batch with the words that are drawn in an epoch, counted from 0."""
        return with_free_running(batch, share_in(epoch, self.epochs, self.last), random)


def share_in(epoch: int, epochs: int, last: float) -> float:
    """The share of own tags in an epoch, counted from 0: from 0 in the first to `last`."""
    return last * min(epoch / (epochs - 1), 1.0) if epochs > 1 else last


def with_free_running(batch: Batch, share: float, random: np.random.Generator) -> Batch:
    """The batch with the words whose own tags are history; a share of 0 draws nothing."""
    if not share:
        return batch
    drawn = torch.from_numpy(random.random(batch.gold.shape) < share)
    return replace(batch, free_running=drawn.to(batch.gold.device))


@torch.no_grad()
def after_free_running(emissions: Tensor, gold: GoldBatch, paths: GreedyPaths) -> GoldBatch:
    """The gold after the network's own tags: `tags` are the history, `allowed` the right tags.

    The gold tag is right after any history, since each word is a mistake or none by itself: the
    dynamic oracle of tags is the gold tag. Only where the rules of the tags exclude it after a
    wrong tag, those are right that lead to the fewest wrong tags from there on.
    """
    history = _history(emissions, gold, paths)
    after = paths.after(history)
    possible = emissions + after > FORBIDDEN / 2
    if gold.soft is not None:
        return gold._replace(tags=history, soft=gold.soft.where(possible, 0.0))
    costs = _costs(emissions, gold, paths).masked_fill(~possible, NEVER)
    return gold._replace(tags=history, allowed=costs == costs.amin(2, keepdim=True))


def _history(emissions: Tensor, gold: GoldBatch, paths: GreedyPaths) -> Tensor:
    """Tags from left to right: gold, or where a word runs free the best after those before it."""
    assert gold.free_running is not None
    tags, n_last = gold.tags.clone(), len(paths.earlier) + 1
    for t in range(tags.shape[1]):
        after = paths.after(tags[:, max(t - n_last, 0) : t + 1])[:, -1]
        best = (emissions[:, t] + after).argmax(1)
        tags[:, t] = best.where(gold.free_running[:, t], tags[:, t])
    return tags


def _costs(emissions: Tensor, gold: GoldBatch, paths: GreedyPaths) -> Tensor:
    """How many tags from a word on are wrong at least if it has a tag: as emissions."""
    right = torch.zeros_like(emissions, dtype=torch.bool).scatter_(2, gold.tags[:, :, None], True)
    costs = (~(right if gold.allowed is None else gold.allowed)).to(emissions)
    costs[emissions <= FORBIDDEN / 2] = NEVER
    moves = torch.zeros_like(paths.transitions)
    moves[paths.transitions <= FORBIDDEN / 2] = NEVER
    inside = mask_of(gold.lengths, emissions.shape[1])[:, :, None]
    for t in range(emissions.shape[1] - 2, -1, -1):
        ahead = (moves + costs[:, t + 1, None]).amin(2)
        costs[:, t] += ahead.where(inside[:, t + 1], 0.0)
    return costs
