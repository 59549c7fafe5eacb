"""Features of forms: the endings of Porter's stemmer, the clusters of words, letter n-grams.

The ending that Porter's stemmer strips from a form (section 6.1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, ClassVar, Self
from zlib import crc32

import numpy as np

from senna.errors import SennaError
from senna.files import open_text
from senna.inference.exact import Floats
from senna.inference.features.forms import (
    NO_ENTRIES,
    FormFeatures,
    FormTable,
    Lines,
    Spellings,
    letters_of,
)
from senna.inference.features.settings import ClusterFeature, StemFeature
from senna.inference.kernel.index import Texts
from senna.inference.lookup import PlainTable
from senna.lazy import cached_property
from senna.model.folder import ModelFolder
from senna.model.schema import FeatureTable, NgramFeature
from senna.text.vocabulary import PADDING, RARE, Ids, Vocabulary, normalise

StemCondition = Callable[[str], bool]  # of what stands before a suffix
Rule = tuple[str, str, StemCondition]  # a suffix, what replaces it, and when


def stem(word: str) -> str:
    """The stem of a word in lower case.

    >>> stem("relational"), stem("hopping")
    ('relat', 'hop')
    """
    word = _first_of(word, _PLURALS)
    word = _without_ed_and_ing(word)
    for rules in _STEPS:
        word = _first_of(word, rules)
    if word.endswith("ll") and measure(word) > 1:  # step 5b
        word = word[:-1]
    return word


def ending(word: str) -> str:
    """The letters at the end of a word in lower case that its stem lacks, or has others for.

    >>> ending("relational"), ending("happy"), ending("walk")
    ('ional', 'y', '')
    """
    known = stem(word)
    alike = zip(word, known, strict=False)
    return word[next((i for i, (a, b) in enumerate(alike) if a != b), len(known)) :]


def measure(letters: str) -> int:
    """Porter's m: how often consonants follow vowels."""
    return _shape(letters).count("vc")


def _shape(letters: str) -> str:
    """Each letter as a vowel, v, or a consonant, c; y is a vowel after a consonant."""
    shape = ""
    for letter in letters:
        is_vowel = letter in "aeiou" or (letter == "y" and shape.endswith("c"))
        shape += "v" if is_vowel else "c"
    return shape


def _has_vowel(letters: str) -> bool:
    """Porter's *v*."""
    return "v" in _shape(letters)


def _is_short(letters: str) -> bool:
    """Porter's *o: consonant, vowel, consonant at the end, the last one not w, x or y."""
    return _shape(letters).endswith("cvc") and letters[-1] not in "wxy"


def _above(least: int) -> StemCondition:
    return lambda letters: measure(letters) > least


def _first_of(word: str, rules: Iterable[Rule]) -> str:
    for suffix, other, holds in rules:
        if word.endswith(suffix):
            letters = word[: len(word) - len(suffix)]
            return letters + other if holds(letters) else word
    return word


