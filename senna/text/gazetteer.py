"""Phrase lists as features: which words lie in a known phrase of a type (section 6.2)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from senna.errors import SennaError
from senna.files import open_text
from senna.kernel.index import PhraseIndex
from senna.lazy import cached_property
from senna.text.schemes import Phrase

# Values of one type's feature; 0 is PADDING, as in every lookup table.
PADDING, OUTSIDE, BEGIN, INSIDE, END, SINGLE = range(6)
N_VALUES = 6


class Beginning(NamedTuple):
    """The phrases that begin with a word, by their second word, and their bits."""

    phrases: dict[str, int]
    longest: dict[str, int]


Known = dict[str, Beginning | None]


class Gazetteer:
    """Phrases of several types, matched without regard to case, the longest first.

    lines: the phrases, words joined by a space, in lower case, each with a tab and the set of its
    types, as bits. `position`: distinguish begin, inside, end and single; else only on and off.
    """

    def __init__(self, types: Sequence[str], lines: Iterable[str], position: bool = True) -> None:
        self.types, self.position = tuple(types), position
        # Sorted, they need not be taken apart before their first words come up: that would cost
        # more than tagging some sentences.
        self.lines = sorted(lines)

    def beginning_with(self, word: str) -> Beginning | None:
        """The phrases with this first word, if there are any."""
        first = bisect_left(self.lines, word + "\t")
        if not "".join(self.lines[first : first + 1]).startswith(word):
            return None
        phrases: dict[str, int] = {}
        longest: dict[str, int] = {}
        # A tab, and the space after a first word, come before the other characters of phrases.
        for line in self.lines[first : bisect_left(self.lines, word + "!", first)]:
            phrase, _, bits = line.rpartition("\t")
            if phrase != word and phrase[len(word)] != " ":
                continue
            phrases[phrase] = int(bits)
            if phrase != word:
                second = phrase[len(word) + 1 :].partition(" ")[0]
                longest[second] = max(longest.get(second, 2), phrase.count(" ", len(word)) + 1)
        return Beginning(phrases, longest) if phrases else None

    def extended(self, lists: Mapping[str, Iterable[str]]) -> Gazetteer:
        """The same with more phrases of its types; those of other types are left out."""
        more: dict[str, int] = {}
        for bit, kind in enumerate(self.types):
            for phrase in lists.get(kind, ()):
                for way in tree_paths_of(phrase):
                    more[way] = more.get(way, 0) | 1 << bit
        kept = []
        for line in self.lines:
            phrase, _, bits = line.rpartition("\t")
            if phrase in more:
                more[phrase] |= int(bits)
            else:
                kept.append(line)
        return Gazetteer(
            self.types, kept + [f"{way}\t{bits}" for way, bits in more.items()], self.position
        )

    def find(self, forms: Sequence[str], known: Known) -> list[Phrase]:
        """The leftmost longest phrases of all types; of several types of one the first counts."""
        phrases: list[Phrase] = []
        for start, n, bits in self._matches([form.lower() for form in forms], known):
            if not phrases or start >= phrases[-1].end:
                kind = self.types[(bits & -bits).bit_length() - 1]
                phrases.append(Phrase(start, start + n, kind))
        return phrases

    @cached_property
    def _compiled(self) -> PhraseIndex:
        return PhraseIndex(self.lines)

    def mark_all(self, sentences: Sequence[Sequence[str]], known: Known) -> NDArray[np.int32]:
        """The features of the words of sentences, end to end: see `mark`."""
        text = " ".join(chain.from_iterable(sentences)).lower().encode("utf-8", "surrogatepass")
        lengths = np.fromiter(map(len, sentences), np.int64, len(sentences))
        marks = self._compiled.marks(text, lengths, len(self.types), self.position, OUTSIDE)
        if marks is None:
            none = np.empty((0, len(self.types)), np.int32)
            marks = np.concatenate([none, *(self.mark(forms, known) for forms in sentences)])
        return marks

    def mark(self, forms: Sequence[str], known: Known) -> NDArray[np.int32]:
        """The feature of each word for each type, (n_words, n_types).

        Within a type the leftmost longest phrases win and do not overlap. `known` belongs to the
        caller: what begins with which word, kept for the next calls.
        """
        marks = np.full((len(forms), len(self.types)), OUTSIDE, np.int32)
        free = [0] * len(self.types)  # first word that no phrase of the type covers yet
        for start, n, bits in self._matches([form.lower() for form in forms], known):
            for kind in range(len(free)):
                if bits >> kind & 1 and free[kind] <= start:
                    free[kind] = start + n
                    phrase = [BEGIN, *[INSIDE] * (n - 2), END] if n > 1 else SINGLE
                    marks[start : start + n, kind] = phrase if self.position else SINGLE
        return marks

    def _matches(self, words: Sequence[str], known: Known) -> Iterator[tuple[int, int, int]]:
        """First word, length and types (as bits) of the phrases at each word, the longest first."""
        for word in words:
            if word not in known:
                known[word] = self.beginning_with(word)
        for start, beginning in enumerate(map(known.__getitem__, words)):
            if beginning is None:
                continue
            phrases, longest = beginning
            most = longest.get(words[start + 1], 1) if start + 1 < len(words) else 1
            for n in range(min(most, len(words) - start), 0, -1):
                bits = phrases.get(
                    words[start] if n == 1 else " ".join(words[start : start + n]), 0
                )
                if bits:
                    yield start, n, bits


def tree_paths_of(phrase: str) -> set[str]:
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
