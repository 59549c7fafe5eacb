"""The sentences of a prepared text, in batches for encoders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from senna.errors import SennaError
from senna.inference.features.forms import FormFeatures
from senna.inference.features.settings import CapsFeature
from senna.pretraining.corpus import Text
from senna.text.capitals import MARKS, as_read, in_headlines, in_titles, without_capitals
from senna.text.vocabulary import PADDING, PADDING_FORM, RARE, caps

SHORTEST, LONGEST = 4, 70  # words of a sentence to learn from
BUCKET = 4000  # sentences that are sorted by length, so that a batch needs little padding
UNTOLD = -100  # capitals that are no target

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class SentenceBatch:
    """Padded sentences: what is read of them, and what is predicted."""

    forms: dict[str, Tensor]  # features of the distinct forms, by table; row 0 is padding
    tokens: Tensor  # (n_sentences, n_steps) rows of forms
    lengths: Tensor  # (n_sentences,)
    words: Tensor  # (n_sentences, n_steps) targets; PADDING where there is none
    capitals: Tensor  # (n_sentences, n_steps) values of `caps`; UNTOLD where they are no target

    def to(self, device: torch.device) -> SentenceBatch:
        """The same in the memory of a device."""
        forms = {name: rows.to(device) for name, rows in self.forms.items()}
        others = (self.tokens, self.lengths, self.words, self.capitals)
        return SentenceBatch(forms, *(numbers.to(device) for numbers in others))


class Sentences:
    """The sentences of SHORTEST to LONGEST words; a sample of them is held out."""

    def __init__(self, text: Text, words: int, held_out: int) -> None:
        """`words`: so many running words are trained on, the first ones; 0: all."""
        self.ids = text.ids
        bounds = np.flatnonzero(self.ids == 0)
        lengths = np.diff(bounds) - 1
        kept = (lengths >= SHORTEST) & (lengths <= LONGEST)
        self.starts, self.lengths = bounds[:-1][kept] + 1, lengths[kept]
        n = len(self.lengths)
        if held_out > n // 2:
            what = f"{n:,} sentences are too few to hold {held_out:,} out"
            raise SennaError(what, where="held_out", remedy="Give more text.")
        self.held: Rows = np.arange(held_out) * (n // held_out)
        self.train: Rows = np.setdiff1d(np.arange(n), self.held)
        if words:
            last = int(np.searchsorted(np.cumsum(self.lengths[self.train]), words))
            self.train = self.train[: last + 1]
        self.n_words = int(self.lengths[self.train].sum())

    def batches(self, seed: Sequence[int], size: int) -> Iterator[Rows]:
        """One pass over the training sentences, shuffled: about `size` words each."""
        random = np.random.default_rng(list(seed))
        order = self.train[random.permutation(len(self.train))]
        for start in range(0, len(order), BUCKET):
            batches = list(self.by_length(order[start : start + BUCKET], size))
            for i in random.permutation(len(batches)):
                yield batches[i]

    def by_length(self, rows: Rows, size: int) -> Iterator[Rows]:
        """Batches of sentences of about one length: about `size` words each, padding included."""
        rows = rows[np.argsort(self.lengths[rows], kind="stable")]
        first = 0
        for last, row in enumerate(rows.tolist()):
            if last > first and (last + 1 - first) * self.lengths[row] > size:
                yield rows[first:last]
                first = last
        if first < len(rows):
            yield rows[first:]


@dataclass(frozen=True)
class Targets:
    """The words that are predicted: the most frequent ones that have a vector."""

    rows: Rows  # (n_targets + 1,) of the word table; that of PADDING first
    counts: Rows  # (n_targets + 1,) how often each occurs; PADDING never does
    of_words: Rows  # (n_words + 1,) the target of each word id of the text, or PADDING

    @classmethod
    def choose(cls, text: Text, features: FormFeatures, n: int) -> Targets:
        """At most n of the words of a text; SennaError where it has none with a vector."""
        words = np.array([PADDING, *features.rows_of(text.words)], np.int64)
        counts = np.zeros(len(features.words), np.int64)
        np.add.at(counts, words[1:], text.counts)
        counts[: RARE + 1] = 0
        most = np.argsort(-counts, kind="stable")[:n]
        most = most[counts[most] > 0]
        if not len(most):
            raise SennaError("no word of the text has a vector", where="features.word.embeddings")
        targets = np.full(len(counts), PADDING)
        targets[most] = np.arange(1, len(most) + 1)
        rows = np.concatenate([[PADDING], most])
        return cls(rows, counts[rows], targets[words])


@dataclass(frozen=True)
class Reader:
    """Sentences as they are read in training and in validation."""

    text: Text
    sentences: Sentences
    features: FormFeatures
    targets: Targets
    caps: CapsFeature
    capitals: Rows = field(init=False)  # (n_words + 1,) the capitals of each word id of the text

    def __post_init__(self) -> None:
        capitals = np.array([UNTOLD, *map(caps, self.text.words)], np.int64)
        object.__setattr__(self, "capitals", capitals)

    def batch(self, rows: Rows, random: np.random.Generator | None = None) -> SentenceBatch:
        """Some sentences; `random` draws those that are read in another case."""
        draws = random.random(len(rows)) if random is not None else np.ones(len(rows))
        lengths = self.sentences.lengths[rows]
        shape = len(rows), int(lengths.max())
        known: dict[str, int] = {PADDING_FORM: 0}
        tokens, words = np.zeros(shape, np.int64), np.full(shape, PADDING, np.int64)
        capitals = np.full(shape, UNTOLD, np.int64)
        for i, (row, n) in enumerate(zip(rows.tolist(), lengths.tolist(), strict=True)):
            start = self.sentences.starts[row]
            ids = self.sentences.ids[start : start + n].astype(np.int64)
            forms = self.read([self.text.words[k - 1] for k in ids.tolist()], float(draws[i]))
            tokens[i, :n] = [known.setdefault(form, len(known)) for form in forms]
            words[i, :n] = self.targets.of_words[ids]
            if not forms[0].startswith(MARKS):
                capitals[i, :n] = self.capitals[ids]
        features = self.features.ids(list(known)).items()
        return SentenceBatch(
            {name: _tensor(values) for name, values in features},
            *map(_tensor, (tokens, lengths, words, capitals)),
        )

    def read(self, forms: Sequence[str], draw: float) -> Sequence[str]:
        """The forms as tagging reads them, or where `draw` (0 to 1) says so in another case."""
        if not self.features.marks:
            return forms
        if draw < self.caps.caseless:
            return without_capitals(forms)
        if draw < self.caps.caseless + self.caps.titled / 2:
            return as_read(in_titles(forms))
        if draw < self.caps.caseless + self.caps.titled:
            return as_read(in_headlines(forms))
        return as_read(forms)


def _tensor(values: NDArray[np.integer]) -> Tensor:
    return torch.from_numpy(values.astype(np.int64))
