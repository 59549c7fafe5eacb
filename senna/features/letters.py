"""The letters of a form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from senna.features.forms import NO_ENTRIES, FormTable, Lines, Saved, Spellings, letters_of
from senna.text.features import Ids, Vocabulary, without_digits
from senna.toml import FAR, SIZE, choice, number

LONGEST = 20  # letters; longer words lose letters in their middle


@dataclass(frozen=True)
class CharacterFeature:
    """A small convolution over a word's letters and the maximum over them, or the ends of LSTMs."""

    filters: int = number(0, 0, SIZE, switch=True)  # numbers per word; 0: feature not used
    size: int = number(25, 1, SIZE)  # numbers per letter
    width: int = number(3, 1, FAR, odd=True, used="kind=convolution")  # letters a filter sees
    # "recurrent": an LSTM from the first letter and one from the last, half of the numbers each
    kind: str = choice("convolution", "convolution", "recurrent")


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


TABLES = {"letters": Letters}
