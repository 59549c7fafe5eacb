"""The first, linear layer at tagging time (eq. 2 to 4), computed the cheap way round.

Each distinct form is projected once for each place of the window and kept; a word's first layer
is then a sum of `window` rows. Features that depend on the sentence (part of speech, PT0,
gazetteer) have projected tables of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from senna.errors import SennaError
from senna.infer.lookup import FormEncoder, WordTable, places_of, product
from senna.infer.model_folder import ModelFolder
from senna.text.features import PADDING_FORM, Vocabulary
from senna.text.gazetteer import NONE, Gazetteer

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

N_FORMS = 16_384  # forms that are remembered; then all are forgotten
N_KEPT = 4_096  # of these, how many keep their projection
CHUNK = 4_096  # words a step; rows for forms beyond the kept ones are memory only once used


@dataclass(frozen=True, eq=False)
class Block:
    """Some sentences as a network takes them, end to end with paddings in between.

    flat (n_flat,), places (n_words,): from `Forms.number`; lengths (n_sentences,) in words; pos,
    pt0 (n_flat,) and marks (n_flat, n_types): context features laid out like flat.
    """

    flat: Ints
    places: Ints
    lengths: Ints
    pos: Ints | None = None
    marks: NDArray[np.int32] | None = None
    pt0: Ints | None = None


class Forms:
    """Numbers the distinct forms of the text; 0 is the padding form.

    All models of a pipeline share the numbers, so a token is looked up once.
    """

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {PADDING_FORM: 0}
        self.names: list[str] = [PADDING_FORM]
        self.generation = 0  # grows when the numbers start anew

    def number(self, sentences: Sequence[Sequence[str]], margin: int) -> tuple[Ints, Ints]:
        """Form numbers of all words, `margin` paddings before, between and after sentences.

        Returns the flat numbers and the places of the words in them.
        """
        numbers = self.numbers
        if len(numbers) > N_FORMS:
            numbers.clear()
            numbers[PADDING_FORM] = 0
            self.names = [PADDING_FORM]
            self.generation += 1
        gap = [0] * margin
        flat = list(gap)
        for forms in sentences:
            flat += [numbers.setdefault(form, len(numbers)) for form in forms]
            flat += gap
        self.names += islice(numbers, len(self.names), None)
        lengths = np.array([len(forms) for forms in sentences], np.int64)
        return np.array(flat, np.int64), places_of(lengths, margin)


class FirstLayer:
    """Form numbers (and context features) to the first layer of a model folder."""

    def __init__(
        self, folder: ModelFolder, words: WordTable, forms: Forms, window: int, units: int
    ) -> None:
        self.forms = forms
        self.encoder = FormEncoder(folder, words)
        self.window, self.units = window, units
        weights = folder.array("layer-0.weight").reshape(window, -1, units)
        self.bias = np.array(folder.array("layer-0.bias"))
        size = self.encoder.size
        # (size, window * units): one product projects a form for all places
        self.projection = np.ascontiguousarray(weights[:, :size].transpose(1, 0, 2)).reshape(
            size, window * units
        )
        self.vocabularies: dict[str, Vocabulary] = {}
        self.tag_rows: dict[str, Floats] = {}
        for name in folder.meta["features"].get("tags", ()):
            table, self.vocabularies[name] = folder.array(name), folder.vocabulary(f"{name}.txt")
            end = size + table.shape[1]
            self.tag_rows[name] = project(table, weights[:, size:end])
            size = end
        self.gazetteer = load_gazetteer(folder)
        self.gazetteer_rows = []
        for i in range(len(self.gazetteer.types) if self.gazetteer else 0):
            table = folder.array(f"gazetteer-{i}")
            end = size + table.shape[1]
            rows = project(table, weights[:, size:end]).reshape(-1, window, units)
            # Most words are in no phrase: that case goes into the bias, and only the difference
            # to it is ever added.
            self.bias += rows[NONE].sum(axis=0)
            self.gazetteer_rows.append((rows - rows[NONE]).reshape(-1, units))
            size = end
        if size != weights.shape[1]:
            raise SennaError(
                f"layer-0 takes {weights.shape[1]} numbers a word, the features have {size}",
                where=str(folder.path),
            )
        self._generation = -1

    def _restart(self) -> None:
        """Forget all forms: their numbers have changed."""
        self._generation = self.forms.generation
        window = self.window
        extra = CHUNK + 4 * window + 2  # forms of one chunk that have no kept row
        self.rows = np.empty(((N_KEPT + extra) * window, self.units), np.float32)
        self.slots = np.full(N_FORMS * 2, -1, np.int64)
        self.n_kept = 0

    def __call__(self, block: Block) -> Floats:
        """The first layer of all words, (n_words, units), before anything that is not linear."""
        if self._generation != self.forms.generation:
            self._restart()
        x = np.empty((len(block.places), self.units), np.float32)
        given = {"pos": block.pos, "pt0": block.pt0}
        tags = {name: own for name, own in given.items() if own is not None}
        for start in range(0, len(block.places), CHUNK):
            part = slice(start, start + CHUNK)
            self._fill(block.flat, block.places[part], tags, block.marks, x[part])
        return x

    def _fill(
        self,
        flat: Ints,
        places: Ints,
        tags: dict[str, Ints],
        marks: NDArray[np.int32] | None,
        out: Floats,
    ) -> None:
        """The layer of some words, into out (n, units)."""
        window, half = self.window, self.window // 2
        first, last = int(places[0]) - half, int(places[-1]) + half + 1
        slots = self._slots_of(flat[first:last])
        local = places - first
        row = np.empty_like(out)
        out[:] = self.bias
        for k in range(window):
            here = local + (k - half)
            np.take(self.rows, slots[here] * window + k, axis=0, out=row, mode="clip")
            out += row
            for name, rows in self.tag_rows.items():
                if name in tags:
                    own = tags[name][first:last][here]
                    np.take(rows, own * window + k, axis=0, out=row, mode="clip")
                    out += row
            if marks is not None:
                self._add_marks(marks[first:last][here], k, out)

    def _add_marks(self, marks: NDArray[np.int32], k: int, out: Floats) -> None:
        """Add the gazetteer's rows of the words that stand in phrases, or are padding."""
        for kind, rows in enumerate(self.gazetteer_rows):
            values = marks[:, kind]
            here = np.flatnonzero(values != NONE)
            if len(here):
                out[here] += rows[values[here] * self.window + k]

    def _slots_of(self, numbers: Ints) -> Ints:
        """Rows (over window) that hold the projections of forms; projects new ones."""
        slots = self.slots
        if len(self.forms.numbers) > len(slots):
            more = np.full(len(self.forms.numbers), -1, np.int64)
            more[: len(slots)] = slots
            slots = self.slots = more
        wanted = np.zeros(len(slots), np.bool_)  # np.unique would load numpy.ma
        wanted[numbers[slots[numbers] < 0]] = True
        missing = np.flatnonzero(wanted)
        if not len(missing):
            return slots[numbers]
        vectors = self.encoder.encode([self.forms.names[i] for i in missing])
        kept = self.n_kept + len(missing) <= N_KEPT
        start = self.n_kept if kept else N_KEPT  # from there on for this chunk only
        rows = self.rows.reshape(-1, self.window * self.units)
        product(vectors, self.projection, rows[start : start + len(missing)])
        slots[missing] = np.arange(start, start + len(missing))
        found = slots[numbers]
        if kept:
            self.n_kept += len(missing)
        else:
            slots[missing] = -1
        return found


def project(table: Floats, weights: Floats) -> Floats:
    """Rows of a small table for each window place, (n_rows * window, units).

    table (n_rows, size), weights (window, size, units).
    """
    rows = np.einsum("rs,wsu->rwu", table, weights)
    return np.ascontiguousarray(rows.reshape(-1, weights.shape[2]).astype(np.float32))


def load_gazetteer(folder: ModelFolder) -> Gazetteer | None:
    """The phrase lists of a model: ``gazetteer.txt`` holds phrase, tab, types as bits."""
    if not folder.has("gazetteer.txt"):
        return None
    phrases = {}
    for line in folder.lines("gazetteer.txt"):
        phrase, _, bits = line.rpartition("\t")
        phrases[phrase] = int(bits)
    settings = folder.meta["features"]["gazetteer"]
    return Gazetteer(tuple(settings["types"]), phrases, settings["coding"] == "position")
