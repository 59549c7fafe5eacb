"""All binary trees over a sentence: the inside recursion, and marginals as its gradient."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor


def log_trees(scores: Tensor, lengths: Tensor) -> Tensor:
    """Log of the summed exponentials of the scores of all trees, summed over sentences.

    scores (n_sentences, n_words, n_words), [s, i, j] of the span from word i to word j, both
    within; a tree's score is the sum of its spans' of two words and more. (Stern et al. 2017; Zhang
    et al. 2020, section 2.2.)
    """
    total: Tensor = _LogTrees.apply(scores, lengths)  # type: ignore[no-untyped-call]
    return total


class _LogTrees(torch.autograd.Function):
    """By hand, as a graph of some thousand small nodes costs several times the arithmetic."""

    @staticmethod
    def forward(ctx: Any, scores: Tensor, lengths: Tensor) -> Tensor:
        n_sentences, n = scores.shape[:2]
        # Of spans by their width, and by first word or by end.
        left = scores.new_zeros(n_sentences, n, n + 1)
        right = scores.new_zeros(n_sentences, n + 1, n + 1)
        for width in range(2, n + 1):
            m = n - width + 1
            both = left[:, :m, 1:width] + right[:, width:, 1:width].flip(2)
            inside = both.logsumexp(2) + scores.diagonal(width - 1, 1, 2)
            left[:, :m, width] = right[:, width:, width] = inside
        ctx.save_for_backward(scores, lengths, left, right)
        return left[:, 0].gather(1, lengths[:, None]).sum()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        scores, lengths, left, right = ctx.saved_tensors
        n = scores.shape[1]
        by_start, by_end = torch.zeros_like(left), torch.zeros_like(right)
        by_start[:, 0].scatter_(1, lengths[:, None], 1.0)
        marginals = torch.zeros_like(scores)
        for width in range(n, 1, -1):
            m = n - width + 1
            marginal = by_start[:, :m, width] + by_end[:, width:, width]
            marginals.diagonal(width - 1, 1, 2).copy_(marginal)
            both = left[:, :m, 1:width] + right[:, width:, 1:width].flip(2)
            shares = both.softmax(2) * marginal[:, :, None]
            by_start[:, :m, 1:width] += shares
            by_end[:, width:, 1:width] += shares.flip(2)
        return marginals * gradients[0], None
