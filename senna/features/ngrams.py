"""The n-grams of letters of a form (Bojanowski et al. 2017)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from senna.features.forms import FormTable, Lines, Saved, Spellings, letters_of
from senna.text.features import Ids
from senna.text.subwords.ngrams import ngrams, row_of
from senna.toml import ROWS, number


@dataclass(frozen=True)
class NgramFeature:
    """Vectors of a word's letter n-grams, added to its own vector (Bojanowski et al. 2017)."""

    # rows that all n-grams share by hashing; 0: feature not used
    buckets: int = number(0, 0, ROWS, switch=True, needs="word.size or word.embeddings")
    least: int = number(3, 1, 100)  # letters of an n-gram; the word's ends count as letters
    most: int = number(6, 1, 100)


@dataclass(frozen=True)
class Ngrams(FormTable):
    """The n-grams of a word in lower case, (n_forms, n_ngrams), zeros after the last one.

    Its vectors, which are as long as those of words, are added up and to those of words.
    """

    KEY: ClassVar = "ngrams"
    LONGEST: ClassVar = 30  # letters; longer words lose some in their middle

    least: int = 3
    most: int = 6

    def rows(self, spelt: Spellings) -> Ids:
        words = [letters_of(s.lower, self.LONGEST) for s in spelt]
        rows = [
            [row_of(ngram, self.n_rows - 1) for ngram in ngrams(word, self.least, self.most)]
            for word in words
        ]
        table = np.zeros((len(rows), max(map(len, rows), default=0)), np.int32)
        for row, places in zip(table, rows, strict=True):
            row[: len(places)] = places
        return table

    @classmethod
    def learn(cls, settings: NgramFeature, forms: Counter[str]) -> Sequence[FormTable]:
        n_rows = settings.buckets + 1
        return [cls(cls.KEY, n_rows, 0, settings.least, settings.most)] if settings.buckets else []

    @classmethod
    def load(cls, name: str, lines: Lines, saved: Saved) -> Self:
        settings = saved["ngrams"]
        return cls(name, settings["buckets"] + 1, 0, settings["least"], settings["most"])


TABLES = {"ngrams": Ngrams}
