"""The first, linear layer at tagging time (eq. 2 to 4), computed the cheap way round.

Each distinct form is projected once for each place of the window and kept; a word's first layer
is then a sum of `window` rows. Features that depend on the sentence (tags of other tasks, phrase
lists) have projected tables of their own. Phrase lists of a model add rows for words in known
phrases.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from senna.errors import SennaError
from senna.inference.exact import Floats, Weights, product, sums
from senna.inference.lookup import FormEncoder, WordTable
from senna.inference.workspace import N_KEPT, Block, Ints, Rows, Workspace
from senna.model.folder import ModelFolder
from senna.model.schema import damaged
from senna.text.gazetteer import N_VALUES, OUTSIDE, Gazetteer
from senna.text.vocabulary import Vocabulary

# Of a list with as many tabs as lines; one look at the whole, as it may have very many.
_PHRASES = re.compile(r"(?:[^\t]++\t[0-9]{1,18}+\n)*+")


class PhraseLists:
    """The phrase lists of a model folder, and a table of what each type adds to a first layer.

    Most words are in no phrase: `outside` is what they have of each type, (window, units), which
    goes into the bias; only the difference to it is ever added.
    """

    def __init__(
        self, folder: ModelFolder, window: int, projected: Callable[[str, int], Floats]
    ) -> None:
        """projected: a table, by its name and number of rows: (n_rows * window, units)."""
        self.gazetteer = load_gazetteer(folder)
        self.window = window
        self.outside: list[Floats] = []
        self.tables: list[Floats] = []
        for i in range(len(self.gazetteer.types)):
            rows = projected(f"gazetteer-{i}", N_VALUES)
            rows = rows.reshape(N_VALUES, window, -1)
            self.outside.append(rows[OUTSIDE])
            self.tables.append((rows - rows[OUTSIDE]).reshape(N_VALUES * window, -1))

    def marks(
        self, sentences: Sequence[Sequence[str]], flat: Ints, places: Ints
    ) -> NDArray[np.int32]:
        """Which words are in phrases (n_flat, n_types), laid out like `flat`."""
        marks = np.zeros((len(flat), len(self.gazetteer.types)), np.int32)
        marks[places] = self.gazetteer.mark(sentences)
        return marks

    def parts(self, marks: NDArray[np.int32], k: int) -> Iterator[tuple[Floats, Ints]]:
        """The parts of a sum that some words (n, n_types) add at place k of the window."""
        rows = marks.T.astype(np.int64)
        wanted = np.where(rows == OUTSIDE, -1, rows * self.window + k)
        return zip(self.tables, wanted, strict=True)


def load_gazetteer(folder: ModelFolder) -> Gazetteer:
    """The phrase lists of a model: ``gazetteer.txt`` holds phrase, tab, types as bits."""
    settings = folder.meta["features"]["gazetteer"]
    text = folder.text("gazetteer.txt")
    if text.count("\t") != text.count("\n") or not _PHRASES.fullmatch(text):
        raise damaged("lines that are no phrase, tab, bits", folder.path / "gazetteer.txt")
    position = settings["coding"] == "position"
    return Gazetteer(settings["types"], text.split("\n")[:-1], position)


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

        for name in folder.meta["features"].get("tags", ()):
            self.vocabularies[name] = folder.vocabulary(f"{name}.txt")
            self.tag_rows[name] = projected(name, len(self.vocabularies[name]))
        self.phrases: PhraseLists | None = None
        if folder.has("gazetteer.txt"):
            from senna.inference.first_layer import PhraseLists

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