def _without_ed_and_ing(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if measure(word[:-3]) > 0 else word
    shorter = _first_of(word, (("ed", "", _has_vowel), ("ing", "", _has_vowel)))
    if shorter == word:
        return word
    if shorter.endswith(("at", "bl", "iz")):
        return shorter + "e"
    if shorter[-1] == shorter[-2:-1] and _shape(shorter)[-1] == "c":
        return shorter if shorter[-1] in "lsz" else shorter[:-1]
    return shorter + "e" if measure(shorter) == 1 and _is_short(shorter) else shorter


def _rules(least: int, pairs: str) -> list[Rule]:
    """Rules whose condition is a measure above `least`, from "suffix:other suffix: ..."."""
    parts = (pair.partition(":") for pair in pairs.split())
    return [(suffix, other, _above(least)) for suffix, _, other in parts]


_PLURALS: list[Rule] = [
    (suffix, other, lambda letters: True)
    for suffix, other in (("sses", "ss"), ("ies", "i"), ("ss", "ss"), ("s", ""))
]
_STEPS: list[list[Rule]] = [
    [("y", "i", _has_vowel)],  # 1c
    _rules(
        0,
        """ational:ate tional:tion enci:ence anci:ance izer:ize abli:able alli:al entli:ent eli:e
        ousli:ous ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous
        aliti:al iviti:ive biliti:ble""",
    ),
    _rules(0, "icate:ic ative: alize:al iciti:ic ical:ic ful: ness:"),
    [
        *_rules(1, "al: ance: ence: er: ic: able: ible: ant: ement: ment: ent:"),
        ("ion", "", lambda letters: measure(letters) > 1 and letters.endswith(("s", "t"))),
        *_rules(1, "ou: ism: ate: iti: ous: ive: ize:"),
    ],
    [("e", "", lambda letters: measure(letters) + (not _is_short(letters)) > 1)],  # 5a
]


@dataclass(frozen=True)
class Endings(FormTable):
    """The ending of a word in lower case, after a hyphen: that alone where the word is its stem."""

    KEY: ClassVar = "stem"

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
    def load(cls, name: str, lines: Lines, saved: FeatureTable) -> Self:
        vocabulary = Vocabulary.of(lines(f"{name}.txt"))
        return cls(name, len(vocabulary), 0, vocabulary)


def _endings(words: Iterable[str]) -> list[str]:
    return [f"-{ending(word)}" if word else "" for word in words]  # "" is padding


LENGTHS = (4, 6, 10, 20)  # branches


@dataclass(frozen=True)
class Clusters(FormTable):
    """The first branches of a word's path; words without a path share a row."""

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
        words: dict[str, list[str]] = {}
        for word, path in read_clusters(settings.file).items():
            words.setdefault(path, []).append(word)
        lines = ["\t".join([path, *words[path]]) for path in sorted(words)]
        tables = [
            cls.load(f"cluster-{n}", lambda name: lines, FeatureTable((), 1)) for n in LENGTHS
        ]
        return [replace(table, size=settings.size) for table in tables]

    @classmethod
    def load(cls, name: str, lines: Lines, saved: FeatureTable) -> Self:
        length, clusters = int(name.rpartition("-")[2]), tuple(lines("clusters.txt"))
        prefixes = {line.partition("\t")[0][:length] for line in clusters}
        return cls(name, RARE + 1 + len(prefixes), 0, length, clusters)


def read_clusters(path: str | Path) -> dict[str, str]:
    """The path of each word, in the order of the file (.gz, .xz and .bz2 too).

    SennaError, with the line, for anything else than path, tab, word, tab, count, for a word of two
    paths, and for a file without words.
    """
    paths: dict[str, str] = {}
    with open_text(path) as lines:
        for number, line in enumerate(lines, 1):
            where = f"{path}:{number}"
            fields = line.removeprefix("\ufeff").rstrip("\r\n").split("\t")
            if fields == [""]:
                continue
            if len(fields) != 3 or not fields[1] or not fields[2].isdecimal():
                raise SennaError("expected path, tab, word, tab, count", where=where)
            bits, word, _ = fields
            if not bits or bits.strip("01"):
                raise SennaError(f"a path is digits 0 and 1, not {bits!r:.40}", where=where)
            if paths.setdefault(word, bits) != bits:
                what = f"two paths for {word!r:.40}: {paths[word]} and {bits}"
                raise SennaError(what, where=where, remedy="Every word has one path.")
    if not paths:
        raise SennaError("no clusters in it", where=str(path))
    return paths


def write_clusters(file: IO[bytes], paths: Mapping[str, str], counts: Mapping[str, int]) -> None:
    """Write paths and counts of words: by path, then by falling count, then by word."""
    words = sorted(paths, key=lambda word: (paths[word], -counts[word], word))
    file.writelines(f"{paths[word]}\t{word}\t{counts[word]}\n".encode() for word in words)


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
        return [cls("ngrams", n_rows, 0, settings.least, settings.most)]

    @classmethod
    def load(cls, name: str, lines: Lines, saved: FeatureTable) -> Self:
        settings = saved.ngrams or NgramFeature()
        return cls(name, settings.buckets + 1, 0, settings.least, settings.most)


def ngrams(word: str, least: int, most: int) -> list[str]:
    """The runs of `least` to `most` letters of a word between signs for its ends; none of "".

    >>> ngrams("tea", 3, 4)
    ['<te', 'tea', 'ea>', '<tea', 'tea>']
    """
    text = f"<{word}>" if word else ""
    return [text[i : i + n] for n in range(least, most + 1) for i in range(len(text) - n + 1)]


def row_of(ngram: str, n_rows: int) -> int:
    """The row, from 1 to `n_rows`, of an n-gram: the CRC-32 of its UTF-8 decides."""
    return 1 + crc32(ngram.encode("utf-8", "surrogatepass")) % n_rows


class NgramVectors(PlainTable):
    """The sum of the rows of a form's n-grams."""

    def __call__(self, rows: Ids) -> Floats:
        """rows (n_forms, n_ngrams), zero after a form's last one: (n_forms, size)."""
        vectors = np.zeros((len(rows), self.size), np.float32)
        for places in rows.T:  # one after the other, whatever forms come together
            here = np.flatnonzero(places)
            vectors[here] += self.table[places[here]]
        return vectors

    @classmethod
    def of_folder(cls, folder: ModelFolder, table: FormTable) -> NgramVectors:
        """The vectors of a model folder."""
        return cls(folder, table)


LETTERS = {"ngrams": NgramVectors}
TABLES = {"stem": Endings, "cluster": Clusters, "ngrams": Ngrams}
