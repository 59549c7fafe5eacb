"""The first, linear layer at tagging time (eq. 2 to 4), computed the cheap way round.

Each distinct form is projected once for each place of the window and kept; a word's first layer
is then a sum of `window` rows. Features that depend on the sentence (tags of other tasks, phrase
lists) have projected tables of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from senna.errors import SennaError
from senna.inference.exact import Floats, Weights, product, sums
from senna.inference.lookup import FormEncoder, WordTable
from senna.inference.workspace import N_KEPT, Block, Ints, Rows, Workspace
from senna.model.folder import ModelFolder
from senna.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from senna.inference.phrases import PhraseLists

CHUNK = 2_048  # words per step; rows for forms beyond the kept ones are memory only once used


class FirstLayer:
    """Form numbers (and context features) to the first layer of a model folder."""

    def __init__(
        self, folder: ModelFolder, words: WordTable, window: int, layers: Mapping[str, int]
    ) -> None:
        """layers: names and units of linear layers, which stand side by side as one."""
        self.encoder = FormEncoder(folder, words)
        self.window, self.units = window, sum(layers.values())
        parts = [folder.array(f"{name}.weight", None, n) for name, n in layers.items()]
        weights = np.concatenate(parts, axis=1).reshape(window, -1, self.units)
        bias = np.concatenate([folder.array(f"{name}.bias", n) for name, n in layers.items()])
        size, is_sum = self.encoder.size, self.encoder.is_sum
        self.projection = _side_by_side(weights[:, :size])
        self.vocabularies: dict[str, Vocabulary] = {}
        self.tag_rows: dict[str, Floats] = {}

        def projected(name: str, n: int) -> Floats:
            """A table of n rows by its own weights, which stand behind those before it."""
            nonlocal size
            table = folder.array(name, n, size if is_sum else None)
            start = 0 if is_sum else size
            size = start + table.shape[1]
            return _project(table, weights[:, start:size])

        for name in folder.table.features.tags:
            self.vocabularies[name] = folder.vocabulary(f"{name}.txt")
            self.tag_rows[name] = projected(name, len(self.vocabularies[name]))
        self.phrases: PhraseLists | None = None
        if folder.has("gazetteer.txt"):
            from senna.inference.phrases import PhraseLists

            self.phrases = PhraseLists(folder, window, projected)
            for rows in self.phrases.outside:
                for row in rows:
                    bias += row
        self.bias = bias
        if size != weights.shape[1]:
            name, n = next(iter(layers)), weights.shape[1]
            what = f"{name} takes {n} numbers per word, but the features have {size}"
            raise SennaError(what, where=str(folder.path))

    def __call__(self, block: Block, space: Workspace) -> Floats:
        """The first layer of all words, (n_words, units), before anything that is not linear."""
        x = np.empty((len(block.places), self.units), np.float32)
        rows = space.rows.get(id(self))
        if rows is None:
            extra = CHUNK + 4 * self.window + 2  # forms of one chunk that have no kept row
            shape = (N_KEPT + extra, self.window * self.units)
            rows = space.rows[id(self)] = Rows(np.empty(shape, np.float32))
        for start in range(0, len(block.places), CHUNK):
            part = slice(start, start + CHUNK)
            self._fill(block, block.places[part], space, rows, x[part])
        return x

    def _fill(self, block: Block, places: Ints, space: Workspace, rows: Rows, out: Floats) -> None:
        """The layer of some words, into out (n, units)."""
        window, half = self.window, self.window // 2
        first, last = int(places[0]) - half, int(places[-1]) + half + 1
        slots = self._slots_of(block.flat[first:last], space, rows)
        table = rows.table.reshape(-1, self.units)
        local = places - first
        parts = []
        for k in range(window):
            here = local + (k - half)
            parts.append((table, slots[here] * window + k))
            for name, projected in self.tag_rows.items():
                parts.append((projected, block.tags[name][first:last][here] * window + k))
            if self.phrases is not None and block.marks is not None:
                parts += self.phrases.parts(block.marks[first:last][here], k)
        sums(parts, self.bias, out=out)

    def _slots_of(self, numbers: Ints, space: Workspace, rows: Rows) -> Ints:
        """Rows of the table that hold the projections of forms; projects new ones."""
        if len(space.spelt) > len(rows.slots):
            more = np.full(len(space.spelt), -1, np.int64)
            more[: len(rows.slots)] = rows.slots
            rows.slots = more
        slots = rows.slots
        rows_of_numbers = slots[numbers]
        # np.unique would load numpy.ma
        missing = np.array(sorted({*numbers[rows_of_numbers < 0].tolist()}), np.int64)
        if not len(missing):
            return rows_of_numbers
        kept = rows.n_kept + len(missing) <= N_KEPT
        start = rows.n_kept if kept else N_KEPT  # from there on for this chunk only
        vectors = self.encoder.encode(space.spellings(missing))
        for first in range(0, len(missing), 256):
            projected = product(vectors[first : first + 256], self.projection)
            rows.table[start + first : start + first + len(projected)] = projected
        slots[missing] = np.arange(start, start + len(missing))
        rows_of_numbers = slots[numbers]
        if kept:
            rows.n_kept += len(missing)
        else:
            slots[missing] = -1
        return rows_of_numbers


def _side_by_side(weights: Floats) -> Weights:
    """weights (window, size, units) -> (size, window * units): one product for all places."""
    window, size, units = weights.shape
    turned = np.ascontiguousarray(weights.transpose(1, 0, 2))
    return Weights.of(turned.reshape(size, window * units))


def _project(table: Floats, weights: Floats) -> Floats:
    """Rows of a small table for each window place, (n_rows * window, units).

    table (n_rows, size), weights (window, size, units).
    """
    rows = product(np.asarray(table, np.float32), _side_by_side(weights))
    return rows.reshape(-1, weights.shape[2])
