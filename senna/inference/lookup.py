"""Lookup tables at tagging time: the word table with its overlay, and whole form vectors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from senna.errors import SennaError
from senna.inference.exact import Floats, Weights, product
from senna.inference.features.forms import ADDED, FormFeatures, FormTable
from senna.inference.kernel import calls
from senna.inference.workspace import places_of
from senna.lazy import cached_property
from senna.model.folder import Array, ModelFolder, read_model
from senna.model.schema import damaged
from senna.registry import FORM_TABLES, LETTERS
from senna.text.vocabulary import PADDING, Ids, Spelling


class WordTable:
    """Word vectors by row of the vocabulary, from one byte, two or four a number.

    A model that shares a base table stores only the rows that its training moved far enough
    (`export.moved`); `rows` says which, in rising order, and the rest come from the base.
    """

    def __init__(self, folder: ModelFolder, base: WordTable | None) -> None:
        self.table = folder.rows("words", types=("<f4", "<f2", "|i1"))
        self.digest: str = folder.meta["files"]["words.npy"]["sha256"]
        n = len(self.table)
        self.scale = folder.array("words.scale", n) if folder.has("words.scale.npy") else None
        self.rows = None
        if folder.has("words.rows.npy"):
            self.rows = folder.array("words.rows", n, types=("<i4",))
        self.base, self.folder = base, folder
        if base is None:
            self.words = folder.vocabulary("words.txt")
        else:
            self.words = base.words
            if folder.has("words.txt"):
                self.words = folder.vocabulary("words.txt", base.words)
        self._check()

    def _check(self) -> None:
        """Refuse rows that do not fit each other, the words, or the base."""
        n, path = len(self.words), self.folder.path
        if len(self.table) != (n if self.rows is None else len(self.rows)):
            raise damaged(f"{len(self.table)} vectors for {n} words", path)
        if self.rows is not None and (self.base is None or not len(self.rows)):
            raise damaged("words.rows without a base or empty", path)
        if self.base is not None and self.base.size != self.size:
            raise damaged("vectors of another size than its base's", path)
        if self.base is not None and self.rows is not None:
            n_base = len(self.base.words)
            if np.count_nonzero(self.rows >= n_base) != n - n_base:
                raise damaged("words without a vector", path)
        self._check_rows("words.rows", self.rows)

    def _check_rows(self, name: str, rows: Array | None) -> None:
        n, path = len(self.words), self.folder.path
        if rows is None or not len(rows):
            return
        if rows[0] < 0 or rows[-1] >= n or (np.diff(rows) <= 0).any():
            raise damaged(f"{name} are not rows of {n} words in rising order", path)

    @cached_property
    def trained(self) -> Array | None:
        """The rows that training saw: `words.trained`, or on a base table those it stores."""
        if not self.folder.has("words.trained.npy"):
            return self.rows
        rows = self.folder.array("words.trained", None, types=("<i4",))
        self._check_rows("words.trained", rows)
        return rows

    @property
    def size(self) -> int:
        """Numbers per word."""
        return int(self.table.shape[1])

    def vectors(self, rows: NDArray[np.int32]) -> Floats:
        """(n, size) float32."""
        if self.rows is None or self.base is None:
            return self._stored(rows)
        places = self.rows.searchsorted(rows)
        changed = self.rows.take(places, mode="clip") == rows
        vectors = np.empty((len(rows), self.size), np.float32)
        vectors[changed] = self._stored(places[changed])
        vectors[~changed] = self.base.vectors(rows[~changed])
        return vectors

    def _stored(self, places: Array) -> Floats:
        vectors = self.table[places].astype(np.float32)
        if self.scale is not None:
            vectors *= self.scale[places][:, None]
        return vectors


def load_words(folder: ModelFolder, loaded: dict[Path, WordTable]) -> WordTable:
    """The word table of a model; base tables are loaded once, into `loaded`."""
    path = folder.used("base")
    if path is None:
        return WordTable(folder, None)
    if path not in loaded:
        loaded[path] = WordTable(read_model(path), None)
    if loaded[path].digest != folder.table.use.get("base_sha256"):
        raise SennaError(
            f"made for another base table than {path.name}",
            where=str(folder.path),
            remedy="Install senna again, or copy the model with its base.",
        )
    return WordTable(folder, loaded[path])


def load_form_features(folder: ModelFolder, words: WordTable) -> FormFeatures:
    """The form features of a model."""
    features = folder.table.features
    tables: list[FormTable] = []
    for name in features.forms:
        kind = FORM_TABLES.get(name.partition("-")[0])
        if kind is None:
            remedy = "Install a newer senna."
            raise SennaError(f"a feature {name!r}", where=str(folder.path), remedy=remedy)
        tables.append(kind.load(name, folder.lines, features))
    return FormFeatures(words.words, tuple(tables), features.marks)


def letter_table(folder: ModelFolder, table: FormTable) -> Floats:
    """The vectors of letters, (n_letters, size)."""
    if any(len(letter) != 1 for letter in folder.lines("letters.txt")):
        raise damaged("an entry is not one letter", folder.path / "letters.txt")
    letters: Floats = folder.array("letters", table.n_rows, None)
    return letters


class Letters:
    """A convolution over letters and the maximum over a word's places."""

    def __init__(self, folder: ModelFolder, table: FormTable) -> None:
        letters = letter_table(folder, table)
        self.bias = folder.array("characters.bias", None)
        self.size = len(self.bias)
        filters = folder.array("characters.weight", None, self.size)
        filters = filters.reshape(-1, letters.shape[1], self.size)
        if len(filters) % 2 == 0:  # as many letters on either side
            raise damaged(
                "filters of an even number of letters", folder.path / "characters.weight.npy"
            )
        # What a letter gives at each place of a filter, (width, n_letters, filters).
        self.letters = np.stack([product(letters, Weights.of(weights)) for weights in filters])
        self.letters[:, PADDING] = 0
        self.compiled = calls.Characters.of(self.letters, self.bias)

    def __call__(self, rows: Ids) -> Floats:
        """rows (n_forms, longest), zero after a form's last letter: (n_forms, filters).

        All forms lie in one row of letters with padding between them, so that no place beyond a
        form's end is computed.
        """
        compiled = calls.characters(self.compiled, rows)
        if compiled is not None:
            return compiled
        half = len(self.letters) // 2
        best = np.zeros((len(rows), self.size), np.float32)
        counts = np.count_nonzero(rows, axis=1)
        forms = np.flatnonzero(counts)
        if not len(forms):
            return best
        lengths = counts[forms]
        places = places_of(lengths, half)
        flat = np.zeros(len(places) + half * (len(forms) + 1), np.int64)
        flat[places] = rows[rows != 0]
        scores = self.letters[0][flat[places - half]]  # (n_letters, filters)
        for k in range(1, len(self.letters)):
            scores += self.letters[k][flat[places + k - half]]
        best[forms] = np.maximum.reduceat(scores, np.cumsum(lengths) - lengths, axis=0)
        best[forms] += self.bias
        return best


