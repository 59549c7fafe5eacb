"""Losses and pooling of heads in training: the likelihood of whole dependency trees (Koo et al.
2007), as `network.dependencies.loss`, and the pooling of `senna.lab.pooling`.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn import functional

from senna.training.heads.labels import words_of
from senna.training.layers.batch import mask_of


def log_arborescences(scores: Tensor, lengths: Tensor) -> Tensor:
    """Log of the summed exponentials of the scores of all trees, summed over sentences.

    scores (n_sentences, n, n + 1), [s, i, h] of word i below head h, numbered from 1, or the root,
    0; a tree has one root, and its score is the sum of its arcs'. (Koo et al. 2007, section 3.2.)
    """
    n = scores.shape[1]
    inside = mask_of(lengths, n)
    barred = ~(inside[:, :, None] & inside[:, None]) | torch.eye(n, device=scores.device).bool()
    wide = scores.double()
    roots = wide[:, :, 0].masked_fill(~inside, -torch.inf)
    inner = wide[:, :, 1:].masked_fill(barred, -torch.inf)
    # Rows are divided by their largest arc from a word, and then the roots by their largest.
    top = inner.amax(2).detach()
    top = top.masked_fill(top == -torch.inf, 0.0)
    inner = (inner - top[:, :, None]).exp()
    roots = roots - top
    highest = roots.amax(1).detach()
    first = (roots - highest[:, None]).exp()
    laplacian = torch.diag_embed(inner.sum(2) + (~inside).double()) - inner  # [word, head]
    laplacian = torch.cat([first[:, :, None], laplacian[:, :, 1:]], dim=2)
    total: Tensor = (laplacian.slogdet().logabsdet + top.sum(1) + highest).sum()
    return total.to(scores.dtype)


def tree_loss(
    scores: Tensor, lengths: Tensor, sentences: Tensor, words: Tensor, heads: Tensor
) -> Tensor:
    """The negative log-likelihood of trees, by the heads of their words."""
    return log_arborescences(scores, lengths) - scores[sentences, words, heads].sum()


ARC_LOSSES = {"trees": tree_loss}


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
