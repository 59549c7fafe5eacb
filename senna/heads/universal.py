"""Trees that break a rule of Universal Dependencies get the best arcs that keep it.

A rule that is broken is about some arcs, for example two subjects of a word, and there are some
ways to keep it: other arcs of some of these words. The way is taken that costs least by the
network's own scores. See `senna.text.dependencies`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from senna.paths.arcs import Wide
from senna.text.conllu import ROOT, Arc
from senna.text.dependencies import Change, conflict, dependents, plain, subtree

Row = Callable[[int], Wide]  # of a word, from 0: logarithms of its arcs, (n + 1, n_relations)


class Mending:
    """A search for the arcs of one sentence.

    names: the relations in the order of the columns of rows.
    """

    def __init__(self, names: Sequence[str], row: Row) -> None:
        self.names, self.row = names, row
        self.columns = {name: i for i, name in enumerate(names)}
        self.rows: dict[int, Wide] = {}  # of words, and what is left of them
        self.left: dict[int, Wide] = {}

    def __call__(self, arcs: list[Arc], negations: Sequence[bool]) -> list[Arc]:
        """A tree like this one that keeps the rules, as far as some changes can do that."""
        for _ in arcs:
            ways = conflict(arcs, negations)
            tried = [(*self._change(arcs, way), i) for i, way in enumerate(ways)]
            if not tried:
                break
            cost, trees, i = min(tried, key=lambda one: (one[0], one[2]))
            if np.isinf(cost):
                break
            arcs = trees
            for change in ways[i]:  # no later way goes back
                self._bar(self.left[change.word], change)
        return arcs

    def _change(self, arcs: list[Arc], way: Sequence[Change]) -> tuple[float, list[Arc]]:
        """The cost of some changes, and the tree after them."""
        arcs, cost = list(arcs), 0.0
        for change in way:
            word, old = change.word, arcs[change.word]
            if old.head == ROOT:
                return np.inf, arcs
            if word not in self.rows:
                self.rows[word] = self.row(word)
                self.left[word] = self.rows[word].copy()
            row = self.left[word].copy()
            self._bar(row, change)
            row[[ROOT, *(k + 1 for k in subtree(dependents(arcs), word))]] = -np.inf
            head, column = divmod(int(row.argmax()), len(self.names))
            cost += self.rows[word][old.head, self.columns[old.relation]] - row[head, column]
            arcs[word] = Arc(head, self.names[column])
        return cost, arcs

    def _bar(self, row: Wide, change: Change) -> None:
        """Rule out the arcs of a word that a change is about."""
        heads = slice(None) if change.head is None else change.head
        named = [k for k, name in enumerate(self.names) if plain(name) in change.relations]
        row[heads, named if change.relations else slice(None)] = -np.inf
