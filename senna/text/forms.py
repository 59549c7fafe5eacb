"""Features of forms: lookup tables of what depends on the form alone, its word among them.

They are computed once a distinct form. A feature is a subclass of `FormTable` and its name in
`FORM_TABLES`: both lookups loop over the tables that it makes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from senna.kernel.index import Texts
from senna.lazy import cached_property
from senna.text.clusters import read_clusters
from senna.text.features import (
    N_CAPS,
    N_CAPS_READ,
    PADDING,
    RARE,
    Ids,
    Spelling,
    Vocabulary,
    letters_at_end,
    normalise,
    plain_spelling,
    spellings,
    without_digits,
)
from senna.text.subwords.ngrams import ngrams, row_of
from senna.text.subwords.porter import ending
from senna.toml import FAR, ROWS, SIZE, choice, number

NO_ENTRIES = Vocabulary.of(())
Lines = Callable[[str], list[str]]  # reads a text file of a model folder
Saved = Mapping[str, Any]  # the table `features` of a model.toml


class Spellings(list[Spelling]):
    """Those of some forms, and what several tables, and several models, look up of them."""

    @cached_property
    def marked(self) -> Spellings:
        """As features see them that know marks."""
        return Spellings([s.as_marked() if s.mark else s for s in self])

    @cached_property
    def _letters(self) -> dict[int, tuple[Ids, NDArray[np.uint32]]]:
        return {}

    def letters(self, longest: int) -> tuple[Ids, NDArray[np.uint32]]:
        """How many letters each has, at most so many, and the code points of all."""
        if longest not in self._letters:
            cut = [letters_of(s.written, longest) for s in self]
            text = "".join(cut).encode("utf-32-le", "surrogatepass")
            lengths = np.array(list(map(len, cut)), np.int32)
            self._letters[longest] = lengths, np.frombuffer(text, "<u4")
        return self._letters[longest]

    @cached_property
    def written(self) -> Texts:
        """As they stand."""
        return Texts([spelling.written for spelling in self])

    @cached_property
    def lower(self) -> Texts:
        """In lower case."""
        return Texts([spelling.lower for spelling in self])


@dataclass(frozen=True)
class FormTable:
    """A lookup table of something that depends on the form alone.

    `array` of the model folder holds it, (n_rows, size); size is 0 where a folder was read.
    """

    KEY: ClassVar = ""  # of its settings within `features` of a configuration

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
        """The tables of a training set with these forms (and how often each occurs)."""
        raise NotImplementedError

    @classmethod
    def load(cls, name: str, lines: Lines, saved: Saved) -> Self:
        """The table of a name in `features.forms` of a model folder."""
        raise NotImplementedError


@dataclass(frozen=True)
class CapsFeature:
    """The paper's four values of capitals (section 3.5).

    With a share above 0 the model learns to recognise sentences whose capitals carry no
    information, from copies of its sentences: so many of them for each sentence.
    """

    size: int = number(5, 0, SIZE)
    caseless: float = number(0.0, 0, FAR)  # copies that are read without capitals
    titled: float = number(0.0, 0, FAR)  # copies with a capital for every word

    @property
    def marks(self) -> bool:
        """Whether sentences are read as `senna.text.capitals` marks them."""
        return self.caseless > 0 or self.titled > 0


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
class AffixFeature:
    """First or last letters of a word, one lookup table a length (section 6.1)."""

    size: int = number(0, 0, SIZE)  # numbers an affix; 0: feature not used
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
        for n in settings.lengths if settings.size else ():
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


@dataclass(frozen=True)
class StemFeature:
    """The ending that Porter's stemmer strips from a word (section 6.1)."""

    size: int = number(0, 0, SIZE)  # numbers an ending; 0: feature not used
    min_count: int = number(3)  # rarer endings share one row


@dataclass(frozen=True)
class Endings(FormTable):
    """The ending of a word in lower case, after a hyphen: that alone where the word is its stem."""

    KEY: ClassVar = "stem"

    vocabulary: Vocabulary = NO_ENTRIES

    def rows(self, spelt: Spellings) -> Ids:
        return self.vocabulary.find(Texts([_ending(s.lower) for s in spelt]))

    def saved(self) -> dict[str, list[str]]:
        return {f"{self.array}.txt": list(self.vocabulary.entries[2:])}

    @classmethod
    def learn(cls, settings: StemFeature, forms: Counter[str]) -> Sequence[FormTable]:
        if not settings.size:
            return []
        counts = Counter(_ending(normalise(form)) for form in forms)
        vocabulary = Vocabulary.counted(counts, settings.min_count)
        return [cls(cls.KEY, len(vocabulary), settings.size, vocabulary)]

    @classmethod
    def load(cls, name: str, lines: Lines, saved: Saved) -> Self:
        vocabulary = Vocabulary.of(lines(f"{name}.txt"))
        return cls(name, len(vocabulary), 0, vocabulary)


