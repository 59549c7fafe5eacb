"""What word vectors are trained for: ranking (eq. 17), likelihood, skip-gram.

All three read blocks of running text: rows (n_blocks, length + window - 1) of the dictionary,
where the first and last window // 2 columns are context only and every other place is the centre
of one window. Neighbouring windows share their words, so each word of a block is looked up
once and gets one gradient, not one for each of its windows. A step updates
the lookup `tables`; other weights are parameters.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

from senna.pretraining.lookup_table import LookupTable, Noise
from senna.text.features import PADDING


class Ranking(nn.Module):
    """The window network f of section 4.2, trained to score text above corrupted text.

    eq. 17: max(0, 1 - f(x) + f(x')), where x' is the window x with a random word at its centre.
    """

    def __init__(
        self, words: LookupTable, noise: Noise, window: int, hidden: int, negatives: int = 1
    ) -> None:
        super().__init__()
        self.words, self.noise, self.negatives = words, noise, negatives
        self.tables = {"words": words}
        self.centre = window // 2
        self.first = WindowLayer(words.weight.shape[1], window, hidden)
        self.last = nn.Parameter(uniform(hidden, fan_in=hidden))

    def loss(self, rows: Tensor) -> Tensor:
        """The mean criterion over the windows of `rows` and their corrupted centres."""
        c = self.centre
        vectors = self.words.take(rows)
        first = self.first(vectors)
        noise = self.noise.draw(*first.shape[:2], self.negatives)
        # Only the centre differs, so the rest of the first layer's sum is shared.
        change = self.words.take(noise) - vectors[:, c:-c, None]
        corrupted = first[:, :, None] + change @ self.first.weight[:, :, c].T
        right = functional.hardtanh(first) @ self.last
        wrong = functional.hardtanh(corrupted) @ self.last
        hinge = (1 - right[:, :, None] + wrong).clamp(min=0).mean(2)
        return mean_where(hinge, rows[:, c:-c] != PADDING)

    def scores(self, windows: Tensor, words: Tensor) -> Tensor:
        """f of each window (n, window) with each of `words` (m,) as its centre: (n, m)."""
        c = self.centre
        vectors = self.words.weight[windows]
        vectors[:, c] = 0
        context = self.first(vectors)[:, 0]
        centres = self.words.weight[words] @ self.first.weight[:, :, c].T
        return functional.hardtanh(context[:, None] + centres) @ self.last


class Likelihood(nn.Module):
    """A feed-forward language model: a softmax over the dictionary given the words around.

    The context's vectors go through one hidden layer with tanh; the output layer has a row of
    `hidden` numbers and a bias for each word (Bengio et al. 2003). With `ahead` it sees only the
    words before. In training the softmax is over the true word and a sample of others, each
    score corrected by the log of how often it is drawn (Bengio and Senecal 2008).
    """

    def __init__(
        self, words: LookupTable, noise: Noise, window: int, hidden: int, sample: int, ahead: bool
    ) -> None:
        super().__init__()
        self.words, self.noise, self.sample = words, noise, sample
        self.centre = window // 2
        self.first = WindowLayer(words.weight.shape[1], window, hidden)
        seen = torch.ones(window)
        seen[self.centre :] = 0 if ahead else 1
        seen[self.centre] = 0
        self.register_buffer("seen", seen)
        n, device = len(words.weight), words.weight.device
        self.output = LookupTable(torch.zeros(n, hidden + 1, device=device))
        self.tables = {"words": words, "output": self.output}

    def hidden(self, vectors: Tensor) -> Tensor:
        """(n, length + window - 1, size) to (n, length, hidden + 1); the last is the bias' 1."""
        hidden = torch.tanh(self.first(vectors, self.seen))
        return functional.pad(hidden, (0, 1), value=1.0)

    def loss(self, rows: Tensor) -> Tensor:
        """The mean negative log-likelihood among the true word and the sample."""
        centres = rows[:, self.centre : -self.centre].reshape(-1)
        hidden = self.hidden(self.words.take(rows)).flatten(0, 1)
        noise = self.noise.draw(self.sample)
        log_share = self.noise.log_share
        true = (hidden * self.output.take(centres)).sum(1) - log_share[centres]
        # The true word may be drawn, too: without it the optimum would be another (frequent words).
        others = hidden @ self.output.take(noise).T - log_share[noise]
        total = torch.logaddexp(true, torch.logsumexp(others, 1))
        return mean_where(total - true, centres != PADDING)

    def scores(self, windows: Tensor, words: Tensor) -> Tensor:
        """Score of each of `words` (m,) in each window (n, window): (n, m), before the softmax."""
        hidden = self.hidden(self.words.weight[windows])[:, 0]
        return hidden @ self.output.weight[words].T


class SkipGram(nn.Module):
    """Skip-gram with negative sampling (Mikolov et al. 2013): each word predicts its neighbours.

    All pairs of words of a block are multiplied as one matrix product, and those within the window
    are selected; a block shares its negatives. Although most of the product is discarded, this is
    several times faster than computing the pairs one by one.
    """

    def __init__(self, words: LookupTable, noise: Noise, window: int, negatives: int) -> None:
        super().__init__()
        self.words, self.noise, self.negatives = words, noise, negatives
        self.centre = window // 2
        self.output = LookupTable(torch.zeros_like(words.weight))
        self.tables = {"words": words, "output": self.output}

    def loss(self, rows: Tensor) -> Tensor:
        """The mean criterion a word: its neighbours, and `negatives` random words for each."""
        c = self.centre
        n, length = len(rows), rows.shape[1] - 2 * c
        centres = rows[:, c:-c]
        noise = self.noise.draw(n, length)
        vectors = self.words.take(centres)
        near = self.output.take(rows)
        far = self.output.take(noise)
        pairs = self._pairs(rows)
        right = torch.bmm(vectors, near.transpose(1, 2))
        wrong = torch.bmm(vectors, far.transpose(1, 2))
        share = pairs.sum(2, keepdim=True) * (self.negatives / length)
        total = (functional.softplus(-right) * pairs).sum()
        total = total + (functional.softplus(wrong) * share).sum()
        return total / (centres != PADDING).sum().clamp(min=1)

    def _pairs(self, rows: Tensor) -> Tensor:
        """1 where a place (n, length, length + 2c) is within a centre's window, else 0.

        Each centre's window is as wide as chance says, so that near words weigh more.
        """
        c = self.centre
        n, length = len(rows), rows.shape[1] - 2 * c
        places = torch.arange(length + 2 * c, device=rows.device)
        distance = (places - c - torch.arange(length, device=rows.device)[:, None]).abs()
        reach = torch.randint(1, c + 1, (n, length, 1), device=rows.device)
        words = rows != PADDING
        within = (distance <= reach) & (distance > 0) & words[:, None] & words[:, c:-c, None]
        return within.float()

    def scores(self, windows: Tensor, words: Tensor) -> Tensor:
        """Sum over the words around of their score with each of `words` (m,): (n, m)."""
        around = self.output.weight[windows]
        around[windows == PADDING] = 0
        around[:, self.centre] = 0
        return around.sum(1) @ self.words.weight[words].T


class WindowLayer(nn.Module):
    """The first linear layer over a window: a convolution, weight (hidden, size, window)."""

    def __init__(self, size: int, window: int, hidden: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(uniform(hidden, size, window, fan_in=size * window))
        self.bias = nn.Parameter(torch.zeros(hidden))

    def forward(self, vectors: Tensor, seen: Tensor | None = None) -> Tensor:
        """(n, length + window - 1, size) to (n, length, hidden); `seen` 0 hides a place."""
        weight = self.weight if seen is None else self.weight * seen
        return functional.conv1d(vectors.transpose(1, 2), weight, self.bias).transpose(1, 2)


def uniform(*shape: int, fan_in: int) -> Tensor:
    """First weights of deviation 1 / sqrt(fan_in) (remark 7)."""
    return (torch.rand(*shape) * 2 - 1) * math.sqrt(3 / fan_in)


def mean_where(values: Tensor, keep: Tensor) -> Tensor:
    """The mean of the values that are kept."""
    return (values * keep).sum() / keep.sum().clamp(min=1)
