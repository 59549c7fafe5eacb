"""Features of forms: lookup tables of what depends on the form alone, its word among them.

They are computed once a distinct form. A feature is a subclass of `FormTable` here or in the lab:
both lookups loop over the tables that it makes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from senna.inference.kernel.index import Texts
from senna.lazy import cached_property
from senna.registry import FORM_TABLES
from senna.text.vocabulary import (
    N_CAPS,
    N_CAPS_READ,
    RARE,
    Ids,
    Lookups,
    Spelling,
    Vocabulary,
    letters_at_end,
    normalise,
    plain_spelling,
    spellings,
    without_digits,
)

if TYPE_CHECKING:
    from senna.inference.features.settings import AffixFeature, CapsFeature, CharacterFeature
    from senna.model.schema import FeatureTable

NO_ENTRIES = Vocabulary.of(())
Lines = Callable[[str], list[str]]  # reads a text file of a model folder


class Spellings(list[Spelling]):
    """Those of some forms, and what several models look up of them."""

    @cached_property
    def marked(self) -> Spellings:
        """As features see them that know marks."""
        return Spellings([s.as_marked() if s.mark else s for s in self])

    @cached_property
    def texts(self) -> Texts:
        """As they stand, and in lower case."""
        return Texts([spelling.written for spelling in self], [spelling.lower for spelling in self])


WRITTEN, LOWER = 0, 1  # blocks of `Spellings.texts`


@dataclass(frozen=True)
class FormTable:
    """A lookup table of something that depends on the form alone.

    `array` of the model folder holds it, (n_rows, size); size is 0 where a folder was read.
    """

    KEY: ClassVar[str]  # its settings in `features` of a configuration
    lookup: ClassVar[tuple[Vocabulary, int, int] | None] = None  # if its rows are found so

    array: str
    n_rows: int
    size: int = 0

    def rows(self, spelt: Spellings) -> Ids:
        """The rows of forms, (n_forms,), or (n_forms, n) of several each; padding is 0."""
        raise NotImplementedError

    def saved(self) -> dict[str, list[str]]:
        """The text files that a model folder holds for it."""
        return {}

    @classmethod
    def learn(cls, settings: Any, forms: Counter[str]) -> Sequence[FormTable]:
        """The tables of a training set with these forms (and counts), where the feature is used."""
        raise NotImplementedError

    @classmethod
    def load(cls, name: str, lines: Lines, saved: FeatureTable) -> Self:
        """The table of a name in `features.forms` of a model folder."""
        raise NotImplementedError


def letters_of(form: str, longest: int) -> str:
    """The letters that the character feature sees of a form without digits: a long middle cut."""
    half = longest // 2
    return form if len(form) <= longest else form[:half] + form[half - longest :]


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
    def load(cls, name: str, lines: Lines, saved: FeatureTable) -> Self:
        return cls(name, N_CAPS_READ if saved.marks else N_CAPS)


@dataclass(frozen=True)
class Prefix(FormTable):
    """The first letters of a word in lower case."""

    KEY: ClassVar = "prefix"
    SIGN: ClassVar = 1

    length: int = 0
    vocabulary: Vocabulary = NO_ENTRIES

    @property
    def lookup(self) -> tuple[Vocabulary, int, int]:  # type: ignore[override]
        return self.vocabulary, LOWER, self.SIGN * self.length

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
    def load(cls, name: str, lines: Lines, saved: FeatureTable) -> Self:
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

    KEY: ClassVar = "characters"

    longest: int = LONGEST
    vocabulary: Vocabulary = NO_ENTRIES

    def rows(self, spelt: Spellings) -> Ids:
        table = self.vocabulary.by_letter
        found = spelt.texts.letters(table, self.longest)
        if found is not None:
            return found
        cut = [letters_of(s.written, self.longest) for s in spelt]
        text = "".join(cut).encode("utf-32-le", "surrogatepass")
        codes = np.minimum(np.frombuffer(text, "<u4"), len(table) - 1)
        lengths = np.array(list(map(len, cut)), np.int32)
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
    def load(cls, name: str, lines: Lines, saved: FeatureTable) -> Self:
        vocabulary = Vocabulary.of(lines("letters.txt"))
        return cls(name, len(vocabulary), 0, saved.longest, vocabulary)


TABLES: dict[str, type[FormTable]] = {
    "caps": Caps,
    "prefix": Prefix,
    "suffix": Suffix,
    "letters": Letters,
}
ADDED = ("ngrams",)  # of these tables the vectors are added to those of words


@dataclass(frozen=True)
class FormFeatures:
    """The lookups of forms: words, and other tables in the order of the model's input."""

    words: Vocabulary
    tables: tuple[FormTable, ...] = ()
    marks: bool = False  # whether forms are seen as they are marked (`senna.text.capitals`)

    @classmethod
    def learn(cls, settings: Any, forms: Counter[str], vectors: Sequence[str] = ()) -> FormFeatures:
        """The features of a training set, from its forms (with counts) and the vectors' words.

        settings: `features` of a configuration. Words of the vectors keep their order, then come
        the training words that have none. Without a table of words all of them are RARE.
        """
        known = set(vectors)
        words: Counter[str] = Counter()
        for form, n in forms.items():
            if not known.intersection(spellings(form)):
                words[plain_spelling(normalise(form))] += n
        least, size = settings.word.min_count, settings.word.size
        extra = Vocabulary.counted(words, least).entries[2:] if size else ()
        of_settings = {FORM_TABLES[name].KEY: FORM_TABLES[name] for name in FORM_TABLES}
        kinds = {f.name: of_settings[f.name] for f in fields(settings) if f.name in of_settings}
        tables = [
            table
            for key, kind in kinds.items()
            # The first setting of a table turns it on.
            if getattr(of_table := getattr(settings, key), fields(of_table)[0].name)
            for table in kind.learn(of_table, forms)
        ]
        if settings.one_hot:
            tables = [replace(table, size=table.n_rows) for table in tables]
        tables = [replace(t, size=size) if t.array in ADDED else t for t in tables]
        return cls(Vocabulary.of((*vectors, *extra)), tuple(tables), settings.caps.marks)

    def rows_of(self, forms: Iterable[str]) -> Ids:
        """The rows of forms in the word table, all looked up in one call."""
        return self.word_rows(Spellings(map(Spelling.of, forms)))

    @cached_property
    def _lookups(self) -> Lookups:
        """The table of words, as written and in lower case, and others in which rows are found."""
        found = [table.lookup for table in self.tables if table.lookup is not None]
        return Lookups([(self.words, WRITTEN, 0), (self.words, LOWER, 0), *found])

    def word_rows(self, spelt: Spellings) -> Ids:
        """The rows of forms in the word table, by the first of their spellings that is known."""
        return self._word_rows(spelt, *self._lookups.find(spelt.texts)[:2])

    def _word_rows(self, spelt: Spellings, written: Ids, lower: Ids) -> Ids:
        rows = np.where(written == RARE, lower, written)
        rare = (rows == RARE).nonzero()[0].tolist()
        ways = [spellings(spelt[i].form) for i in rare]
        if not any(ways):
            return rows
        known = iter(self.words.find(Texts(list(chain(*ways)))).tolist())
        for i, spelled in zip(rare, ways, strict=True):
            here = [row for row in islice(known, len(spelled)) if row != RARE]
            rows[i] = here[0] if here else RARE
        return rows

    def ids(self, forms: Sequence[str]) -> dict[str, Ids]:
        """The features of forms, which may be marked."""
        return self.ids_of(list(map(Spelling.of, forms)))

    def ids_of(self, spelt: Sequence[Spelling]) -> dict[str, Ids]:
        """The rows of forms in each table, by its array's name; "words": those of words."""
        forms = spelt if isinstance(spelt, Spellings) else Spellings(spelt)
        forms = forms.marked if self.marks else forms
        written, lower, *found = self._lookups.find(forms.texts)
        others = iter(found)
        rows = {t.array: next(others) if t.lookup else t.rows(forms) for t in self.tables}
        return {"words": self._word_rows(forms, written, lower), **rows}
