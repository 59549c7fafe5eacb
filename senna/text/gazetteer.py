"""Phrase lists as features: which words lie in a known phrase of a type (section 6.2)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from senna.annotation.schemes import Phrase
from senna.errors import SennaError
from senna.files import open_text

# Values of one type's feature; 0 is PADDING, as in every lookup table.
PADDING, OUTSIDE, BEGIN, INSIDE, END, SINGLE = range(6)
N_VALUES = 6
MOST_PLACES = 1 << 13  # words whose phrases are remembered


class Gazetteer:
    """Phrases of several types, matched without regard to case, the longest first.

    lines: the phrases, words joined by a space, in lower case, each with a tab and the set of its
    types, as bits. `position`: distinguish begin, inside, end and single; else only on and off.
    """

    def __init__(self, types: Sequence[str], lines: Iterable[str], position: bool = True) -> None:
        self.types, self.position = tuple(types), position
        self.lines = sorted(lines)  # and not taken apart: that costs more than some sentences
        self._places: dict[str, int] = {}  # of words that have been looked for: see `_place`

    def extended(self, lists: Mapping[str, Iterable[str]]) -> Gazetteer:
        """The same with more phrases of its types; those of other types are left out."""
        more: dict[str, int] = {}
        for bit, kind in enumerate(self.types):
            for phrase in lists.get(kind, ()):
                for key in keys_of(phrase):
                    more[key] = more.get(key, 0) | 1 << bit
        kept = []
        for line in self.lines:
            phrase, _, bits = line.rpartition("\t")
            if phrase in more:
                more[phrase] |= int(bits)
            else:
                kept.append(line)
        return Gazetteer(
            self.types, kept + [f"{key}\t{bits}" for key, bits in more.items()], self.position
        )

    def find(self, forms: Sequence[str]) -> list[Phrase]:
        """The leftmost longest phrases of all types; of several types of one the first counts."""
        phrases: list[Phrase] = []
        for start, n, bits in self._matches(forms):
            if not phrases or start >= phrases[-1].end:
                kind = self.types[(bits & -bits).bit_length() - 1]
                phrases.append(Phrase(start, start + n, kind))
        return phrases

    def mark(self, sentences: Sequence[Sequence[str]]) -> NDArray[np.int32]:
        """The feature of each word for each type, (n_words, n_types), sentences end to end.

        Within a type the leftmost longest phrases win and do not overlap.
        """
        marks = np.full((sum(map(len, sentences)), len(self.types)), OUTSIDE, np.int32)
        begin = 0
        for forms in sentences:
            free = [begin] * len(self.types)  # first word that no phrase of the type covers yet
            for start, n, bits in self._matches(forms):
                first, end = begin + start, begin + start + n
                for kind in range(len(free)):
                    if bits >> kind & 1 and free[kind] <= first:
                        free[kind] = end
                        phrase = [BEGIN, *[INSIDE] * (n - 2), END] if n > 1 else SINGLE
                        marks[first:end, kind] = phrase if self.position else SINGLE
            begin += len(forms)
        return marks

    def _matches(self, forms: Sequence[str]) -> Iterator[tuple[int, int, int]]:
        """First word, length and types (as bits) of the phrases at each word, the longest first."""
        words, lines = [form.lower() for form in forms], self.lines
        for start, phrase in enumerate(words):
            if (at := self._place(phrase)) < 0:
                continue
            found: list[tuple[int, int, int]] = []
            for end in range(start + 1, len(words) + 1):
                # Behind the line of the phrase, before those of longer ones: a tab, a line end and
                # a space are in this order.
                at = bisect_left(lines, phrase + "\n", at)
                if at and lines[at - 1].startswith(phrase + "\t"):
                    found.append((start, end - start, int(lines[at - 1][len(phrase) + 1 :])))
                if at == len(lines) or not lines[at].startswith(phrase) or end == len(words):
                    break
                phrase += " " + words[end]
            yield from reversed(found)

    def _place(self, word: str) -> int:
        """Where the lines of phrases that begin with a word begin; -1 where there are none."""
        place = self._places.get(word)
        if place is None:
            if len(self._places) >= MOST_PLACES:
                self._places = {}
            place = bisect_left(self.lines, word + "\t")
            line = next(iter(self.lines[place : place + 1]), "")
            place = place if line.startswith((word + "\t", word + " ")) else -1
            self._places[word] = place
        return place


def keys_of(phrase: str) -> set[str]:
    """The keys of a phrase in a gazetteer: its words under each way of splitting text."""
    from senna.text import CONVENTIONS
    from senna.text.tokenizer import tokenize

    words = [[token.text for token in tokenize(phrase, name)] for name in CONVENTIONS]
    return {" ".join(split).lower() for split in (phrase.split(), *words) if split}


def build_gazetteer(lists: Mapping[str, Iterable[str]], *, position: bool) -> Gazetteer:
    """Make a gazetteer of the phrases of each type; they are tokenised as text is."""
    from senna.text.tokenizer import tokenize

    phrases: dict[str, int] = {}
    types = tuple(lists)
    for bit, kind in enumerate(types):
        for phrase in lists[kind]:
            key = " ".join(token.text for token in tokenize(phrase)).lower()
            if key:
                phrases[key] = phrases.get(key, 0) | 1 << bit
    return Gazetteer(types, (f"{phrase}\t{bits}" for phrase, bits in phrases.items()), position)


def read_gazetteer(paths: Sequence[Path], *, position: bool) -> Gazetteer:
    """Read phrase lists ``<type>.txt`` (also ``.gz``, ``.xz``), one phrase per line, or folders."""
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
