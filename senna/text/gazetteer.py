"""Phrase lists as features: which words lie in a known phrase of a type (section 6.2)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from senna.errors import SennaError
from senna.files import open_text

# Values of one type's feature; 0 is PADDING, as in every lookup table.
PADDING, NONE, BEGIN, INSIDE, END, SINGLE = range(6)
N_VALUES = 6


@dataclass(frozen=True)
class Gazetteer:
    """Phrases of several types, matched without regard to case, the longest first."""

    types: tuple[str, ...]
    phrases: dict[str, int]  # words joined by a space, lower case -> set of types, as bits
    position: bool = True  # tell begin, inside, end and single apart; else only on and off
    # Sorted phrases, and what follows a first word, found when the word first comes up: working
    # that out for all phrases would cost more than tagging some sentences.
    ordered: list[str] = field(init=False, repr=False, compare=False)
    following: dict[str, dict[str, int]] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "ordered", sorted(self.phrases))

    def _follow(self, word: str) -> dict[str, int]:
        """Second words of the phrases that begin with `word` -> most words of such a phrase."""
        first = bisect_left(self.ordered, word + " ")
        last = bisect_left(self.ordered, word + "!")  # "!" comes right after the space
        found: dict[str, int] = {}
        for phrase in self.ordered[first:last]:
            second = phrase.split(" ", 2)[1]
            found[second] = max(found.get(second, 2), phrase.count(" ") + 1)
        if len(self.following) > 50_000:
            self.following.clear()
        self.following[word] = found
        return found

    def mark(self, forms: Sequence[str]) -> NDArray[np.int32]:
        """The feature of each word for each type, (n_words, n_types).

        Within a type the leftmost longest phrases win and do not overlap.
        """
        marks = np.full((len(forms), len(self.types)), NONE, np.int32)
        words = [form.lower() for form in forms]
        free = [0] * len(self.types)  # first word that no phrase of the type covers yet
        for start, word in enumerate(words):
            following = self.following.get(word)
            if following is None:
                following = self._follow(word)
            if not following and word not in self.phrases:
                continue
            most = following.get(words[start + 1], 1) if start + 1 < len(words) else 1
            for n in range(min(most, len(words) - start), 0, -1):
                bits = self.phrases.get(word if n == 1 else " ".join(words[start : start + n]), 0)
                for kind in range(len(free)) if bits else ():
                    if bits >> kind & 1 and free[kind] <= start:
                        free[kind] = start + n
                        self._fill(marks[start : start + n, kind])
        return marks

    def _fill(self, marks: NDArray[np.int32]) -> None:
        if len(marks) == 1 or not self.position:
            marks[:] = SINGLE
        else:
            marks[:] = INSIDE
            marks[0], marks[-1] = BEGIN, END


def build_gazetteer(lists: Mapping[str, Iterable[str]], *, position: bool) -> Gazetteer:
    """Make a gazetteer of phrases a type; they are tokenised as text is."""
    from senna.text.tokenizer import tokenize

    phrases: dict[str, int] = {}
    types = tuple(lists)
    for bit, kind in enumerate(types):
        for phrase in lists[kind]:
            key = " ".join(token.text for token in tokenize(phrase)).lower()
            if key:
                phrases[key] = phrases.get(key, 0) | 1 << bit
    return Gazetteer(types, phrases, position)


def read_gazetteer(paths: Sequence[Path], *, position: bool) -> Gazetteer:
    """Read phrase lists, ``<type>.txt`` (also ``.gz``, ``.xz``), one phrase a line; or folders."""
    files: list[Path] = []
    for path in paths:
        files += sorted(path.glob("*.txt*")) if path.is_dir() else [path]
    lists: dict[str, list[str]] = {}
    for path in files:
        with open_text(path) as lines:
            phrases = lists.setdefault(path.name.partition(".")[0].upper(), [])
            phrases += [line.strip() for line in lines]
    if not lists:
        raise SennaError("no phrase lists (<type>.txt)", where=", ".join(map(str, paths)))
    return build_gazetteer(lists, position=position)
