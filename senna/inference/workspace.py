"""The state of a call of the networks: the numbers of forms, and their projections.

Loaded models never change; a workspace belongs to one call at a time, and may serve the next one.
What it remembers makes that faster and changes no result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from senna.inference.features.forms import Spellings
from senna.text.vocabulary import PADDING_FORM, Spelling

Ints = NDArray[np.int64]

N_FORMS = 16_384  # forms that are remembered; then all are forgotten
N_KEPT = 6_144  # of these, how many keep their projection, in each network


class Block(NamedTuple):
    """Some sentences as a network takes them, end to end with paddings in between.

    flat (n_flat,), places (n_words,): from `Workspace.number`; lengths (n_sentences,) in words;
    context features laid out like flat: tags of tasks, each (n_flat,), and marks (n_flat, n_types)
    of phrase lists. forms: the words of each sentence; earlier: what the tasks that a network
    reads have found in each, by task.
    """

    flat: Ints
    places: Ints
    lengths: Ints
    tags: Mapping[str, Ints]
    marks: NDArray[np.int32] | None = None
    forms: Sequence[Sequence[str]] = ()
    earlier: Mapping[str, Sequence[Any]] = MappingProxyType({})


class Rows:
    """The projections of forms that one first layer has computed: `slots` says in which row."""

    def __init__(self, table: NDArray[Any]) -> None:
        """table (n_rows, window * units): the kept ones, then those of the words at hand."""
        self.table = table
        self.slots: Ints = np.full(2 * N_FORMS, -1, np.int64)
        self.n_kept = 0


class Numbers(dict[str, int]):
    """Numbers of forms, in the order of their first use; `new` has the forms not yet encoded."""

    def __init__(self, numbers: Mapping[str, int]) -> None:
        super().__init__(numbers)
        self.new: list[str] = []

    def __missing__(self, form: str) -> int:
        number = self[form] = len(self)
        self.new.append(form)
        return number


class Workspace:
    """Numbers the distinct forms of the text, 0 the padding form, and keeps their projections."""

    def __init__(self) -> None:
        # By the first layer's id: it outlives the workspace.
        self.rows: dict[int, Rows] = {}
        self._shared: dict[bytes, Spellings] = {}
        self._restart()

    def _restart(self) -> None:
        self.numbers = Numbers({PADDING_FORM: 0})
        self.spelt = [Spelling.of(PADDING_FORM)]
        for rows in self.rows.values():
            rows.slots.fill(-1)
            rows.n_kept = 0

    def number(self, sentences: Sequence[Sequence[str]], margin: int) -> tuple[Ints, Ints]:
        """Form numbers of all words, `margin` paddings before, between and after sentences.

        Returns the flat numbers and the places of the words in them.
        """
        if len(self.numbers) > N_FORMS:
            self._restart()
        numbers = self.numbers
        gap = [0] * margin
        flat = list(gap)
        for forms in sentences:
            flat += map(numbers.__getitem__, forms)
            flat += gap
        self.spelt += map(Spelling.of, numbers.new)
        numbers.new.clear()
        self._shared.clear()
        lengths = np.array([len(forms) for forms in sentences], np.int64)
        return np.array(flat, np.int64), places_of(lengths, margin)

    def spellings(self, numbers: Ints) -> Spellings:
        """Those of some forms; all networks that ask for the same ones of a text share them."""
        key = numbers.tobytes()
        if key not in self._shared:
            self._shared[key] = Spellings([self.spelt[i] for i in numbers.tolist()])
        return self._shared[key]


def places_of(lengths: Ints, margin: int) -> Ints:
    """Where the items of sequences stand when `margin` paddings lie before, between and after."""
    shift = margin * np.arange(1, len(lengths) + 1)
    return np.arange(int(lengths.sum())) + np.repeat(shift, lengths)
