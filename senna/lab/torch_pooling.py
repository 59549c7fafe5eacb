"""The pooling of `senna.lab.pooling` in training."""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn import functional

from senna.training.heads.labels import words_of


def last_states(x: Tensor, lengths: Tensor) -> Tensor:
    """The units of last words, (n_sentences, units) of x (n_sentences, n_steps, units)."""
    return x[torch.arange(len(x), device=x.device), lengths - 1]


def ends(x: Tensor, lengths: Tensor) -> Tensor:
    """The states with which two directions end, each half of the units."""
    forward, backward = x.chunk(2, 2)
    return torch.cat([last_states(forward, lengths), backward[:, 0]], 1)


def _k_max(x: Tensor, lengths: Tensor, k: int) -> Tensor:
    x = functional.pad(words_of(x, lengths), (0, 0, 0, k), value=-math.inf)
    places = x.argsort(dim=1, descending=True, stable=True)[:, :k].sort(1)[0]
    largest = x.gather(1, places)
    return largest.masked_fill(largest == -math.inf, 0).flatten(1)


def _regions(x: Tensor, lengths: Tensor, k: int) -> Tensor:
    steps = torch.arange(x.shape[1], device=x.device)[:, None]
    lengths = lengths[:, None, None]
    parts = []
    for region in range(k):
        here = (steps >= region * lengths // k) & (steps < (region + 1) * lengths // k)
        largest = x.masked_fill(~here, -math.inf).amax(1)
        parts.append(largest.masked_fill(largest == -math.inf, 0))
    return torch.cat(parts, 1)


POOLING = {"last": last_states, "ends": ends, "k-max": _k_max, "k-regions": _regions}
