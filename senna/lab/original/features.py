"""The original's tokens, and the features of words that its networks look at.

Of tokens numbers become 0, then the longest key of the dictionary decides.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np

from senna.extras.classic.lines import Word, byte_places, bytes_of, text_of
from senna.lab.original.folder import Folder, Ints
from senna.lazy import cached_property

_NUMBER = re.compile(r"[+-]?[.,]?[0-9]+(?:[.,][0-9]+)*")
_CHUNK = re.compile(r"[^ \t\n\v\f\r\0]+")
# Letters and digits; beyond ASCII the original dropped bytes, and broke words there.
_RUN = re.compile(r"(?:[^\W_]|[\u0300-\u036f\udc80-\udcff])+")


class Tokenizer:
    """Cuts lines by the keys of a dictionary, which are normalised and in lower case."""

    def __init__(self, dictionary: Collection[str]) -> None:
        self._dictionary = dictionary
        self._longest = max(map(len, dictionary))
        self._cuts = lru_cache(1 << 15)(self._cut)

    def __call__(self, line: bytes) -> tuple[list[Word], list[str]]:
        """The words of a line, and the characters that are in none."""
        raw = text_of(line)
        normal, places = _with_places(raw)
        at = byte_places(raw)
        words, skipped = [], []
        for chunk in _CHUNK.finditer(normal):
            for start, end in self._cuts(chunk[0]):
                if start == end:
                    skipped.append(chunk[0][start])
                    continue
                first, last = places[chunk.start() + start], places[chunk.start() + end]
                words.append(Word(raw[first:last], at[first], at[last]))
        return words, skipped

    def _cut(self, chunk: str) -> list[tuple[int, int]]:
        """Start and end of the words of a normalised chunk; of what no word takes, its start twice.

        A word is the longest key that starts there, or a longer run of letters and digits.
        """
        small = lowered(chunk)
        cuts, start = [], 0
        while start < len(chunk):
            run = _RUN.match(chunk, start)
            length = run.end() - start if run else 0
            for longer in range(min(self._longest, len(chunk) - start), length, -1):
                if small[start : start + longer] in self._dictionary:
                    length = longer
                    break
            if not (length or chunk[start].isascii()):
                length = 1
            cuts.append((start, start + length))
            start += max(length, 1)
        return cuts


def normalised(word: str) -> str:
    """A word with 0 for each number in it."""
    return _NUMBER.sub("0", word)


def lowered(text: str) -> str:
    """Text with its ASCII letters in lower case."""
    return text.lower() if text.isascii() else text_of(bytes_of(text).lower())


def _with_places(raw: str) -> tuple[str, list[int]]:
    """A line with 0 for each number; where each of its characters, and its end, stand in it."""
    edges = [0, *(edge for match in _NUMBER.finditer(raw) for edge in match.span()), len(raw)]
    parts: list[str] = []
    places: list[int] = []
    for i, (start, end) in enumerate(pairwise(edges)):
        parts.append("0" if i % 2 else raw[start:end])
        places += [start] if i % 2 else range(start, end)
    return "".join(parts), [*places, len(raw)]


NAMES = ("ner.loc", "ner.msc", "ner.org", "ner.per")  # lists of phrases, with marks beside them
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
