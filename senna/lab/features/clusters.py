"""The clusters of words (section 6.6; Brown et al. 1992), and files of them.

A line is a path from the root, a 0 or 1 for each branch, a tab, a word, a tab and how often the
word occurs. Words of equal paths are a cluster. Liang's program (2005) writes the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, ClassVar, Self

import numpy as np

from senna.errors import SennaError
from senna.files import open_text
from senna.inference.features.forms import FormFeatures, FormTable, Lines, Saved, Spellings
from senna.inference.features.settings import ClusterFeature
from senna.lazy import cached_property
from senna.text.vocabulary import PADDING, RARE, Ids, Vocabulary

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
        tables = [cls.load(f"cluster-{n}", lambda name: lines, {}) for n in LENGTHS]
        return [replace(table, size=settings.size) for table in tables]

    @classmethod
    def load(cls, name: str, lines: Lines, saved: Saved) -> Self:
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


TABLES = {"cluster": Clusters}
