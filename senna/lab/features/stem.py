"""The ending that Porter's stemmer strips from a form (section 6.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from senna.features.forms import NO_ENTRIES, FormTable, Lines, Saved, Spellings
from senna.features.settings import StemFeature
from senna.kernel.index import Texts
from senna.lab.features.porter import ending
from senna.text.features import Ids, Vocabulary, normalise


@dataclass(frozen=True)
class Endings(FormTable):
    """The ending of a word in lower case, after a hyphen: that alone where the word is its stem."""

    vocabulary: Vocabulary = NO_ENTRIES

    def rows(self, spelt: Spellings) -> Ids:
        return self.vocabulary.find(Texts(_endings(s.lower for s in spelt)))

    def saved(self) -> dict[str, list[str]]:
        return {f"{self.array}.txt": list(self.vocabulary.entries[2:])}

    @classmethod
    def learn(cls, settings: StemFeature, forms: Counter[str]) -> Sequence[FormTable]:
        counts = Counter(_endings(map(normalise, forms)))
        vocabulary = Vocabulary.counted(counts, settings.min_count)
        return [cls("stem", len(vocabulary), settings.size, vocabulary)]

    @classmethod
    def load(cls, name: str, lines: Lines, saved: Saved) -> Self:
        vocabulary = Vocabulary.of(lines(f"{name}.txt"))
        return cls(name, len(vocabulary), 0, vocabulary)


def _endings(words: Iterable[str]) -> list[str]:
    return [f"-{ending(word)}" if word else "" for word in words]  # "" is padding


TABLES = {"stem": Endings}
