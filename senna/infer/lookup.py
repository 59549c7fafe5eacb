"""Lookup tables at tagging time: the word table with its overlay, and whole form vectors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from senna.errors import SennaError
from senna.infer.products import Floats, Weights, product
from senna.infer.workspace import places_of
from senna.model.folder import Array, ModelFolder, read_model
from senna.model.schema import AGAIN
from senna.text.features import (
    N_CAPS,
    N_CAPS_READ,
    N_CASE,
    PADDING,
    RARE,
    FormFeatures,
    FormIds,
    Spelling,
    Vocabulary,
)


class WordTable:
    """Word vectors by row of the vocabulary, from one byte, two or four a number.

    A model that shares a base table stores only the rows that its training moved far enough
    (`export.moved`); `rows` says which, in rising order, and the rest come from the base.
    """

    def __init__(self, folder: ModelFolder, base: WordTable | None) -> None:
        self.table = folder.array("words", None, None, types=("<f4", "<f2", "|i1"))
        self.digest: str = folder.meta["files"]["words.npy"]["sha256"]
        n = len(self.table)
        self.scale = folder.array("words.scale", n) if folder.has("words.scale.npy") else None
        self.rows = None
        if folder.has("words.rows.npy"):
            self.rows = folder.array("words.rows", n, types=("<i4",))
        # Which rows training saw: on a base table those it stores, if nothing else is said.
        self.trained = self.rows
        if folder.has("words.trained.npy"):
            self.trained = folder.array("words.trained", None, types=("<i4",))
        self.base = base
        self.case = None
        if folder.has("words.case.npy"):
            self.case = folder.array("words.case", None, types=("|u1",))
        if base is None:
            self.words = folder.vocabulary("words.txt")
        else:
            # Usually no word of its own: then all models share one dictionary.
            own = folder.lines("words.txt") if folder.has("words.txt") else []
            entries = base.words.entries
            self.words = Vocabulary((*entries, *own), base.words) if own else base.words
            if base.case is not None:
                unknown = np.full(len(own), RARE, np.uint8)
                self.case = np.concatenate([base.case, unknown]) if own else base.case
        self._check(folder)

    def _check(self, folder: ModelFolder) -> None:
        """Refuse rows that do not fit each other, the words, or the base."""
        n, where = len(self.words), str(folder.path)
        if len(self.table) != (n if self.rows is None else len(self.rows)):
            raise SennaError(f"{len(self.table)} vectors for {n} words", where=where, mend=AGAIN)
        if self.rows is not None and (self.base is None or not len(self.rows)):
            raise SennaError("words.rows without a base or empty", where=where, mend=AGAIN)
        if self.base is not None and self.base.size != self.size:
            raise SennaError("vectors of another size than its base's", where=where, mend=AGAIN)
        if self.base is not None and self.rows is not None:
            n_base = len(self.base.words)
            if np.count_nonzero(self.rows >= n_base) != n - n_base:
                raise SennaError("words without a vector", where=where, mend=AGAIN)
        for name, rows in (("words.rows", self.rows), ("words.trained", self.trained)):
            if rows is None or not len(rows):
                continue
            if rows[0] < 0 or rows[-1] >= n or (np.diff(rows) <= 0).any():
                what = f"{name} are not rows of {n} words in rising order"
                raise SennaError(what, where=where, mend=AGAIN)
        if self.case is not None and (len(self.case) != n or self.case.max(initial=0) >= N_CASE):
            raise SennaError("words.case does not fit the words", where=where, mend=AGAIN)

    @property
    def size(self) -> int:
        """Numbers a word."""
        return int(self.table.shape[1])

    def vectors(self, rows: NDArray[np.int32]) -> Floats:
        """(n, size) float32."""
        if self.rows is None or self.base is None:
            return self._own(rows)
        places = np.minimum(np.searchsorted(self.rows, rows), len(self.rows) - 1)
        changed = self.rows[places] == rows
        found = self._own(places)
        found[~changed] = self.base.vectors(rows[~changed])
        return found

    def _own(self, places: Array) -> Floats:
        found = self.table[places].astype(np.float32)
        if self.scale is not None:
            found *= self.scale[places, None]
        return found


def load_words(folder: ModelFolder, loaded: dict[Path, WordTable]) -> WordTable:
    """The word table of a model; base tables are loaded once, into `loaded`."""
    path = folder.used("base")
    if path is None:
        return WordTable(folder, None)
    if path not in loaded:
        loaded[path] = WordTable(read_model(path), None)
    if loaded[path].digest != folder.meta["use"].get("base_sha256"):
        raise SennaError(
            f"made for another base table than {path.name}",
            where=str(folder.path),
            mend="Install senna again, or copy the model with its base.",
        )
    return WordTable(folder, loaded[path])


def load_form_features(folder: ModelFolder, words: WordTable) -> FormFeatures:
    """The vocabularies of a model's form features."""
    features = folder.meta["features"]
    prefixes = tuple((n, folder.vocabulary(f"prefix-{n}.txt")) for n in features["prefixes"])
    suffixes = tuple((n, folder.vocabulary(f"suffix-{n}.txt")) for n in features["suffixes"])
    letters = folder.vocabulary("letters.txt") if folder.has("letters.txt") else None
    if letters is not None and any(len(letter) != 1 for letter in letters.entries[2:]):
        where = str(folder.path / "letters.txt")
        raise SennaError("an entry is not one letter", where=where, mend=AGAIN)
    case = words.case if folder.has("case.npy") else None
    if folder.has("case.npy") and (case is None or len(case) != len(words.words)):
        raise SennaError("words.case is missing, in it and in its base", where=str(folder.path))
    longest, marks = features["longest"], features.get("marks", False)
    return FormFeatures(words.words, prefixes, suffixes, letters, longest, case, marks)


