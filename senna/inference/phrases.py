"""Phrase lists of a model, and the rows that words in known phrases add to its first layer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from senna.inference.exact import Floats
from senna.inference.workspace import Ints
from senna.model.folder import ModelFolder
from senna.model.schema import damaged
from senna.text.gazetteer import N_VALUES, OUTSIDE, Gazetteer

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
    settings, text = folder.table.features.gazetteer, folder.text("gazetteer.txt")
    if settings is None:
        raise damaged("a table features.gazetteer is missing", folder.path / "model.toml")
    if text.count("\t") != text.count("\n") or not _PHRASES.fullmatch(text):
        raise damaged("lines that are no phrase, tab, bits", folder.path / "gazetteer.txt")
    position = settings.coding == "position"
    return Gazetteer(settings.types, text.split("\n")[:-1], position)
