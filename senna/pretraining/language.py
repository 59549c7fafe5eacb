"""Scores of a text by a language model of `senna pretrain`: see `LanguageRun`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from senna.errors import SennaError
from senna.lab.form_features import read_clusters
from senna.lazy import cached_property
from senna.pretraining.config import LIKELIHOODS, Job, Pretraining
from senna.pretraining.corpus import number_words, read_dictionary, read_pieces, read_text, remap
from senna.pretraining.network import make_model, start_from
from senna.pretraining.ngrams import NGrams
from senna.pretraining.objectives import LanguageModel
from senna.pretraining.recurrent import Recurrent
from senna.pretraining.run import read_job
from senna.pretraining.softmaxes import ClusterPaths
from senna.pretraining.validation import HeldOut, log_probabilities
from senna.text.vocabulary import PADDING, RARE
from senna.training.loop import load_checkpoint

CPU = torch.device("cpu")

Rows = NDArray[np.int32]


@dataclass(frozen=True)
class TextScores:
    """Scores of some running words by a model."""

    rows: Rows  # (n_tokens,) of the dictionary: PADDING between sentences
    logs: NDArray[np.float64]  # (n_words,) natural logarithm of the probability of each word

    @property
    def perplexity(self) -> float:
        """exp of minus the mean logarithm; words that are not known count as one word."""
        return math.exp(min(-self.logs.mean(), 700.0))  # larger is no float

    @property
    def unknown(self) -> float:
        """The share of words that are not in the dictionary."""
        return float((self.rows == RARE).sum() / len(self.logs))


class LanguageRun:
    """A run of `senna pretrain` whose objective gives each word a probability."""

    def __init__(self, config: Pretraining, job: Job, words: list[str], model: LanguageModel):
        self.config, self.job, self.words, self.model = config, job, words, model
        self.rows = {word: row for row, word in enumerate(words, RARE + 1)}
        self.model.begin()

    @classmethod
    def load(cls, run: Path) -> LanguageRun:
        """SennaError for what is no such run, and for objectives without probabilities."""
        if not (run / "run.json").exists():
            remedy = "Name the folder that was its --out."
            raise SennaError("not a run of `senna pretrain`", where=str(run), remedy=remedy)
        config, job = read_job(run, "cpu", 1)
        if not isinstance(config, Pretraining) or config.objective not in LIKELIHOODS:
            what = f"{config.objective} gives words no probabilities"
            remedy = f"Learn one with --objective {', '.join(LIKELIHOODS)}."
            raise SennaError(what, where=str(run), remedy=remedy)
        if not (run / "checkpoint.pt").exists():
            remedy = "Repeat its `senna pretrain` command."
            raise SennaError("has learnt nothing yet", where=str(run), remedy=remedy)
        with load_checkpoint(run / "checkpoint.pt", "Train it again, in another folder.") as saved:
            weights = (saved["network"] or saved)["weights"]
        words = read_dictionary(run / "words.txt")
        n = len(weights["table.words"])
        if n != len(words) + RARE + 1:
            what = f"{len(words):,} words in words.txt, {n - RARE - 1:,} in the model"
            raise SennaError(what, where=str(run), remedy="Finish it with senna pretrain --resume.")
        clusters = None
        if config.clusters:
            clusters = ClusterPaths.of(read_clusters(config.clusters), words)
        model = make_model(config, np.ones(n, np.int64), clusters, CPU)
        assert isinstance(model, LanguageModel)
        start_from(model, weights)
        return cls(config, job, words, model)

    @property
    def ahead(self) -> bool:
        """Whether it predicts a word from those before it alone."""
        return self.config.ahead or isinstance(self.model, Recurrent)

    # ------------------------------------------------------------------------- a text

    def read(self, sources: Sequence[Path], kind: str) -> Rows:
        """Texts as rows of the dictionary.

        kind: as in `senna pretrain`. SennaError for texts without words.
        """
        rows = list[int]()
        for piece in read_pieces(sources, kind):
            ids, words = number_words(piece, kind, self.job.case)
            table = [PADDING, *(self.rows.get(word, RARE) for word in words)]
            for i in ids.tolist():
                if i or rows[-1:] not in ([], [PADDING]):  # no boundary after an empty sentence
                    rows.append(table[i])
        if not any(rows):
            raise SennaError(
                "no words in it", where=str(sources[0]), remedy="Is it the right file?"
            )
        return np.array(rows, np.int32)

    @cached_property
    def own_text(self) -> tuple[Rows, Rows]:
        """The run's own text as rows of the dictionary: what it trained on, what it held out."""
        text = read_text(self.job.text or self.job.out / "text")
        n_train, n_held = self.config.parts(text.n_tokens, text.n_words)
        table, _ = remap(text, self.words)
        return table[text.ids[:n_train]], table[text.ids[text.n_tokens - n_held :]]

    def score(self, rows: Rows) -> TextScores:
        """The probability of each word of a text, rows (n_tokens,), given the others."""
        places = np.flatnonzero(rows != PADDING)
        held = HeldOut(rows, places, places, places)
        logs = log_probabilities(self.model, held, places, self.model.width, CPU)
        return TextScores(rows, logs.double().numpy())

    def score_by_ngrams(self, rows: Rows, order: int) -> TextScores:
        """The same by Kneser-Ney n-grams of the words that this run was trained on."""
        ngrams = NGrams.count(self.own_text[0], len(self.words) + RARE + 1, order)
        return TextScores(rows, ngrams.log_probabilities(rows))

    # ------------------------------------------------------------------------- samples

    @torch.no_grad()
    def sample(
        self, length: int, start: Sequence[str], seed: int, temperature: float
    ) -> Iterator[str]:
        """`length` words, each drawn after those before it; `start` are words before the first.

        No word that is not in the dictionary is drawn. SennaError for a model that looks ahead.
        """
        if not self.ahead:
            remedy = "Train with --set ahead=true, or --objective recurrent."
            what = "predicts a word from those on both sides, so it cannot go on from left to right"
            raise SennaError(what, where=str(self.job.out), remedy=remedy)
        before = [PADDING, *(self.rows.get(word, RARE) for word in start)]
        random = torch.Generator().manual_seed(seed)
        words = torch.arange(RARE + 1, len(self.words) + RARE + 1)
        states = _Left(self.model)
        for _ in range(length):
            scores = states.after(before, words) / temperature
            chosen = int(torch.multinomial(torch.softmax(scores, 0), 1, generator=random))
            before.append(int(words[chosen]))
            yield self.words[chosen]


class _Left:
    def __init__(self, model: LanguageModel) -> None:
        self.model, self.done = model, 0
        self.state: tuple[Tensor, Tensor] | None = None

    def after(self, before: Sequence[int], words: Tensor) -> Tensor:
        """The scores of words (m,) after all rows `before`, of which there are more each time."""
        model = self.model
        if isinstance(model, Recurrent):
            rows = torch.tensor([before[self.done :]])
            self.done = len(before)
            hidden, self.state = model.read(0, model.words.weight[rows], self.state)
            return model.softmax.scores(hidden[:, -1], words)[0]
        rows = torch.tensor([before[-model.centre :]])
        window = functional.pad(rows, (model.centre - rows.shape[1], model.centre + 1))
        return model.scores(window, words)[0]