class FormEncoder:
    """The vector of a word form: all lookup tables that depend on the form alone."""

    def __init__(self, folder: ModelFolder, words: WordTable) -> None:
        self.words = words
        self.features = load_form_features(folder, words)
        n_caps = N_CAPS_READ if self.features.marks else N_CAPS
        self.caps = folder.array("caps", n_caps, None) if folder.has("caps.npy") else None
        self.case = folder.array("case", N_CASE, None) if folder.has("case.npy") else None
        prefixes = [folder.array(f"prefix-{n}", len(v), None) for n, v in self.features.prefixes]
        suffixes = [folder.array(f"suffix-{n}", len(v), None) for n, v in self.features.suffixes]
        self.affixes = prefixes + suffixes
        self.letters = np.zeros((0, 0, 0), np.float32)  # (width, n_letters, filters)
        self.filter_bias = np.zeros(0, np.float32)
        if self.features.letters is not None:
            letters = folder.array("letters", len(self.features.letters), None)
            self.filter_bias = folder.array("characters.bias", None)
            shape = (-1, letters.shape[1], len(self.filter_bias))
            filters = folder.array("characters.weight", None, shape[2]).reshape(shape)
            self.letters = np.stack([product(letters, Weights.of(own)) for own in filters])
            self.letters[:, PADDING] = 0

    @property
    def size(self) -> int:
        """Numbers a form."""
        size = self.words.size + (self.caps.shape[1] if self.caps is not None else 0)
        size += self.case.shape[1] if self.case is not None else 0
        size += sum(table.shape[1] for table in self.affixes)
        return int(size + len(self.filter_bias))

    def encode(self, spelt: Sequence[Spelling]) -> Floats:
        """(n_forms, size) float32; the spelling of `PADDING_FORM` is the padding word."""
        ids = self.features.ids_of(spelt)
        parts = [self.words.vectors(ids.words)]
        if self.caps is not None:
            parts.append(self.caps[ids.caps])
        if self.case is not None:
            parts.append(self.case[ids.case])
        parts += [table[ids.affixes[:, i]] for i, table in enumerate(self.affixes)]
        if len(self.letters):
            parts.append(self._characters(ids))
        return np.concatenate(parts, axis=1)

    def _characters(self, ids: FormIds) -> Floats:
        """Convolution over letters and maximum over a word's places, (n_forms, filters).

        What a letter gives at each place of a filter was worked out once. All words lie in one
        row of letters with padding between them, so that no place beyond a word's end is computed.
        """
        width, _, filters = self.letters.shape
        half = width // 2
        found = np.zeros((len(ids.lengths), filters), np.float32)
        words = np.flatnonzero(ids.lengths)
        if not len(words):
            return found
        lengths = ids.lengths[words].astype(np.int64)
        places = places_of(lengths, half)
        flat = np.zeros(len(places) + half * (len(words) + 1), np.int64)
        rows = ids.letters[words]
        flat[places] = rows[np.arange(rows.shape[1]) < lengths[:, None]]
        scores = self.letters[0][flat[places - half]]  # (n_letters, filters)
        for k in range(1, width):
            scores += self.letters[k][flat[places + k - half]]
        found[words] = np.maximum.reduceat(scores, np.cumsum(lengths) - lengths, axis=0)
        found[words] += self.filter_bias
        return found
