"""The original's networks: windows of words for tags, whole sentences for roles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from senna.classic.options import FatalError
from senna.lab.original.folder import Floats, Ints, Weights, rows_of
from senna.paths.viterbi import Dense
from senna.products.workspace import places_of


class Layer(NamedTuple):
    """A linear layer: weights (n_outputs, n_inputs), bias (n_outputs,)."""

    weights: Floats
    bias: Floats

    @classmethod
    def read(cls, file: Weights, n_inputs: int) -> Layer:
        """A layer of a file; it takes `n_inputs` numbers."""
        weights, bias = file.matrix(), file.vector()
        file.check(weights.shape == (len(bias), n_inputs))
        return cls(weights, bias)

    def __call__(self, x: Floats) -> Floats:
        return np.asarray(x @ self.weights.T + self.bias)


class Windows:
    """Lookup tables whose rows are joined: word, capitals and one more feature, or more."""

    def __init__(self, tables: Sequence[Floats]) -> None:
        self.tables = list(tables)
        self.width = sum(table.shape[1] for table in tables)
        self.padding: Floats = np.zeros(self.width, np.float32)

    def pad(self, numbers: Sequence[int]) -> None:
        """Set the rows that stand for words beyond the sentence."""
        pairs = list(zip(self.tables, numbers, strict=True))
        if not all(0 <= number < len(table) for table, number in pairs):
            raise FatalError("lookup: padding index out of range")
        self.padding = np.concatenate([table[number] for table, number in pairs])

    def vectors(self, features: Sequence[Ints]) -> Floats:
        """The vectors of words, (n_words, width), by the numbers of their features."""
        vectors = [
            rows_of(table, numbers) for table, numbers in zip(self.tables, features, strict=True)
        ]
        return np.concatenate(vectors, axis=1)

    def windows(self, features: Sequence[Ints], lengths: Ints, size: int) -> Floats:
        """The vectors around each word of sentences that lie end to end, (n_words, size * width).

        `size` is odd; the words of the window come one after another.
        """
        margin = size // 2
        places = places_of(lengths, margin)
        flat = np.empty((places.size + margin * (len(lengths) + 1), self.width), np.float32)
        flat[:] = self.padding
        flat[places] = self.vectors(features)
        around = flat[places[:, None] + np.arange(-margin, margin + 1)]  # (n_words, size, width)
        return np.asarray(around.reshape(len(places), -1))


class WindowNetwork:
    """Tags from windows: POS, CHK, NER, PT0, and VBS, which has no search of paths."""

    def __init__(self, file: Weights, n_tables: int, *, paths: bool = True) -> None:
        self.size = _window(file)
        self.input = Windows([file.matrix() for _ in range(n_tables)])
        self.first = Layer.read(file, self.size * self.input.width)
        self.last = Layer.read(file, len(self.first.bias))
        self.n_classes = len(self.last.bias)
        self.paths = _read_paths(file, self.n_classes) if paths else None
        # NER has one padding for all its phrase lists.
        word, caps, other = (file.number() for _ in range(3))
        file.finish()
        self.input.pad([word, caps, *[other] * (n_tables - 2)])

    def __call__(self, features: Sequence[Ints], lengths: Ints) -> Ints:
        """The classes of the words of sentences that lie end to end, (n_words,)."""
        x = self.input.windows(features, lengths, self.size)
        scores = self.last(hard_tanh(self.first(x)))  # (n_words, n_classes)
        return self.paths.decode(scores, lengths) if self.paths else scores.argmax(axis=1)


class RolesNetwork:
    """SRL: for each verb and word a convolution over the sentence, and its maximum."""

    def __init__(self, file: Weights) -> None:
        self.size = _window(file)
        self.input = Windows([file.matrix() for _ in range(3)])
        self.to_verb, self.to_word = file.matrix(), file.matrix()
        self.first = file.matrix()
        verb, word = file.matrix(), file.matrix()
        self.bias = file.vector()
        tables = (self.to_verb, self.to_word)
        shapes = [(len(self.bias), self.size * table.shape[1]) for table in tables]
        wide = (len(self.bias), self.size * self.input.width)
        file.check(
            all(map(len, tables)), [self.first.shape, verb.shape, word.shape] == [wide, *shapes]
        )
        self.hidden = Layer.read(file, len(self.bias))
        self.last = Layer.read(file, len(self.hidden.bias))
        self.n_classes = len(self.last.bias)
        self.paths = _read_paths(file, self.n_classes)
        padding = [file.number() for _ in range(3)]
        file.finish()
        self.input.pad(padding)
        self.by_verb = _by_distance(self.to_verb, verb, self.size)
        self.by_word = _by_distance(self.to_word, word, self.size)

    def __call__(self, features: Sequence[Ints], verbs: Sequence[int]) -> list[Ints]:
        """The classes of the words of a sentence for each of its verbs."""
        n = len(features[0])
        lengths = np.array([n])
        base = self.input.windows(features, lengths, self.size) @ self.first.T + self.bias
        classes = []
        for verb in verbs:
            reach = len(self.by_verb) // 2
            distances = np.clip(np.arange(n) - verb, -reach, reach) + reach
            x = farthest(base + self.by_verb[distances], self.by_word)
            scores = self.last(hard_tanh(self.hidden(x)))
            classes.append(self.paths.decode(scores, lengths))
        return classes


def hard_tanh(x: Floats) -> Floats:
    """Numbers clipped to [-1, 1]."""
    return np.clip(x, -1, 1)


def farthest(x: Floats, added: Floats) -> Floats:
    """For each word k the maximum over all words t of x[t] + added[t - k + middle], each unit.

    x (n_words, n_units); added (n_distances, n_units), whose end rows serve all words beyond.
    """
    n, middle = len(x), (len(added) - 1) // 2
    out = np.full_like(x, -np.inf)
    for row, numbers in enumerate(added):
        distance = row - middle
        start, end = max(0, -distance), min(n, n - distance)  # of k, so that t is in the sentence
        if start < end:
            np.maximum(
                out[start:end], x[start + distance : end + distance] + numbers, out=out[start:end]
            )
    before, after = -middle - 1, len(added) - middle  # the distances next beyond the rows
    if n + before > 0:
        running = np.maximum.accumulate(x)[: n + before] + added[0]
        np.maximum(out[-before:], running, out=out[-before:])
    if n - after > 0:
        running = np.maximum.accumulate(x[::-1])[::-1][after:] + added[-1]
        np.maximum(out[: n - after], running, out=out[: n - after])
    return out


def _by_distance(table: Floats, weights: Floats, size: int) -> Floats:
    """The contribution of windows of distances, (n_distances, n_units), from the farthest left on.

    From table (n, width) and weights (n_units, size * width). End rows serve all words beyond.
    """
    longest, margin = (len(table) - 1) // 2, size // 2
    reach = longest + margin
    middles = np.arange(-reach, reach + 1)
    distances = middles[:, None] + np.arange(-margin, margin + 1)
    rows = table[np.clip(distances, -longest, longest) + longest]  # (n_distances, size, width)
    return np.asarray(rows.reshape(len(middles), -1) @ weights.T)


def _window(file: Weights) -> int:
    size = file.number()
    file.check(0 < size < 1000, size % 2)
    return size


def _read_paths(file: Weights, n: int) -> Dense:
    """Scores of first tags, and of moves; files have them (to, from)."""
    initial, moves = file.vector(), file.matrix()
    file.check(initial.shape == (n,), moves.shape == (n, n))
    return Dense(np.ascontiguousarray(moves.T), initial)
