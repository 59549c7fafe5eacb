"""The objectives of word vectors: likelihood and skip-gram; `senna.lab.pretraining` has more.

All read blocks of running text: rows (n_blocks, length + window - 1) of the dictionary,
where the first and last window // 2 columns are context only and every other place is the centre
of one window. Neighbouring windows share their words, so each word of a block is looked up
once and gets one gradient, not one for each of its windows. A step updates
the lookup `tables`; other weights are parameters.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from senna.pretraining.config import Pretraining
from senna.pretraining.lookup_table import (
    LookupTable,
    Noise,
    OutputSettings,
    SampledSoftmax,
    SoftmaxLayer,
)
from senna.text.vocabulary import PADDING


class Objective(nn.Module):
    """A network over windows, and what it is trained for."""

    length: int = 64  # centres of a block: more for a convolution
    streaming = False  # whether it reads long streams of text, its state carried on
    centre: int  # words of context on each side
    words: LookupTable
    tables: dict[str, LookupTable]

    @property
    def width(self) -> int:
        """Words of the windows that `scores` reads."""
        return 2 * self.centre + 1

    def begin(self) -> None:
        """Forget the text before: what follows is from elsewhere."""

    def centres(self, rows: Tensor) -> Tensor:
        """The words that a step predicts, among them PADDING between sentences."""
        return rows[:, self.centre : -self.centre]

    def loss(self, rows: Tensor) -> Tensor:
        """The mean criterion over the centres of `rows` (n_blocks, length + window - 1)."""
        raise NotImplementedError

    def scores(self, windows: Tensor, words: Tensor) -> Tensor:
        """Score of each of `words` (m,) as the centre of each window (n, window): (n, m)."""
        raise NotImplementedError


class LanguageModel(Objective):
    """An objective whose scores are log-odds of the word, so that it has a perplexity."""

    softmax: SoftmaxLayer

    def states(self, rows: Tensor, places: Tensor, n: int) -> Tensor:
        """The states of a streaming model that predict the words at rising places of `rows`."""
        raise NotImplementedError


class Likelihood(LanguageModel):
    """A feed-forward language model: the word at the centre given the words around.

    The context's vectors go through one hidden layer with tanh; the output layer has a row of
    `hidden` numbers and a bias for each word (Bengio et al. 2003). With `ahead` it sees only the
    words before. In training the output layer approximates the softmax (`senna.pretraining.
    softmaxes`).
    """

    def __init__(
        self, words: LookupTable, softmax: SoftmaxLayer, window: int, hidden: int, ahead: bool
    ) -> None:
        super().__init__()
        self.words, self.softmax = words, softmax
        self.centre = window // 2
        self.first = WindowLayer(words.weight.shape[1], window, hidden)
        seen = torch.ones(window)
        seen[self.centre :] = 0 if ahead else 1
        seen[self.centre] = 0
        self.register_buffer("seen", seen)
        self.tables = {"words": words} | softmax.tables

    def unit(self, sums: Tensor) -> Tensor:
        """The activation of a hidden unit."""
        return torch.tanh(sums)

    def hidden(self, vectors: Tensor) -> Tensor:
        """(n, length + window - 1, size) to (n, length, hidden + 1); the last is the bias' 1."""
        hidden = self.unit(self.first(vectors, self.seen))
        return functional.pad(hidden, (0, 1), value=1.0)

    def loss(self, rows: Tensor) -> Tensor:
        """The mean criterion of the output layer."""
        centres = self.centres(rows).reshape(-1)
        return self.softmax.loss(self.hidden(self.words.take(rows)).flatten(0, 1), centres)

    def scores(self, windows: Tensor, words: Tensor) -> Tensor:
        """Score of each of `words` (m,) in each window (n, window): (n, m), before the softmax."""
        return self.softmax.scores(self.hidden(self.words.weight[windows])[:, 0], words)


class NegativeSampling(Objective):
    """An objective whose words have other vectors on the output side, and random words as noise."""

    length = 32  # each is multiplied with the whole block

    def __init__(
        self, words: LookupTable, noise: Noise, window: int, negatives: int, vectors: int = 1
    ) -> None:
        """vectors: how many a word has on the output side."""
        super().__init__()
        self.words, self.noise, self.negatives = words, noise, negatives
        self.centre = window // 2
        n, size = words.weight.shape
        self.output = LookupTable(words.weight.detach().new_zeros(n * vectors, size))
        self.tables = {"words": words, "output": self.output}


class SkipGram(NegativeSampling):
    """Skip-gram with negative sampling (Mikolov et al. 2013): each word predicts its neighbours.

    All pairs of words of a block are multiplied as one matrix product, and those within the window
    are selected; a block shares its negatives. Although most of the product is discarded, this is
    several times faster than computing the pairs one by one.
    """

    def loss(self, rows: Tensor) -> Tensor:
        """The mean criterion per word: its neighbours, and `negatives` random words for each."""
        c = self.centre
        n, length = len(rows), rows.shape[1] - 2 * c
        centres = self.centres(rows)
        noise = self.noise.draw(n, length)
        vectors = self.words.take(centres)
        near = self.output.take(rows)
        far = self.output.take(noise)
        pairs = neighbours(rows, c)
        right = torch.bmm(vectors, near.transpose(1, 2))
        wrong = torch.bmm(vectors, far.transpose(1, 2))
        share = pairs.sum(2, keepdim=True) * (self.negatives / length)
        total = (functional.softplus(-right) * pairs).sum()
        total = total + (functional.softplus(wrong) * share).sum()
        return total / (centres != PADDING).sum().clamp(min=1)

    def scores(self, windows: Tensor, words: Tensor) -> Tensor:
        """Sum over the words around of their score with each of `words` (m,): (n, m)."""
        around = self.output.weight[windows]
        around[windows == PADDING] = 0
        around[:, self.centre] = 0
        return around.sum(1) @ self.words.weight[words].T


def neighbours(rows: Tensor, c: int) -> Tensor:
    """1 where a place (n, length, length + 2c) is within a centre's window, else 0.

    Each centre's window is as wide as chance says, so that near words weigh more.
    """
    n, length = len(rows), rows.shape[1] - 2 * c
    places = torch.arange(length + 2 * c, device=rows.device)
    distance = (places - c - torch.arange(length, device=rows.device)[:, None]).abs()
    reach = torch.randint(1, c + 1, (n, length, 1), device=rows.device)
    words = rows != PADDING
    within = (distance <= reach) & (distance > 0) & words[:, None] & words[:, c:-c, None]
    return within.float()


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


def softmax_of(config: Pretraining, noise: Noise, size: int, clusters: Any) -> SoftmaxLayer:
    """The output layer of a language model whose last layer has `size` numbers."""
    settings = OutputSettings(noise, size, config.sample, clusters)
    if config.softmax == "sampled":
        return SampledSoftmax(settings)
    from senna.lab.pretraining.softmaxes import OUTPUTS

    return OUTPUTS[config.softmax](settings)


# By name: an objective of a configuration, its table of words, noise and clusters of words.
Make = Callable[[Pretraining, LookupTable, Noise, Any], Objective]
OBJECTIVES: dict[str, Make] = {
    "likelihood": lambda config, words, noise, clusters: Likelihood(
        words,
        softmax_of(config, noise, config.hidden, clusters),
        config.window,
        config.hidden,
        config.ahead,
    ),
    "skipgram": lambda config, words, noise, _: SkipGram(
        words, noise, config.window, config.negatives
    ),
}
