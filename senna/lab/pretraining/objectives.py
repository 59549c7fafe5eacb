"""More objectives of word vectors: ranking (eq. 17), and kin of likelihood and skip-gram."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from senna.lab.pretraining.recurrent import Recurrent
from senna.pretraining.lookup_table import LookupTable, Noise
from senna.pretraining.objectives import (
    Likelihood,
    Make,
    NegativeSampling,
    Objective,
    SkipGram,
    WindowLayer,
    mean_where,
    neighbours,
    softmax_of,
    uniform,
)
from senna.text.vocabulary import PADDING


class Ranking(Objective):
    """The window network f of section 4.2, trained to score text above corrupted text.

    eq. 17: max(0, 1 - f(x) + f(x')), where x' is the window x with a random word at its centre; or
    log(1 + exp(f(x') - f(x))) (LeCun et al. 2006, "A tutorial on energy-based learning").
    """

    def __init__(
        self,
        words: LookupTable,
        noise: Noise,
        window: int,
        hidden: int,
        negatives: int = 1,
        loss: str = "hinge",
    ) -> None:
        super().__init__()
        self.words, self.noise, self.negatives = words, noise, negatives
        self.log = loss == "log"
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
        difference = wrong - right[:, :, None]
        losses = functional.softplus(difference) if self.log else (1 + difference).clamp(min=0)
        return mean_where(losses.mean(2), rows[:, c:-c] != PADDING)

    def scores(self, windows: Tensor, words: Tensor) -> Tensor:
        """f of each window (n, window) with each of `words` (m,) as its centre: (n, m)."""
        c = self.centre
        vectors = self.words.weight[windows]
        vectors[:, c] = 0
        context = self.first(vectors)[:, 0]
        centres = self.words.weight[words] @ self.first.weight[:, :, c].T
        return functional.hardtanh(context[:, None] + centres) @ self.last


class Bilinear(Likelihood):
    """The log-bilinear model: sum_i C_i r(w_i) predicts the vector of the word.

    r are the vectors of the words around, C_i a matrix for each place (Mnih and Hinton 2007); the
    word's score is the product with another vector of it, plus its bias (Mnih and Teh 2012).
    """

    def unit(self, sums: Tensor) -> Tensor:
        return sums


class Positional(SkipGram):
    """Skip-gram that distinguishes places: a word at each place has another vector (the:+2).

    The structured skip-gram of Ling et al. 2015, as contexts with their offset (Levy and Goldberg
    2014). Negatives are random words at the same place.
    """

    def __init__(self, words: LookupTable, noise: Noise, window: int, negatives: int) -> None:
        super().__init__(words, noise, window, negatives, vectors=window - 1)

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


OBJECTIVES: dict[str, Make] = {
    "ranking": lambda config, words, noise, _: Ranking(
        words, noise, config.window, config.hidden, config.negatives, config.loss
    ),
    "bilinear": lambda config, words, noise, clusters: Bilinear(
        words,
        softmax_of(config, noise, config.dimension, clusters),
        config.window,
        config.dimension,
        config.ahead,
    ),
    "recurrent": lambda config, words, noise, clusters: Recurrent(
        words,
        softmax_of(config, noise, config.projection or config.hidden, clusters),
        config.hidden,
        config.projection,
        config.steps,
        config.ahead,
    ),
    "positional": lambda config, words, noise, _: Positional(
        words, noise, config.window, config.negatives
    ),
    "cbow": lambda config, words, noise, _: Cbow(words, noise, config.window, config.negatives),
}
