"""The first and the last letters of a form (section 6.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from senna.features.forms import NO_ENTRIES, FormTable, Lines, Saved, Spellings
from senna.text.features import Ids, Vocabulary, letters_at_end, normalise
from senna.toml import SIZE, number


@dataclass(frozen=True)
class AffixFeature:
    """First or last letters of a word, one lookup table per length (section 6.1)."""

    size: int = number(0, 0, SIZE, switch=True)  # numbers per affix; 0: feature not used
    lengths: tuple[int, ...] = number((2,), 1, 100, empty=True, distinct=True)
    min_count: int = number(3)  # rarer affixes share one row


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


TABLES = {"prefix": Prefix, "suffix": Suffix}
