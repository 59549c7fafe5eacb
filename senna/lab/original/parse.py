"""PSG: a parse tree level by level, each level a tagging of words by larger constituents."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from senna.classic.options import FatalError
from senna.lab.original.folder import Floats, Ints, Weights
from senna.lab.original.networks import Layer, Windows, farthest, hard_tanh

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
