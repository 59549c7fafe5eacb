"""The original's networks: windows for tags, whole sentences for roles, and levels of parse trees.

Each level of a tree is a tagging of words by larger constituents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from senna.decoding.viterbi import Dense
from senna.extras.classic.program import FatalError, opened, text_of
from senna.inference.networks.sentence import maxima
from senna.inference.workspace import places_of

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
LAST_NUMBER = 777.0  # the last number of a file of weights


class Weights:
    """A file of weights, read number by number; its arrays stay in the file until they are used."""

    def __init__(self, path: str, name: str) -> None:
        self.name = name
        opened(path, regular=True).close()
        n = Path(path).stat().st_size // 4
        self._numbers: NDArray[np.int32] = (
            np.memmap(path, "<i4", "r", shape=(n,)) if n else np.empty(0, "<i4")
        )
        self._at = 0

    def number(self) -> int:
        """A whole number."""
        return int(self._take(1)[0])

    def vector(self) -> Floats:
        """A vector, with its length before it."""
        return self._floats(self.number())

    def matrix(self) -> Floats:
        """A matrix, (number of rows, numbers per row)."""
        width, height = self.number(), self.number()
        if min(width, height) < 0:
            raise self.corrupted()
        return self._floats(width * height).reshape(height, width)

    def finish(self) -> None:
        """Check the end mark."""
        if self._floats(1)[0] != LAST_NUMBER:
            raise self.corrupted()

    def check(self, *fits: Any) -> None:
        """Refuse weights that do not fit one another."""
        if not all(fits):
            raise self.corrupted()

    def corrupted(self) -> FatalError:
        """The error of a damaged file."""
        return FatalError(f"{self.name}: data corrupted (or not IEEE floating computer)")

    def _floats(self, n: int) -> Floats:
        return np.asarray(self._take(n)).view("<f4")

    def _take(self, n: int) -> NDArray[np.int32]:
        if n < 0:
            raise self.corrupted()
        numbers = self._numbers[self._at : self._at + n]
        if len(numbers) < n:
            what = f"read error: read {len(numbers)} elements instead of {n} (of size 4)"
            raise FatalError(what)
        self._at += n
        return numbers


def rows_of(table: Floats, numbers: Any) -> Floats:
    """Rows of a lookup table; FatalError for numbers that it does not have."""
    numbers = np.asarray(numbers, np.int64)
    if numbers.size and not 0 <= numbers.min() <= numbers.max() < len(table):
        raise FatalError("lookup: index out of range")
    return np.asarray(table[numbers])


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
    middle = (len(added) - 1) // 2
    reach = len(added) - middle
    rows = np.clip(np.arange(-reach, reach + 1) + middle, 0, len(added) - 1)
    return maxima(x[:, None], added[rows])[:, 0]


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


# --------------------------------------------------------------------------- trees


OUT, BEGIN, INSIDE, END, SINGLE = range(
    5
)  # kinds of tags; class 1 + 4 l + k is kind k + 1 of label l

# The states of a word by the kind of segment that it stands in from the levels below, in the order
# in which ties are broken: kinds of tags, and where the new segment lies against the old one. It
# begins with the old one and goes on beyond, began before and goes on beyond, or began before and
# ends with it; else it is free (OUT). So a new segment is never the same as an old one, and never
# cuts one.
_STATES = {
    OUT: ((BEGIN, OUT), (INSIDE, OUT), (END, OUT), (SINGLE, OUT)),
    SINGLE: ((BEGIN, OUT), (INSIDE, OUT), (END, OUT)),
    BEGIN: ((BEGIN, BEGIN), (INSIDE, INSIDE), (INSIDE, END)),
    INSIDE: ((INSIDE, BEGIN), (INSIDE, INSIDE), (INSIDE, END)),
    END: ((INSIDE, OUT), (END, OUT)),
}


class ParseNetwork:
    """The levels of a sentence's tree."""

    def __init__(self, file: Weights) -> None:
        self.input = Windows([file.matrix() for _ in range(4)])  # word, caps, POS, level below
        self.first = Layer.read(file, self.input.width)
        self.by_distance = file.matrix()
        file.check(len(self.by_distance), self.by_distance.shape[1] == len(self.first.bias))
        self.hidden = Layer.read(file, len(self.first.bias))
        self.last = Layer.read(file, len(self.hidden.bias))
        self.n_classes = n = len(self.last.bias)
        if n % 4 != 1:
            raise FatalError("Treillis: Number of tags is not divisible by 4...")
        self.initial, self.moves = file.vector(), file.matrix()  # moves (to, from)
        file.check(self.initial.shape == (n,), self.moves.shape == (n, n))
        file.check(np.isfinite(self.initial).all(), np.isfinite(self.moves).all())
        for _ in range(4):  # paddings, of no use
            file.number()
        file.finish()
        self._file = file
        self._moves_between = cache(self._moves_between_kinds)

    def __call__(self, features: Sequence[Ints]) -> list[Ints]:
        """The classes of all words, level by level, the lowest first."""
        n = len(features[0])
        below = np.zeros(n, np.int64)
        levels = []
        while True:
            classes = self._level(features, below)
            levels.append(classes)
            below = np.where(classes > 0, classes, below)
            if not classes.any() or spans_all(below):
                return levels

    def _level(self, features: Sequence[Ints], below: Ints) -> Ints:
        each = self.first(self.input.vectors([*features, below]))
        x = farthest(each, self.by_distance)
        scores = self.last(hard_tanh(self.hidden(x)))
        self._file.check(np.isfinite(scores).all())  # else levels might never end
        return self._best(scores, kinds_of(below).tolist())

    def _best(self, scores: Floats, segments: list[int]) -> Ints:
        """The best classes, (n_words,), above segments of the levels below, by kind."""
        n_labels = (self.n_classes - 1) // 4
        states = [_states(kind, n_labels) for kind in segments]
        tags = states[0][0]
        kinds = kinds_of(tags)
        possible = (kinds == OUT) | (kinds == BEGIN) | (kinds == SINGLE)
        alpha = np.where(possible, self.initial[tags] + scores[0, tags], -np.inf)
        back = []
        for word in range(1, len(segments)):
            paths = self._moves_between(segments[word - 1], segments[word]) + alpha  # (to, from)
            back.append(paths.argmax(axis=1))
            alpha = paths.max(axis=1) + scores[word, states[word][0]]
        last = kinds_of(states[-1][0])
        best = int(np.where((last == BEGIN) | (last == INSIDE), -np.inf, alpha).argmax())
        path = [best]
        for pointers in reversed(back):
            path.append(int(pointers[path[-1]]))
        return np.array(
            [choices[0][state] for choices, state in zip(states, path[::-1], strict=True)]
        )

    def _moves_between_kinds(self, before: int, after: int) -> Floats:
        """Scores of moves between the states of two words, (to, from); -inf for none."""
        n_labels = (self.n_classes - 1) // 4
        (old, old_place), (new, new_place) = (_states(k, n_labels) for k in (before, after))
        was, now = kinds_of(old), kinds_of(new)[:, None]
        closed = (was == OUT) | (was == END) | (was == SINGLE)
        opens = (now == OUT) | (now == BEGIN) | (now == SINGLE)
        same = (now == INSIDE) | (now == END)
        same = (
            same & ((old - 1) // 4 == (new[:, None] - 1) // 4) & ((was == BEGIN) | (was == INSIDE))
        )
        if after == INSIDE:
            same &= old_place == new_place[:, None]
        elif after == END:
            ends = old_place == END
            same &= np.where(now == END, ends, ~ends)
        moves = self.moves[new[:, None], old]
        return np.where((closed & opens) | same, moves, np.float32(-np.inf))


@cache
def _states(kind: int, n_labels: int) -> tuple[Ints, NDArray[np.int64]]:
    """The states of a word: classes, and places against the old segment; see `_STATES`."""
    states = [(0, OUT)]
    for label in range(n_labels):
        states += [(4 * label + tag, place) for tag, place in _STATES[kind]]
    classes, places = zip(*states, strict=True)
    return np.array(classes), np.array(places)


def kinds_of(classes: Ints) -> Ints:
    """The kinds of tags, O to S, of classes."""
    return np.where(classes == 0, OUT, (classes - 1) % 4 + 1)


def spans_all(classes: Ints) -> bool:
    """Whether the words are in one segment from the first to the last, by the kinds of tags."""
    kinds = kinds_of(classes).tolist()
    whole = [SINGLE] if len(kinds) == 1 else [BEGIN, *[INSIDE] * (len(kinds) - 2), END]
    return bool(kinds == whole)


def cells(levels: Sequence[Ints], left: Sequence[str], right: Sequence[str]) -> list[str]:
    """A column of brackets, by the strings that classes write before and after their words."""
    rows = [row.tolist() for row in levels]
    column = [
        "".join(left[c] for c in reversed(classes)) + "*" + "".join(right[c] for c in classes)
        for classes in zip(*rows, strict=True)
    ]
    whole = spans_all(levels[-1])
    column[0] = ("(S1" if whole else "(S1(S") + column[0]
    column[-1] += ")" if whole else "))"
    return column


# --------------------------------------------------------------------------- folders

NAMES = ("ner.loc", "ner.msc", "ner.org", "ner.per")  # lists of phrases, with marks beside them
# All lists in the order in which the original loads them, and the networks of tasks.
LISTS = ("words", "caps", "suffix", "gazetteer", *NAMES, "pos", "chk", "pt0", "ner", "vbs", "srl")
NETWORKS: dict[str, Callable[[Weights], Any]] = {
    "pos": lambda file: WindowNetwork(file, 3),
    "chk": lambda file: WindowNetwork(file, 3),
    "pt0": lambda file: WindowNetwork(file, 3),
    "ner": lambda file: WindowNetwork(file, 6),
    "vbs": lambda file: WindowNetwork(file, 3, paths=False),
    "srl": RolesNetwork,
    "psg": ParseNetwork,
}


class Folder:
    """A data folder; `say` gets a line for each list that is read, on first use."""

    def __init__(self, path: str, say: Callable[[str], None]) -> None:
        self.path, self._say = path, say
        self.entries, self.network, self._numbers = map(
            cache, (self._read_entries, self._read_network, self._number)
        )

    def _read_entries(self, name: str) -> list[str]:
        """The lines of a list, empty ones too; it may end without a line feed, or have CR LF."""
        path = f"{self.path}hash/{name}.lst"
        self._say(f"loading hash: {path}")
        with opened(path, regular=True) as file:
            lines = file.read().split(b"\n")
        kept = lines if lines[-1] else lines[:-1]
        return [text_of(line.removesuffix(b"\r")) for line in kept]

    def _number(self, name: str) -> dict[str, int]:
        listed = self.entries(name)
        encoded = [key.encode("utf-8", "surrogateescape") for key in listed]
        if any(a >= b for a, b in pairwise(encoded)):
            raise FatalError("cannot search a key into an unsorted hash")
        return {key: number for number, key in enumerate(listed)}

    def _read_network(self, task: str) -> Any:
        return NETWORKS[task](Weights(f"{self.path}data/{task}.dat", task))

    def keys(self, name: str, *needed: str) -> dict[str, int]:
        """A list that is searched, each key with its number; some keys must be in it."""
        numbers: dict[str, int] = self._numbers(name)
        for key in needed:
            if key not in numbers:
                raise FatalError(f"could not find key {key}")
        return numbers

    def phrases(self) -> Iterator[dict[str, bool]]:
        """Of each list of names its phrases and their beginnings: whether each is a phrase."""
        for name in NAMES:
            keys = self.keys(name)
            with opened(f"{self.path}data/{name}.dat", regular=True) as file:
                marks = file.read()
            if len(marks) != len(keys):
                raise FatalError("inconsistent hash and admissible key files")
            yield {key: bool(marks[number]) for key, number in keys.items()}

    def labels(self, name: str) -> list[str]:
        """The labels of a network's classes; of psg its `psg-left` and `psg-right`."""
        labels: list[str] = self.entries(name)
        if self.network(name.partition("-")[0]).n_classes > len(labels):
            raise FatalError("hash index out of bounds")
        return labels
