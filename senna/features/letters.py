"""The letters of a form: its capitals, its first and last letters, all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from senna.features.forms import NO_ENTRIES, FormTable, Lines, Saved, Spellings, letters_of
from senna.text.features import (
    N_CAPS,
    N_CAPS_READ,
    Ids,
    Vocabulary,
    letters_at_end,
    normalise,
    without_digits,
)

if TYPE_CHECKING:
    from senna.features.settings import AffixFeature, CapsFeature, CharacterFeature


class Caps(FormTable):
    """The value of `caps`, or of a marked form."""

    KEY: ClassVar = "caps"

    def rows(self, spelt: Spellings) -> Ids:
        return np.array([s.caps for s in spelt], np.int32)

    @classmethod
    def learn(cls, settings: CapsFeature, forms: Counter[str]) -> Sequence[FormTable]:
        n_rows = N_CAPS_READ if settings.marks else N_CAPS
        return [cls("caps", n_rows, settings.size)] if settings.size else []

    @classmethod
    def load(cls, name: str, lines: Lines, saved: Saved) -> Self:
        return cls(name, N_CAPS_READ if saved.get("marks") else N_CAPS)


@dataclass(frozen=True)
class Prefix(FormTable):
    """The first letters of a word in lower case."""

    KEY: ClassVar = "prefix"
    SIGN: ClassVar = 1

    length: int = 0
    vocabulary: Vocabulary = NO_ENTRIES

    def rows(self, spelt: Spellings) -> Ids:
        return self.vocabulary.find(spelt.lower, self.SIGN * self.length)

    def saved(self) -> dict[str, list[str]]:
        return {f"{self.array}.txt": list(self.vocabulary.entries[2:])}

    @classmethod
    def learn(cls, settings: AffixFeature, forms: Counter[str]) -> Sequence[FormTable]:
        tables = []
        for n in settings.lengths:
            counts = Counter(letters_at_end(normalise(form), cls.SIGN * n) for form in forms)
            vocabulary = Vocabulary.counted(counts, settings.min_count)
            name = f"{cls.KEY}-{n}"
            tables.append(cls(name, len(vocabulary), settings.size, n, vocabulary))
        return tables

    @classmethod
    def load(cls, name: str, lines: Lines, saved: Saved) -> Self:
        vocabulary = Vocabulary.of(lines(f"{name}.txt"))
        return cls(name, len(vocabulary), 0, int(name.rpartition("-")[2]), vocabulary)


class Suffix(Prefix):
    """The last letters of a word in lower case."""

    KEY: ClassVar = "suffix"
    SIGN: ClassVar = -1


LONGEST = 20  # letters; longer words lose letters in their middle


@dataclass(frozen=True)
class Letters(FormTable):
    """The letters of a word, (n_forms, longest), zeros after the last one.

    Both lookups have layers over them in place of a plain table; `size` is what these give.
    """

    longest: int = LONGEST
    vocabulary: Vocabulary = NO_ENTRIES

    def rows(self, spelt: Spellings) -> Ids:
        lengths, codes = spelt.letters(self.longest)
        table = self.vocabulary.by_letter
        codes = np.minimum(codes, len(table) - 1)
        letters = np.zeros((len(spelt), self.longest), np.int32)
        letters[np.arange(self.longest) < lengths[:, None]] = table[codes]
        return letters

    def saved(self) -> dict[str, list[str]]:
        return {"letters.txt": list(self.vocabulary.entries[2:])}

    @classmethod
    def learn(cls, settings: CharacterFeature, forms: Counter[str]) -> Sequence[FormTable]:
        counts: Counter[str] = Counter()
        for form in forms:
            counts.update(letters_of(without_digits(form), LONGEST))
        vocabulary = Vocabulary.counted(counts, 2)
        return [cls("letters", len(vocabulary), settings.filters, LONGEST, vocabulary)]

    @classmethod
    def load(cls, name: str, lines: Lines, saved: Saved) -> Self:
        vocabulary = Vocabulary.of(lines("letters.txt"))
        return cls(name, len(vocabulary), 0, saved["longest"], vocabulary)


TABLES: dict[str, type[FormTable]] = {
    "caps": Caps,
    "prefix": Prefix,
    "suffix": Suffix,
    "letters": Letters,
}
