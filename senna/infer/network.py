"""The window network at tagging time (eqs. 1 to 5), computed the cheap way round.

The first layer is linear, so each distinct form is projected once for each place of the window
and kept; a word's first layer is then a sum of `window` rows. Features that depend on the
sentence (part of speech, gazetteer) have projected tables of their own.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from senna.errors import SennaError
from senna.infer.lookup import FormEncoder, WordTable, places_of, product
from senna.infer.model_folder import ModelFolder
from senna.infer.viterbi import viterbi
from senna.text.features import PADDING_FORM, Vocabulary
from senna.text.gazetteer import NONE, Gazetteer
from senna.text.iobes import FORBIDDEN, PLAIN_TASKS, forbidden

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

N_FORMS = 16_384  # forms that are remembered; then all are forgotten
N_KEPT = 4_096  # of these, how many keep their projection
CHUNK = 4_096  # words a step; rows for forms beyond the kept ones are memory only once used


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


@dataclass(frozen=True)
class Hidden:
    """One hidden layer's weights, (window * size, units), and bias (units,)."""

    weights: Floats
    bias: Floats
    window: int


class Head:
    """The layers, output layer and transitions of one task."""

    def __init__(self, folder: ModelFolder, task: str, layers: list[Hidden]) -> None:
        self.tags = folder.lines(f"{task}.tags.txt")
        self.layers = layers
        self.weights = np.ascontiguousarray(folder.array(f"{task}.output.weight"))
        n = len(self.tags)
        self.bias = folder.array(f"{task}.output.bias", n)
        network = folder.meta["network"]
        self.paths = network["criterion"] == "sentence"
        self.transitions = np.array(folder.array(f"{task}.transitions", n))
        self.initial = np.array(folder.array(f"{task}.initial", n))
        self.final = np.zeros(len(self.tags), np.float32)
        if self.paths and network["constrained"] and task not in PLAIN_TASKS:
            rules = forbidden(self.tags)
            self.initial[rules[0]] = FORBIDDEN
            self.transitions[rules[1:-1]] = FORBIDDEN
            self.final[rules[-1]] = FORBIDDEN


