"""The best paths through tags, for many sentences in step (Viterbi, section 3.4.2); rules of IOBES.

Sentences lie along the last axis of all arrays, so that every maximum over tags runs through
contiguous rows. Scores are added and compared, nothing else, so every machine finds the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from senna.annotation.schemes import all_tags
from senna.inference.kernel import calls

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Paths = NDArray[np.intp]
WIDEST = 128  # sequences in a group: the sums of a step stay in the processor's cache
STEPS = 4_096  # steps of a group's sequences: memory stays flat
FORBIDDEN = -1e4  # score of what IOBES rules out; exp() of it is 0 in float32


def batches(lengths: Ints, widest: int = WIDEST, steps: int = STEPS) -> Iterator[Ints]:
    """Numbers of sequences to compute together, none of them empty, their lengths falling."""
    order = np.argsort(-lengths, kind="stable")
    order = order[lengths[order] > 0]
    start = 0
    while start < len(order):
        n = min(widest, max(1, steps // int(lengths[order[start]])))
        yield order[start : start + n]
        start += n


def places_in(rows: Ints, lengths: Ints) -> Ints:
    """The places of the words of some sentences among those of all, one sentence after another."""
    sizes = lengths[rows]
    moves = (np.cumsum(lengths) - lengths)[rows] - (np.cumsum(sizes) - sizes)
    places: Ints = np.arange(int(sizes.sum())) + np.repeat(moves, sizes)
    return places


def in_step(starts: Ints, lengths: NDArray[np.integer], n_words: int) -> tuple[Ints, Bools]:
    """The words of sentences, of falling lengths, step by step: their numbers, and where words are.

    Both are (n_steps, n_sentences).
    """
    steps = np.arange(lengths[0])[:, None]
    # Beyond a sentence's end any word does: nothing looks at it.
    return np.minimum(starts + steps, n_words - 1), steps < lengths


class Dense:
    """Scores of the moves from any tag to any tag."""

    looks_ahead: ClassVar[bool] = True  # whether later words count for a word's tag

    def __init__(self, transitions: Floats, initial: Floats) -> None:
        """transitions (n_tags, n_tags), [i, j] from i to j; initial (n_tags,)."""
        n = len(initial)
        self.transitions, self.initial = transitions, initial
        self.order = np.arange(n)  # of the tags in the emissions that `best` takes
        self.n_last = n  # tags up to this one may end a sentence
        self.compiled = self._moves(transitions, np.empty((4, 0), np.float32))

    def _moves(self, between: Floats, within: Floats) -> calls.Moves | None:
        """These scores for the compiled kernel; `between` and `within` are those a step sums."""
        return calls.Moves.of(self.transitions.T, self.initial, between, within, self.n_last)

    def start(self, scores: Floats, out: Floats) -> None:
        """The first step: scores (n_tags, n_sentences)."""
        np.add(scores, self.initial[:, None], out=out)

    def step(self, last: Floats, words: Ints, out: Floats, buffer: Floats) -> None:
        """The best of the paths to `last` (n_tags, n) that go on to each tag of some words (n,)."""
        n, m = last.shape
        paths = buffer[: n * n * m].reshape(n, n, m)  # (from, to, sentence)
        np.add(last[:, None], self.moves_to(words), out=paths)
        np.maximum.reduce(paths, axis=0, out=out)

    def best(
        self, emissions: Floats, lengths: NDArray[np.int32], words: Ints | None = None
    ) -> Paths:
        """The best path of each sentence, (n_steps, n_sentences); what is past its end is 0.

        emissions (n_steps, n_tags, n_sentences), tags as in `order`; lengths (n_sentences,)
        falling, none below 1; words (n_steps, n_sentences): the numbers of the words.
        """
        if words is None:
            words = np.zeros(emissions.shape[::2], np.int64)
        n_steps, n_tags, n_sentences = emissions.shape
        alpha = np.empty_like(emissions)
        self.start(emissions[0], alpha[0])
        active = (lengths[None, :] > np.arange(n_steps)[:, None]).sum(1).tolist()
        # One buffer for all steps: fresh memory for each would cost more than the sums.
        buffer = np.empty((n_tags + 1) * n_tags * n_sentences, np.float32)
        for t in range(1, n_steps):
            m = active[t]
            self.step(alpha[t - 1, :, :m], words[t, :m], alpha[t, :, :m], buffer)
            alpha[t, :, :m] += emissions[t, :, :m]
        best = np.zeros((n_steps, n_sentences), np.intp)
        # Back pointers are not kept: one look at the column of the chosen tag finds them again.
        for t in range(n_steps - 1, -1, -1):
            m, done = active[t], active[t + 1] if t + 1 < n_steps else 0
            if m > done:
                best[t, done:m] = alpha[t, : self.n_last, done:m].argmax(axis=0)
            if done:
                moves = self.moves_of(words[t + 1, :done], best[t + 1, :done])
                best[t, :done] = (moves + alpha[t, :, :done]).argmax(axis=0)
        return best

    def decode(self, scores: Floats, lengths: Ints) -> Paths:
        """The best path of sentences that lie end to end, scores (n_words, n_tags): (n_words,).

        Tags of both are as in `order`.
        """
        compiled = calls.decode(self.compiled, scores, lengths)
        if compiled is not None:
            return compiled
        starts = np.cumsum(lengths) - lengths
        path = np.empty(len(scores), np.intp)
        for rows in batches(lengths):
            sizes = lengths[rows].astype(np.int32)
            index, inside = in_step(starts[rows], sizes, len(scores))
            padded = np.ascontiguousarray(scores[index].transpose(0, 2, 1))  # (step, tag, sentence)
            best = self.best(padded, sizes, index)
            path[index[inside]] = best[inside]
        return path

    def moves_of(self, words: Ints, tags: Paths) -> Floats:
        """The scores of the moves to a tag of each of some words, (from, n_words)."""
        return self.transitions[:, tags]

    def moves_to(self, words: Ints) -> Floats:
        """The scores of the moves to some words, (from, to, n_words), or 1 where all have alike."""
        return self.transitions[:, :, None]


class Phrases(Dense):
    """Scores of the moves between IOBES tags, those that IOBES allows: a step sums no others.

    Tags are in the order O, E of all kinds, S, B, I: those that close a phrase stand first, and
    next to them those that open one.
    """

    def __init__(self, transitions: Floats, initial: Floats) -> None:
        """transitions and initial as for `Dense`, of tags O, B-x, I-x, E-x, S-x, B-y, ..."""
        self.n_kinds = n = (len(initial) - 1) // 4
        order = _closing_first(n)
        super().__init__(np.ascontiguousarray(transitions[order][:, order]), initial[order])
        self.order, self.n_last = order, 1 + 2 * n
        self.e, self.s, self.b, self.i = (slice(1 + k * n, 1 + (k + 1) * n) for k in range(4))
        opening = np.concatenate([[0], np.arange(1 + n, 1 + 3 * n)])  # O, S, B
        self.between = np.ascontiguousarray(self.transitions[: 1 + 2 * n, opening])[:, :, None]
        pairs = ((self.b, self.i), (self.b, self.e), (self.i, self.i), (self.i, self.e))
        diagonals = [np.diagonal(self.transitions[a, b])[:, None] for a, b in pairs]
        self.within = [
            np.ascontiguousarray(diagonal) for diagonal in diagonals
        ]  # (n_kinds, 1) each
        self.compiled = self._moves(self.between[:, :, 0], np.concatenate(self.within, axis=1).T)

    def step(self, last: Floats, words: Ints, out: Floats, buffer: Floats) -> None:
        n, m = self.n_last, last.shape[1]
        paths = buffer[: n * n * m].reshape(n, n, m)
        np.add(last[:n, None], self.between, out=paths)
        entered = np.maximum.reduce(paths, axis=0)  # O, S, B
        out[0] = entered[0]
        out[1 + self.n_kinds : 1 + 3 * self.n_kinds] = entered[1:]
        self._go_on(last, out)

    def _go_on(self, last: Floats, out: Floats) -> None:
        begin_i, begin_e, on_i, on_e = self.within
        opened, inside = last[self.b], last[self.i]
        np.maximum(opened + begin_i, inside + on_i, out=out[self.i])
        np.maximum(opened + begin_e, inside + on_e, out=out[self.e])


class Roles(Phrases):
    """Scores of the moves between roles: one for each pair of labels, not of tags.

    A step costs the square of the kinds.
    """

    def __init__(self, between: Floats, within: Floats, initial: Floats) -> None:
        """between (n + 1, n + 1), within (4, n), initial (n + 1,): see `moves`."""
        n = within.shape[1]
        scores = np.concatenate([between.ravel(), within.ravel(), [FORBIDDEN]]).astype(np.float32)
        first = np.concatenate([initial[:1], np.repeat(initial[1:], 4)]).astype(np.float32)
        super().__init__(scores[moves(n)], first)
        self.initial[self.e] = self.initial[self.i] = FORBIDDEN  # no first word goes on
        self.between = np.ascontiguousarray(between)[:, :, None]
        self.compiled = self._moves(between, within)

    def step(self, last: Floats, words: Ints, out: Floats, buffer: Floats) -> None:
        n, m = self.n_kinds + 1, last.shape[1]
        left = buffer[: n * m].reshape(n, m)
        left[0] = last[0]
        np.maximum(last[self.e], last[self.s], out=left[1:])
        paths = buffer[n * m : n * m + n * n * m].reshape(n, n, m)
        np.add(left[:, None], self.between, out=paths)
        entered = np.maximum.reduce(paths, axis=0)
        out[0] = entered[0]
        out[self.b] = out[self.s] = entered[1:]
        self._go_on(last, out)


def _closing_first(n_kinds: int) -> Ints:
    """Numbers of the tags O, B-x, I-x, E-x, S-x, B-y, ... in the order O, E, S, B, I."""
    places = 1 + np.arange(4 * n_kinds).reshape(n_kinds, 4).T  # (B I E S, kind)
    return np.concatenate([[0], places[[2, 3, 0, 1]].ravel()])


def paths_of(
    tags: Sequence[str], transitions: Floats, initial: Floats, constrained: bool
) -> tuple[Dense, Floats]:
    """How to decode a task's tags, and what to add to the scores of a sentence's last word.

    `constrained`: only moves that IOBES allows.
    """
    final = np.zeros(len(tags), np.float32)
    if not constrained:
        return Dense(transitions, initial), final
    rules = forbidden(tags)
    initial, transitions = initial.copy(), transitions.copy()
    initial[rules[0]] = FORBIDDEN
    transitions[rules[1:-1]] = FORBIDDEN
    final[rules[-1]] = FORBIDDEN
    whole = list(tags) == all_tags(tag[2:] for tag in tags[1::4])
    return (Phrases if whole else Dense)(transitions, initial), final


# --------------------------------------------------------------------------- IOBES


def forbidden(tags: Sequence[str]) -> NDArray[np.bool_]:
    """The transitions that no valid IOBES path has, (n_tags + 2, n_tags).

    Row 0: tags that cannot begin a sentence; row 1 + i: tags that cannot follow tag i; the last
    row: tags that cannot end a sentence.
    """
    opens = np.array([tag[:2] in ("B-", "I-") for tag in tags])  # the phrase goes on after it
    inside = np.array([tag[:2] in ("I-", "E-") for tag in tags])  # the phrase began before it
    kinds = np.array([tag[2:] for tag in tags])
    # After an open phrase the same phrase goes on; else another, or none, begins.
    same = inside[None, :] & (kinds[:, None] == kinds[None, :])
    allowed = np.where(opens[:, None], same, ~inside[None, :])
    return np.concatenate([inside[None, :], ~allowed, opens[None, :]])


def moves(n_kinds: int) -> NDArray[np.int64]:
    """Which score a step from one tag to the next has, for tags O, B-x, I-x, E-x, S-x, B-y, ...

    Returns (n_tags, n_tags), n_tags = 1 + 4 n_kinds: places in the joined scores of `between`,
    (n_kinds + 1, n_kinds + 1), from the label a step leaves to the one it enters, O first; of
    `within`, (4, n_kinds), for B to I, B to E, I to I, I to E of one kind; and last the score of
    what IOBES rules out.
    """
    n = n_kinds + 1
    labels = np.concatenate([[0], np.repeat(np.arange(1, n), 4)])
    places = np.concatenate([[4], np.tile(np.arange(4), n_kinds)])  # B, I, E, S, and 4 for O
    from_closed, to_open = places >= 2, np.isin(places, (0, 3, 4))
    numbers = np.full((len(labels), len(labels)), n * n + 4 * n_kinds, np.int64)
    free = from_closed[:, None] & to_open
    numbers[free] = (labels[:, None] * n + labels)[free]
    same = labels[:, None] == labels
    for number, (left, right) in enumerate(((0, 1), (0, 2), (1, 1), (1, 2))):
        here = same & (places == left)[:, None] & (places == right)
        numbers[here] = (n * n + number * n_kinds + labels - 1)[here.nonzero()[1]]
    return numbers
