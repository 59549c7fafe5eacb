"""Word vectors: of models, and of files, whose formats `senna.formats.vectors` reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from senna.errors import SennaError
from senna.inference.lookup import load_words
from senna.model.folder import is_model, model_path, read_model
from senna.registry import VECTORS
from senna.text.vocabulary import normalise


class Vectors(NamedTuple):
    """words (n strings) and their vectors, table (n, size); float16 where the source allows."""

    words: list[str]
    table: NDArray[np.floating]


def load_vectors(name: str | Path, *, exact: bool = False, limit: int | None = None) -> Vectors:
    """The vectors of a model, by a name as `model_path` takes it, or of a file.

    Numbers of text are kept as float16 unless they are to be `exact`; the first `limit` are read.
    """
    path = model_path(name)
    if not is_model(path):
        vectors: Vectors = VECTORS["files"].read_vectors(path, exact=exact, limit=limit)
        return vectors
    vectors = model_vectors(path)
    return Vectors(vectors.words[:limit], vectors.table[:limit])


def model_vectors(path: Path) -> Vectors:
    """All words of a model folder and their vectors, (n, size) float32, those of its base too.

    PADDING and RARE, which no text can name, are left out.
    """
    table = load_words(read_model(path), {})
    entries = table.words.entries
    return Vectors(list(entries[2:]), table.vectors(np.arange(2, len(entries), dtype=np.int32)))


class WordVectors:
    """The vectors of a table by word, each (size,) float32.

    A word that is not in the table as written has the vector of its normalised form: in lower case,
    every run of digits one 0.
    """

    def __init__(self, words: list[str], table: NDArray[np.floating]) -> None:
        self._table = table
        self._rows = {word: row for row, word in reversed([*enumerate(words)])}

    def _row(self, word: object) -> int | None:
        if not isinstance(word, str):
            return None
        return self._rows.get(word, self._rows.get(normalise(word)))

    def __getitem__(self, word: str) -> NDArray[np.float32]:
        """The vector of a word; SennaError for one that has none."""
        row = self._row(word)
        if row is None:
            raise SennaError(f"no vector of {word!r:.60}", remedy="`word in vectors` asks for it.")
        return np.asarray(self._table[row], np.float32)

    def __contains__(self, word: object) -> bool:
        return self._row(word) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def similarity(self, word: str, other: str) -> float:
        """The cosine of the vectors of two words, 0 where one is all zeros."""
        a, b = self[word], self[other]
        size = float(np.linalg.norm(a) * np.linalg.norm(b))
        return float(a @ b) / size if size else 0.0


def word_vectors(model: str | Path = "base") -> WordVectors:
    """The word vectors of the package's base table, of a model, or of a file of vectors.

    Raises SennaError where there is none of that name.
    """
    return WordVectors(*load_vectors(model))