class Tagger:
    """One model folder, loaded: form numbers (and context features) to tags."""

    def __init__(self, folder: ModelFolder, words: WordTable, forms: Forms) -> None:
        self.folder = folder
        self.tasks = folder.tasks
        self.forms = forms
        self.encoder = FormEncoder(folder, words)
        network = folder.meta["network"]
        self.windows: list[int] = network["window"]
        self.margin = self.windows[0] // 2
        self._load_first(folder, network)
        n_shared = network["shared"]
        shared = [self._layer(folder, f"layer-{i}", i) for i in range(1, n_shared)]
        self.shared = shared
        self.heads = {
            task: Head(
                folder,
                task,
                [
                    self._layer(folder, f"{task}.layer-{i}", i)
                    for i in range(n_shared, len(self.windows))
                ],
            )
            for task in self.tasks
        }
        self._generation = -1

    # ------------------------------------------------------------------- loading

    def _layer(self, folder: ModelFolder, name: str, number: int) -> Hidden:
        weights = np.ascontiguousarray(folder.array(f"{name}.weight"))
        return Hidden(weights, folder.array(f"{name}.bias"), self.windows[number])

    def _load_first(self, folder: ModelFolder, network: dict[str, list[int]]) -> None:
        """Cut the first layer's weights by feature and window place."""
        window, units = self.windows[0], network["hidden"][0]
        weights = folder.array("layer-0.weight").reshape(window, -1, units)
        self.bias = np.array(folder.array("layer-0.bias"))
        size = self.encoder.size
        # (size, window * units): one product projects a form for all places
        self.projection = np.ascontiguousarray(weights[:, :size].transpose(1, 0, 2)).reshape(
            size, window * units
        )
        self.units = units
        self.pos: Vocabulary | None = None
        self.pos_rows: Floats | None = None
        if folder.has("pos.npy"):
            self.pos = folder.vocabulary("pos.txt")
            end = size + folder.array("pos").shape[1]
            self.pos_rows = project(folder.array("pos"), weights[:, size:end])
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

    def _restart(self) -> None:
        """Forget all forms: their numbers have changed."""
        self._generation = self.forms.generation
        window = self.windows[0]
        extra = CHUNK + 4 * window + 2  # forms of one chunk that have no kept row
        self.rows = np.empty(((N_KEPT + extra) * window, self.units), np.float32)
        self.slots = np.full(N_FORMS * 2, -1, np.int64)
        self.n_kept = 0

    # ------------------------------------------------------------------- tagging

    def emissions(
        self,
        flat: Ints,
        places: Ints,
        lengths: Ints,
        pos: Ints | None,
        marks: NDArray[np.int32] | None,
        tasks: Collection[str] | None = None,
    ) -> dict[str, Floats]:
        """Scores of all tags of each task asked for (default: all), (n_words, n_tags).

        flat, places: from `Forms.number`; pos (n_flat,) and marks (n_flat, n_types): context
        features laid out like flat.
        """
        if self._generation != self.forms.generation:
            self._restart()
        x = np.empty((len(places), self.units), np.float32)
        for start in range(0, len(places), CHUNK):
            part = slice(start, start + CHUNK)
            self._first(flat, places[part], pos, marks, x[part])
        for layer in self.shared:
            x = hidden(x, layer, lengths)
        scores = {}
        for task, head in self.heads.items():
            if tasks is not None and task not in tasks:
                continue
            y = x
            for layer in head.layers:
                y = hidden(y, layer, lengths)
            scores[task] = product(y, head.weights)
            scores[task] += head.bias
        return scores

    def _first(
        self,
        flat: Ints,
        places: Ints,
        pos: Ints | None,
        marks: NDArray[np.int32] | None,
        out: Floats,
    ) -> None:
        """The first hidden layer of some words, into out (n, units)."""
        window, half = self.windows[0], self.margin
        first, last = int(places[0]) - half, int(places[-1]) + half + 1
        slots = self._slots_of(flat[first:last])
        local = places - first
        row = np.empty_like(out)
        out[:] = self.bias
        for k in range(window):
            here = local + (k - half)
            np.take(self.rows, slots[here] * window + k, axis=0, out=row, mode="clip")
            out += row
            if self.pos_rows is not None and pos is not None:
                tags = pos[first:last][here]
                np.take(self.pos_rows, tags * window + k, axis=0, out=row, mode="clip")
                out += row
            if marks is not None:
                self._add_marks(marks[first:last][here], k, out)
        np.clip(out, -1.0, 1.0, out=out)  # HardTanh, eq. 5

    def _add_marks(self, marks: NDArray[np.int32], k: int, out: Floats) -> None:
        """Add the gazetteer's rows of the words that stand in phrases, or are padding."""
        for kind, rows in enumerate(self.gazetteer_rows):
            values = marks[:, kind]
            here = np.flatnonzero(values != NONE)
            if len(here):
                out[here] += rows[values[here] * self.windows[0] + k]

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
        window = self.windows[0]
        vectors = self.encoder.encode([self.forms.names[i] for i in missing])
        projected = product(vectors, self.projection).reshape(-1, self.units)
        n_new = min(len(missing), N_KEPT - self.n_kept)
        where = np.concatenate(
            [
                np.arange(self.n_kept, self.n_kept + n_new),
                np.arange(N_KEPT, N_KEPT + len(missing) - n_new),  # for this chunk only
            ]
        )
        self.rows.reshape(-1, window * self.units)[where] = projected.reshape(
            len(missing), window * self.units
        )
        slots[missing] = where
        self.n_kept += n_new
        found = slots[numbers]
        slots[missing[n_new:]] = -1
        return found

    def decode(self, task: str, scores: Floats, lengths: Ints) -> list[list[str]]:
        """The best path of each sentence, as tags."""
        head = self.heads[task]
        if len(scores) == 0:
            return [[] for _ in lengths]
        ends = np.cumsum(lengths)
        scores[ends - 1] += head.final
        if not head.paths:
            path = scores.argmax(axis=1)
        else:
            path = decode(scores, lengths, head.transitions, head.initial)
        tags = [head.tags[i] for i in path]
        return [tags[end - n : end] for end, n in zip(ends, lengths, strict=True)]


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


def hidden(x: Floats, layer: Hidden, lengths: Ints) -> Floats:
    """A later hidden layer: (n_words, size) to (n_words, units), zeros beyond sentence ends."""
    if layer.window == 1:
        y = product(x, layer.weights)
    else:
        half = layer.window // 2
        places = places_of(lengths, half)
        padded = np.zeros((len(x) + half * (len(lengths) + 1), x.shape[1]), np.float32)
        padded[places] = x
        y = np.empty((len(x), len(layer.bias)), np.float32)
        for start in range(0, len(x), CHUNK):
            part = places[start : start + CHUNK]
            windows = [padded[part + k - half] for k in range(layer.window)]
            y[start : start + CHUNK] = product(np.concatenate(windows, axis=1), layer.weights)
    y += layer.bias
    return np.clip(y, -1.0, 1.0, out=y)


def decode(scores: Floats, lengths: Ints, transitions: Floats, initial: Floats) -> NDArray[np.intp]:
    """Viterbi over sentences of like length together; flat in, flat out, (n_words,)."""
    starts = np.cumsum(lengths) - lengths
    order = np.argsort(-lengths, kind="stable")
    order = order[lengths[order] > 0]
    path = np.empty(len(scores), np.intp)
    for first in range(0, len(order), 128):
        rows = order[first : first + 128]
        own = lengths[rows].astype(np.int32)
        steps = np.arange(own[0])
        # Beyond a sentence's end any row does: viterbi does not look at it.
        index = np.minimum(starts[rows] + steps[:, None], len(scores) - 1)
        padded = np.ascontiguousarray(scores[index].transpose(0, 2, 1))  # (step, tag, sentence)
        best = viterbi(padded, own, transitions, initial)
        inside = steps[:, None] < own
        path[index[inside]] = best[inside]
    return path