class PlainTable:
    """A row of a lookup table for each form."""

    def __init__(self, folder: ModelFolder, table: FormTable) -> None:
        self.table = folder.array(table.array, table.n_rows, None)
        self.size = int(self.table.shape[1])

    def __call__(self, rows: Ids) -> Floats:
        """rows (n_forms,): (n_forms, size)."""
        vectors: Floats = self.table[rows]
        return vectors


class Layer(Protocol):
    """A function from the rows of a table to numbers."""

    size: int

    def __call__(self, rows: Ids) -> Floats:
        """The numbers (n_forms, size) of forms."""


def _layer(folder: ModelFolder, table: FormTable) -> Layer:
    kind = table.array
    if kind == "letters":
        kind = folder.table.features.letters
    elif kind not in ADDED:
        return PlainTable(folder, table)
    if kind == "convolution":
        return Letters(folder, table)
    layers: Layer = LETTERS[kind].of_folder(folder, table)
    return layers


class FormEncoder:
    """The vector of a word form: all lookup tables that depend on the form alone."""

    def __init__(self, folder: ModelFolder, words: WordTable) -> None:
        self.words = words
        self.features = load_form_features(folder, words)
        self.layers = {table.array: _layer(folder, table) for table in self.features.tables}
        self.is_sum = folder.table.features.joined == "sum"
        added = [layer.size for name, layer in self.layers.items() if self.is_sum or name in ADDED]
        if any(size != words.size for size in added):
            what = f"tables of {added} numbers to be added to words of {words.size}"
            raise damaged(what, folder.path)
        every = sum(layer.size for layer in self.layers.values())
        self.size = words.size + every - sum(added)

    def encode(self, spelt: Sequence[Spelling]) -> Floats:
        """(n_forms, size) float32; the spelling of `PADDING_FORM` is the padding word."""
        rows = self.features.ids_of(spelt)
        vectors, parts = self.words.vectors(rows["words"]), []
        for name, layer in self.layers.items():
            if self.is_sum or name in ADDED:
                vectors += layer(rows[name])
            else:
                parts.append(layer(rows[name]))
        return np.concatenate([vectors, *parts], axis=1)
