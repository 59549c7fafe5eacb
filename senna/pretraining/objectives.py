"""The objectives of word vectors: ranking (eq. 17), likelihood, skip-gram and their kin.

All read blocks of running text: rows (n_blocks, length + window - 1) of the dictionary,
where the first and last window // 2 columns are context only and every other place is the centre
of one window. Neighbouring windows share their words, so each word of a block is looked up
once and gets one gradient, not one for each of its windows. A step updates
the lookup `tables`; other weights are parameters.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from senna.pretraining.config import Pretraining
from senna.pretraining.lookup_table import LookupTable, Noise
from senna.pretraining.softmaxes import OUTPUTS, SoftmaxLayer
from senna.text.vocabulary import PADDING


class Objective(nn.Module):
    """A network over windows, and what it is trained for."""

    length: int = 64  # centres of a block: more for a convolution
    streaming = False  # whether it reads long streams of text, its state carried on
    tables: dict[str, LookupTable]

    def __init__(
        self, config: Pretraining, words: LookupTable, noise: Noise, clusters: Any = None
    ) -> None:
        """clusters: of the words, for a softmax of classes or of a tree."""
        super().__init__()
        self.config, self.words, self.noise = config, words, noise
        self.centre = config.window // 2  # words of context on each side
        self.add_layers(clusters)

    def add_layers(self, clusters: Any) -> None:
        """Make its layers and further tables."""
        raise NotImplementedError

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


class Ranking(Objective):
    """The window network f of section 4.2, trained to score text above corrupted text.

    eq. 17: max(0, 1 - f(x) + f(x')), where x' is the window x with a random word at its centre; or
    log(1 + exp(f(x') - f(x))) (LeCun et al. 2006, "A tutorial on energy-based learning").
    """

    def add_layers(self, clusters: Any) -> None:
        config = self.config
        self.tables = {"words": self.words}
        self.first = WindowLayer(self.words.weight.shape[1], config.window, config.hidden)
        self.last = nn.Parameter(uniform(config.hidden, fan_in=config.hidden))

    def loss(self, rows: Tensor) -> Tensor:
        """The mean criterion over the windows of `rows` and their corrupted centres."""
        c = self.centre
        vectors = self.words.take(rows)
        first = self.first(vectors)
        noise = self.noise.draw(*first.shape[:2], self.config.negatives)
        # Only the centre differs, so the rest of the first layer's sum is shared.
        change = self.words.take(noise) - vectors[:, c:-c, None]
        corrupted = first[:, :, None] + change @ self.first.weight[:, :, c].T
        right = functional.hardtanh(first) @ self.last
        wrong = functional.hardtanh(corrupted) @ self.last
        difference = wrong - right[:, :, None]
        log = self.config.loss == "log"
        losses = functional.softplus(difference) if log else (1 + difference).clamp(min=0)
        return mean_where(losses.mean(2), rows[:, c:-c] != PADDING)

    def scores(self, windows: Tensor, words: Tensor) -> Tensor:
        """f of each window (n, window) with each of `words` (m,) as its centre: (n, m)."""
        c = self.centre
        vectors = self.words.weight[windows]
        vectors[:, c] = 0
        context = self.first(vectors)[:, 0]
        centres = self.words.weight[words] @ self.first.weight[:, :, c].T
        return functional.hardtanh(context[:, None] + centres) @ self.last


class LanguageModel(Objective):
    """An objective whose scores are log-odds of the word, so that it has a perplexity."""

    softmax: SoftmaxLayer

    def add_softmax(self, size: int, clusters: Any) -> None:
        """Add the output layer above a last layer of `size` numbers."""
        make, sample = OUTPUTS[self.config.softmax], self.config.sample
        self.softmax = make(self.noise, size, sample, clusters)
        self.tables = {"words": self.words} | self.softmax.tables

    def states(self, rows: Tensor, places: Tensor, n: int) -> Tensor:
        """The states of a streaming model that predict the words at rising places of `rows`."""
        raise NotImplementedError


class Likelihood(LanguageModel):
    """A feed-forward language model: the word at the centre given the words around.

    The context's vectors go through one hidden layer with tanh; the output layer has a row of
    `hidden` numbers and a bias for each word (Bengio et al. 2003). With `ahead` it sees only the
    words before. In training the output layer approximates the softmax.
    """

    units = "hidden"  # the setting of their number

    def add_layers(self, clusters: Any) -> None:
        units = getattr(self.config, self.units)
        self.add_softmax(units, clusters)
        self.first = WindowLayer(self.words.weight.shape[1], self.config.window, units)
        seen = torch.ones(self.config.window)
        seen[self.centre :] = 0 if self.config.ahead else 1
        seen[self.centre] = 0
        self.register_buffer("seen", seen)

    def unit(self, sums: Tensor) -> Tensor:
        """The activation of a hidden unit."""
        return torch.tanh(sums)

    def hidden(self, vectors: Tensor) -> Tensor:
        """(n, length + window - 1, size) to (n, length, hidden + 1); the last is the bias' 1."""
        hidden = self.unit(self.first(vectors, self.seen))
        return functional.pad(hidden, (0, 1), value=1.0)

    def loss(self, rows: Tensor) -> Tensor:
        centres = self.centres(rows).reshape(-1)
        return self.softmax.loss(self.hidden(self.words.take(rows)).flatten(0, 1), centres)

    def scores(self, windows: Tensor, words: Tensor) -> Tensor:
        """Score of each of `words` (m,) in each window (n, window): (n, m), before the softmax."""
        return self.softmax.scores(self.hidden(self.words.weight[windows])[:, 0], words)


class Bilinear(Likelihood):
    """The log-bilinear model: sum_i C_i r(w_i) predicts the vector of the word.

    r are the vectors of the words around, C_i a matrix for each place (Mnih and Hinton 2007); the
    word's score is the product with another vector of it, plus its bias (Mnih and Teh 2012).
    """

    units = "dimension"

    def unit(self, sums: Tensor) -> Tensor:
        return sums


class NegativeSampling(Objective):
    """An objective whose words have other vectors on the output side, and random words as noise."""

    length = 32  # each is multiplied with the whole block
    of_places = False  # whether a word has another vector on the output side for each place

    def add_layers(self, clusters: Any) -> None:
        n, size = self.words.weight.shape
        n *= self.config.window - 1 if self.of_places else 1
        self.negatives = self.config.negatives
        self.output = LookupTable(self.words.weight.detach().new_zeros(n, size))
        self.tables = {"words": self.words, "output": self.output}


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


class Positional(SkipGram):
    """Skip-gram that distinguishes places: a word at each place has another vector (the:+2).

    The structured skip-gram of Ling et al. 2015, as contexts with their offset (Levy and Goldberg
    2014). Negatives are random words at the same place.
    """

    of_places = True

    def placed(self, rows: Tensor) -> Tensor:
        """Rows of the output table for words at each place (..., window - 1) around a centre."""
        n = 2 * self.centre
        return rows * n + torch.arange(n, device=rows.device)

    def loss(self, rows: Tensor) -> Tensor:
        """The mean criterion per word: its neighbours, and `negatives` random words for each."""
        c, size = self.centre, self.words.weight.shape[1]
        n, length = len(rows), rows.shape[1] - 2 * c
        centres = self.centres(rows)
        noise = self.noise.draw(n, length)
        vectors = self.words.take(centres)
        pairs = around(neighbours(rows, c), c)  # (n, length, 2c)
        near = self.output.take(self.placed(around(rows, c)))
        far = self.output.take(self.placed(noise[:, :, None].expand(-1, -1, 2 * c)))
        right = (near @ vectors[..., None])[..., 0]
        wrong = torch.bmm(vectors, far.reshape(n, -1, size).transpose(1, 2))
        wrong = functional.softplus(wrong).view(n, length, length, 2 * c).mean(2)
        total = ((functional.softplus(-right) + self.negatives * wrong) * pairs).sum()
        return total / (centres != PADDING).sum().clamp(min=1)

    def scores(self, windows: Tensor, words: Tensor) -> Tensor:
        """Sum over the places of the score of the word there with each of `words`: (n, m)."""
        near = torch.cat([windows[:, : self.centre], windows[:, self.centre + 1 :]], 1)
        vectors = self.output.weight[self.placed(near)]
        vectors[near == PADDING] = 0
        return vectors.sum(1) @ self.words.weight[words].T


class Cbow(NegativeSampling):
    """The continuous bag of words (Mikolov et al. 2013): the mean of a word's neighbours predicts
    it, against `negatives` random words; a block shares these.
    """

    def loss(self, rows: Tensor) -> Tensor:
        """The mean criterion per word that has neighbours."""
        centres = self.centres(rows)
        noise = self.noise.draw(*centres.shape)
        pairs = neighbours(rows, self.centre).to(self.words.weight.dtype)
        n_words = pairs.sum(2, keepdim=True)
        mean = torch.bmm(pairs, self.words.take(rows)) / n_words.clamp(min=1)
        right = (mean * self.output.take(centres)).sum(2)
        wrong = torch.bmm(mean, self.output.take(noise).transpose(1, 2))
        against = self.negatives * functional.softplus(wrong).mean(2)
        return mean_where(functional.softplus(-right) + against, n_words[:, :, 0] > 0)

    def scores(self, windows: Tensor, words: Tensor) -> Tensor:
        """The product of each of `words` (m,) with the mean of the words around: (n, m)."""
        seen = (windows != PADDING).to(self.words.weight.dtype)
        seen[:, self.centre] = 0
        total = (self.words.weight[windows] * seen[:, :, None]).sum(1)
        mean = total / seen.sum(1, keepdim=True).clamp(min=1)
        return mean @ self.output.weight[words].T


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


def around(values: Tensor, c: int) -> Tensor:
    """The words at the 2c places around each centre, (n, length, 2c).

    Of rows (n, length + 2c), or of what each centre has for them, (n, length, length + 2c).
    """
    length = values.shape[-1] - 2 * c
    offsets = torch.tensor([i for i in range(2 * c + 1) if i != c], device=values.device)
    places = torch.arange(length, device=values.device)[:, None] + offsets
    if values.dim() == 2:
        return values[:, places]
    return values.gather(2, places.expand(len(values), -1, -1))


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
