"""The clusters of words (section 6.6; Brown et al. 1992)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from senna.features.forms import FormFeatures, FormTable, Lines, Saved, Spellings
from senna.lazy import cached_property
from senna.text.features import PADDING, RARE, Ids, Vocabulary
from senna.toml import SIZE, number, setting

LENGTHS = (4, 6, 10, 20)  # branches


@dataclass(frozen=True)
class ClusterFeature:
    """First branches of the paths of words' clusters, one lookup table per length (section 6.6)."""

    file: str = setting("", switch=True)  # by `senna vectors cluster`; empty: feature not used
    size: int = number(12, 1, SIZE)  # numbers per table


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
        if not settings.file:
            return []
        from senna.text.clusters import read_clusters

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


TABLES = {"cluster": Clusters}
