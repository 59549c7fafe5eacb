"""The features of words that the original's networks look at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from senna.classic.input import bytes_of, text_of
from senna.lab.original.folder import Folder, Ints
from senna.lab.original.models import NAMES
from senna.lab.original.tokens import lowered, normalised
from senna.lazy import cached_property

_CAPS = ("allcaps", "hascap", "initcap", "nocaps")
_UPPER = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_LOWER = frozenset("abcdefghijklmnopqrstuvwxyz")


class Features:
    """Numbers of words in the lists of a data folder; each list is loaded when it is needed."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._words = folder.keys("words", "UNKNOWN")

    def words(self, forms: Iterable[str]) -> Ints:
        """Numbers of words, (n_words,)."""
        get, unknown = self._words.get, self._words["UNKNOWN"]
        return np.array([get(lowered(normalised(form)), unknown) for form in forms], np.int64)

    def caps(self, forms: Iterable[str]) -> Ints:
        """Numbers of how words are capitalised, (n_words,)."""
        keys = self._folder.keys("caps", *_CAPS)
        return np.array([keys[_caps(normalised(form))] for form in forms], np.int64)

    def suffixes(self, forms: Iterable[str]) -> Ints:
        """Numbers of the last two bytes of words, (n_words,)."""
        keys = self._folder.keys("suffix", "NOSUFFIX")
        ends = (text_of(bytes_of(normalised(form))[-2:].lower()) for form in forms)
        return np.array([keys.get(end, keys["NOSUFFIX"]) for end in ends], np.int64)

    def names(self, sentences: Sequence[Sequence[str]]) -> list[Ints]:
        """For each list of names whether words are in one of its phrases, (n_words,)."""
        keys = self._folder.keys("gazetteer", "NO", "YES")
        marks = np.array([keys["NO"], keys["YES"]])
        return [
            marks[
                np.array([inside for forms in sentences for inside in _inside(forms, phrases)], int)
            ]
            for phrases in self._phrases
        ]

    @cached_property
    def _phrases(self) -> list[dict[str, bool]]:
        return [self._folder.phrases(name) for name in NAMES]


def _caps(form: str) -> str:
    has_upper = not _UPPER.isdisjoint(form)
    if has_upper and _LOWER.isdisjoint(form):
        return "allcaps"
    if form[0] in _UPPER:
        return "initcap"
    return "hascap" if has_upper else "nocaps"


def _inside(forms: Sequence[str], phrases: dict[str, bool]) -> list[bool]:
    """Whether each word is in a phrase; phrases may overlap."""
    marks = [False] * len(forms)
    small = [lowered(form) for form in forms]
    for start in range(len(small)):
        for end in range(start + 1, len(small) + 1):
            whole = phrases.get(" ".join(small[start:end]))
            if whole is None:
                break
            if whole:
                marks[start:end] = [True] * (end - start)
    return marks