def _ending(word: str) -> str:
    return f"-{ending(word)}" if word else ""  # which is padding


@dataclass(frozen=True)
class CharacterFeature:
    """A small convolution over a word's letters and the maximum over them, or the ends of LSTMs."""

    filters: int = number(0, 0, SIZE)  # numbers a word; 0: feature not used
    size: int = number(25, 1, SIZE)  # numbers a letter
    width: int = number(3, 1, FAR, odd=True)  # letters a filter of a convolution sees
    longest: int = number(20, 2, FAR)  # longer words lose letters in their middle
    # "recurrent": an LSTM from the first letter and one from the last, half of the numbers each
    kind: str = choice("convolution", "convolution", "recurrent")


@dataclass(frozen=True)
class Letters(FormTable):
    """The letters of a word, (n_forms, longest), zeros after the last one.

    Both lookups have layers over them in place of a plain table; `size` is what these give.
    """

    KEY: ClassVar = "characters"

    longest: int = 20
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
        if not settings.filters:
            return []
        counts: Counter[str] = Counter()
        for form in forms:
            counts.update(letters_of(without_digits(form), settings.longest))
        vocabulary = Vocabulary.counted(counts, 2)
        return [cls("letters", len(vocabulary), settings.filters, settings.longest, vocabulary)]

    @classmethod
    def load(cls, name: str, lines: Lines, saved: Saved) -> Self:
        vocabulary = Vocabulary.of(lines("letters.txt"))
        return cls(name, len(vocabulary), 0, saved["longest"], vocabulary)


def letters_of(form: str, longest: int) -> str:
    """The letters that the character feature sees of a form without digits: a long middle cut."""
    half = longest // 2
    return form if len(form) <= longest else form[:half] + form[half - longest :]


@dataclass(frozen=True)
class NgramFeature:
    """Vectors of a word's letter n-grams, added to its own vector (Bojanowski et al. 2017)."""

    buckets: int = number(0, 0, ROWS)  # rows that all n-grams share by hashing; 0: feature not used
    least: int = number(3, 1, 100)  # letters of an n-gram; the word's ends count as letters
    most: int = number(6, 1, 100)


@dataclass(frozen=True)
class Ngrams(FormTable):
    """The n-grams of a word in lower case, (n_forms, n_ngrams), zeros after the last one.

    Its vectors, which are as long as those of words, are added up and to those of words.
    """

    KEY: ClassVar = "ngrams"
    LONGEST: ClassVar = 30  # letters; longer words lose some in their middle

    least: int = 3
    most: int = 6

    def rows(self, spelt: Spellings) -> Ids:
        words = [letters_of(s.lower, self.LONGEST) for s in spelt]
        rows = [
            [row_of(ngram, self.n_rows - 1) for ngram in ngrams(word, self.least, self.most)]
            for word in words
        ]
        table = np.zeros((len(rows), max(map(len, rows), default=0)), np.int32)
        for row, places in zip(table, rows, strict=True):
            row[: len(places)] = places
        return table

    @classmethod
    def learn(cls, settings: NgramFeature, forms: Counter[str]) -> Sequence[FormTable]:
        n_rows = settings.buckets + 1
        return [cls(cls.KEY, n_rows, 0, settings.least, settings.most)] if settings.buckets else []

    @classmethod
    def load(cls, name: str, lines: Lines, saved: Saved) -> Self:
        settings = saved["ngrams"]
        return cls(name, settings["buckets"] + 1, 0, settings["least"], settings["most"])


@dataclass(frozen=True)
class ClusterFeature:
    """First branches of the paths of words' clusters, one lookup table a length (section 6.6)."""

    file: str = ""  # written by `senna vectors cluster`; empty: feature not used
    size: int = number(12, 1, SIZE)  # numbers a table
    prefixes: tuple[int, ...] = number((4, 6, 10, 20), 1, FAR, distinct=True)  # branches


