"""The n-grams of letters of a form (Bojanowski et al. 2017)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self
from zlib import crc32

import numpy as np

from senna.inference.features.forms import FormTable, Lines, Saved, Spellings, letters_of
from senna.model.schema import NgramFeature
from senna.text.vocabulary import Ids


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
        return [cls("ngrams", n_rows, 0, settings.least, settings.most)]

    @classmethod
    def load(cls, name: str, lines: Lines, saved: Saved) -> Self:
        settings = saved["ngrams"]
        return cls(name, settings["buckets"] + 1, 0, settings["least"], settings["most"])


def ngrams(word: str, least: int, most: int) -> list[str]:
    """The runs of `least` to `most` letters of a word between signs for its ends; none of "".

    >>> ngrams("tea", 3, 4)
    ['<te', 'tea', 'ea>', '<tea', 'tea>']
    """
    text = f"<{word}>" if word else ""
    return [text[i : i + n] for n in range(least, most + 1) for i in range(len(text) - n + 1)]


def row_of(ngram: str, n_rows: int) -> int:
    """The row, from 1 to `n_rows`, of an n-gram: the CRC-32 of its UTF-8 decides."""
    return 1 + crc32(ngram.encode("utf-8", "surrogatepass")) % n_rows


TABLES = {"ngrams": Ngrams}
