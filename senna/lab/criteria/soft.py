"""The sentence criterion with the probabilities of each word's tags as gold."""

from __future__ import annotations

import torch
from torch import Tensor

from senna.lab.criteria.state_transitions import StatePaths
from senna.training.layers.batch import mask_of
from senna.training.losses.criteria import DensePaths, GoldBatch, Paths


def loss(emissions: Tensor, gold: GoldBatch, paths: Paths) -> Tensor:
    """The cross entropy of the marginals of tags to `gold.soft`, summed over words."""
    assert gold.soft is not None
    inside = mask_of(gold.lengths, emissions.shape[1])
    return -(gold.soft * log_marginals(emissions, gold.lengths, paths))[inside].sum()


def log_marginals(emissions: Tensor, lengths: Tensor, paths: Paths) -> Tensor:
    """The logarithm of the probability of each word's tags over all paths, as emissions.

    A graph of both recursions, since gradients of marginals are asked for.
    """
    assert isinstance(paths, DensePaths | StatePaths)
    n_steps = emissions.shape[1]
    moves = [paths.transitions.expand(1, -1, -1)] * n_steps
    if isinstance(paths, StatePaths):
        moves = list((paths.transitions + paths.moves).unbind(1))
    words = emissions.unbind(1)
    inside = mask_of(lengths, n_steps)[:, :, None]
    alpha, beta = [words[0] + paths.initial], [torch.zeros_like(words[0])]
    for t in range(1, n_steps):
        new = (alpha[-1][:, :, None] + moves[t]).logsumexp(1) + words[t]
        alpha.append(torch.where(inside[:, t], new, alpha[-1]))
    for t in range(n_steps - 1, 0, -1):
        new = (moves[t] + (words[t] + beta[0])[:, None]).logsumexp(2)
        beta.insert(0, torch.where(inside[:, t], new, beta[0]))
    total = alpha[-1].logsumexp(1)
    return torch.stack(alpha, 1) + torch.stack(beta, 1) - total[:, None, None]