@dataclass(frozen=True)
class Clusters(FormTable):
    """The first branches of a word's path; words without one have a row, too."""

    KEY: ClassVar = "clusters"

    length: int = 0
    lines: tuple[str, ...] = ()  # of each cluster: its path, a tab, its words with tabs between

    @cached_property
    def _words(self) -> FormFeatures:
        words = (word for line in self.lines for word in line.split("\t")[1:])
        return FormFeatures(Vocabulary.of(words))

    @cached_property
    def _row_of_word(self) -> Ids:
        """The row of each entry of the words."""
        prefixes = [line.partition("\t")[0][: self.length] for line in self.lines]
        rows = {prefix: row for row, prefix in enumerate(dict.fromkeys(prefixes), RARE + 1)}
        counts = np.array([1, 1, *(line.count("\t") for line in self.lines)])
        every = [PADDING, RARE, *map(rows.__getitem__, prefixes)]
        return np.repeat(np.array(every, np.int32), counts)

    def rows(self, spelt: Spellings) -> Ids:
        rows: Ids = self._row_of_word[self._words.word_rows(spelt)]
        return rows

    def saved(self) -> dict[str, list[str]]:
        return {"clusters.txt": list(self.lines)}

    @classmethod
    def learn(cls, settings: ClusterFeature, forms: Counter[str]) -> Sequence[FormTable]:
        if not settings.file:
            return []
        words: dict[str, list[str]] = {}
        for word, path in read_clusters(settings.file).items():
            words.setdefault(path, []).append(word)
        lines = ["\t".join([path, *words[path]]) for path in sorted(words)]
        tables = [cls.load(f"cluster-{n}", lambda name: lines, {}) for n in settings.prefixes]
        return [replace(table, size=settings.size) for table in tables]

    @classmethod
    def load(cls, name: str, lines: Lines, saved: Saved) -> Self:
        length, clusters = int(name.rpartition("-")[2]), tuple(lines("clusters.txt"))
        prefixes = {line.partition("\t")[0][:length] for line in clusters}
        return cls(name, RARE + 1 + len(prefixes), 0, length, clusters)


# By the name of its tables in a model folder, up to a hyphen; in the order of a layer's input.
FORM_TABLES: dict[str, type[FormTable]] = {
    "caps": Caps,
    "prefix": Prefix,
    "suffix": Suffix,
    "stem": Endings,
    "letters": Letters,
    "cluster": Clusters,
    "ngrams": Ngrams,
}
ADDED = ("ngrams",)  # of these the vectors are added to those of words


@dataclass(frozen=True)
class FormFeatures:
    """What a model looks up of forms: their words, and other tables in the order of its input."""

    words: Vocabulary
    tables: tuple[FormTable, ...] = ()
    marks: bool = False  # whether forms are seen as they are marked (`senna.text.capitals`)

    @classmethod
    def learn(cls, settings: Any, forms: Counter[str], vectors: Sequence[str] = ()) -> FormFeatures:
        """The features of a training set, from its forms (with counts) and the vectors' words.

        settings: `features` of a configuration. Words of the vectors keep their order, then come
        the training words that have none.
        """
        known = set(vectors)
        words: Counter[str] = Counter()
        for form, n in forms.items():
            if not known.intersection(spellings(form)):
                words[plain_spelling(normalise(form))] += n
        extra = Vocabulary.counted(words, settings.word.min_count).entries[2:]
        tables = [
            table
            for kind in FORM_TABLES.values()
            for table in kind.learn(getattr(settings, kind.KEY), forms)
        ]
        if settings.one_hot:
            tables = [replace(table, size=table.n_rows) for table in tables]
        size = settings.word.size
        tables = [replace(t, size=size) if isinstance(t, Ngrams) else t for t in tables]
        return cls(Vocabulary.of((*vectors, *extra)), tuple(tables), settings.caps.marks)

    def word_row(self, form: str) -> int:
        """The row of a form in the word table, by the first of its spellings that is known."""
        return int(self.word_rows(Spellings([Spelling.of(form)]))[0])

    def word_rows(self, spelt: Spellings) -> Ids:
        """The rows of forms in the word table, by the first of their spellings that is known."""
        rows = self.words.find(spelt.written)
        # Most are known as they are, or in lower case.
        rare = np.flatnonzero(rows == RARE)
        rows[rare] = self.words.find(Texts([spelt[i].lower for i in rare.tolist()]))
        rare = rare[rows[rare] == RARE]
        ways = [spellings(spelt[i].form) for i in rare.tolist()]
        known = iter(self.words.find(Texts(list(chain(*ways)))).tolist())
        for i, spelled in zip(rare.tolist(), ways, strict=True):
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
        rows = {table.array: table.rows(forms) for table in self.tables}
        return {"words": self.word_rows(forms), **rows}
