"""How well a network predicts the words of text held out from training."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from senna.pretraining.objectives import LanguageModel, Objective
from senna.text.vocabulary import PADDING, RARE

N_WINDOWS = 2000  # that a rank is the mean of
N_WORDS = 1000  # that a true word is ranked among
N_LIKELY = 50_000  # words that the last perplexity is measured on
SLICE = 128  # windows at a time
STREAM = 20_000  # tokens that a recurrent model reads with its state carried on


@dataclass(frozen=True)
class HeldOut:
    """Held-out text as rows of a dictionary, and the sampled positions in it."""

    rows: NDArray[np.int32]  # (n_tokens,)
    places: NDArray[np.int64]  # of known words, in random order
    likely: NDArray[np.int64]  # of any words, in random order
    words: NDArray[np.int64]  # (at most N_WORDS,) rows that true words are ranked among

    @classmethod
    def choose(cls, rows: NDArray[np.int32], size: int) -> HeldOut:
        """Places and words at random, but always the same for the same text and dictionary."""
        random = np.random.default_rng(0)
        known = random.permutation(np.flatnonzero(rows > RARE))[:N_WINDOWS]
        likely = random.permutation(np.flatnonzero(rows != PADDING))[:N_LIKELY]
        words = np.arange(RARE + 1, size)
        return cls(rows, known, np.sort(likely), random.permutation(words)[:N_WORDS])

    def windows(self, places: NDArray[np.int64], width: int, device: torch.device) -> Tensor:
        """The windows (n, width) around places."""
        padded = np.pad(self.rows, width // 2, constant_values=PADDING)
        wide = np.lib.stride_tricks.sliding_window_view(padded, width)
        return torch.from_numpy(wide[places].astype(np.int64)).to(device)


@torch.no_grad()
def ranks(model: Objective, held: HeldOut, width: int, device: torch.device) -> tuple[float, float]:
    """Mean rank of the true centre word among a fixed sample of words, and mean of its logarithm.

    1 is best; chance is about half of the sample.
    """
    words = torch.from_numpy(held.words).to(device)
    places = []
    for windows in torch.split(held.windows(held.places, width, device), SLICE):
        true = windows[:, width // 2]
        scores = model.scores(windows, torch.cat([words, true]))
        true_scores = scores[:, len(words) :].diagonal()[:, None]
        others = torch.where(words != true[:, None], scores[:, : len(words)], -torch.inf)
        # Ties share their rank: a network with constant scores must not be the best.
        places.append(1 + (~(others <= true_scores)).sum(1) + (others == true_scores).sum(1) / 2)
    place = torch.cat(places).double()
    return place.mean().item(), place.log().mean().item()


def perplexity(
    model: LanguageModel, held: HeldOut, n: int, width: int, device: torch.device
) -> float:
    """Perplexity of the true centre word under the full softmax, on `n` words at most.

    A recurrent model has read the text before; on fewer than all words, no more than a window.
    """
    places = held.likely[:: max(len(held.likely) // n, 1)][:n]
    running = len(places) == len(held.likely)
    logs = log_probabilities(model, held, places, width, device, running)
    return math.exp(min(-logs.double().mean().item(), 700.0))  # larger is no float


@torch.no_grad()
def log_probabilities(
    model: LanguageModel,
    held: HeldOut,
    places: NDArray[np.int64],
    width: int,
    device: torch.device,
    running: bool = True,
) -> Tensor:
    """The natural logarithm of the probability of the words at rising places, (n_places,).

    A recurrent model reads the `running` text in streams of about STREAM tokens, else windows.
    """
    words = torch.arange(RARE, len(model.words.weight), device=device)
    true = torch.from_numpy(held.rows[places].astype(np.int64) - RARE).to(device)
    running = running and model.streaming
    if running:
        streams = 1 + len(held.rows) // STREAM
        rows = torch.from_numpy(held.rows.astype(np.int64)).to(device)
        contexts = model.states(rows, torch.from_numpy(places).to(device), streams)
    else:
        contexts = held.windows(places, width, device)
    logs = []
    for some, centres in zip(torch.split(contexts, SLICE), torch.split(true, SLICE), strict=True):
        scores = (model.softmax.scores if running else model.scores)(some, words)
        logs.append(scores.gather(1, centres[:, None])[:, 0] - torch.logsumexp(scores, 1))
    return torch.cat(logs)
