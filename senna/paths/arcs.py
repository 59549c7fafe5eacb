"""Dependency trees by the scores of their arcs: the best one with one root, and marginals.

A head is the number of a word, from 1, or 0 for the root; scores of arcs are [word, head].
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Wide = NDArray[np.float64]
Ints = NDArray[np.int64]

# Scores become whole multiples of 2 ** -20, whose sums are exact; sums of 2 ** 12 of the largest,
# and the price of a root, stay far from NONE, the score of what is no arc.
FINE, LARGEST = 2.0**20, 2.0**19
NONE = -(2**61)


def best_heads(scores: Floats, lengths: Ints) -> Ints:
    """The head of each word in the best tree of each sentence, (n_sentences, n); 0 past the end.

    scores (n_sentences, n, n + 1): of each word's arc from each head. Mostly the best heads of the
    words are a tree already. Of equal ones the lower head wins.
    """
    n = scores.shape[1]
    words = np.arange(n)
    scores = scores.copy()
    scores[:, words, words + 1] = -np.inf
    scores[(np.arange(n + 1) > lengths[:, None])[:, None].repeat(n, axis=1)] = -np.inf
    heads: Ints = scores.argmax(axis=2)
    heads[words >= lengths[:, None]] = 0
    for i in np.flatnonzero(~are_trees(heads, lengths)):
        size = lengths[i]
        heads[i, :size] = _best_tree(scores[i, :size, : size + 1])
    return heads


def best_relations(scores: Floats, heads: Ints, root: int) -> Ints:
    """The best relation of each word to its head; scores (n_words, n_relations), which are used up.

    The relation `root` is that of words whose head is the root, and of no others; -1: it is none.
    """
    if root >= 0:
        scores[heads != 0, root] = -np.inf
        scores[heads == 0, root] = np.inf
    best: Ints = scores.argmax(axis=1)
    return best


def are_trees(heads: Ints, lengths: Ints) -> NDArray[np.bool_]:
    """Of each sentence whether its heads (n_sentences, n) are a tree with one root."""
    n = heads.shape[1]
    roots = ((heads == 0) & (np.arange(n) < lengths[:, None])).sum(axis=1)
    above = np.concatenate([np.zeros_like(heads[:, :1]), heads], axis=1)
    for _ in range(n.bit_length()):  # each time twice as far up
        above = np.take_along_axis(above, above, axis=1)
    are: NDArray[np.bool_] = (roots == np.minimum(lengths, 1)) & ~above.any(axis=1)
    return are


def _best_tree(scores: Floats) -> Ints:
    """The heads of the best tree with one root; scores (n, n + 1)."""
    n = len(scores)
    weights = np.full((n + 1, n + 1), NONE, np.int64)
    finite = np.clip(scores.astype(np.float64), -LARGEST, LARGEST)
    weights[1:] = np.where(np.isneginf(scores), NONE, np.rint(finite * FINE))
    heads = _Contraction(weights).heads()
    if (heads == 0).sum() > 1:
        # A root arc costs more than all else can differ (Stanojević and Cohen 2021, section 3).
        arcs = weights[weights > NONE]
        weights[1:, 0] -= n * (int(arcs.max()) - int(arcs.min())) + 1
        heads = _Contraction(weights).heads()
    return heads


class _Contraction:
    """The best arborescence of a dense graph (Chu and Liu 1965, Edmonds 1967; Tarjan 1977).

    weights (m, m): [word, head], node 0 the root. Each cycle of best arcs becomes one node, whose
    row and column are the best that its members have. Whole numbers, so that ties are ties.
    """

    def __init__(self, weights: Ints) -> None:
        m = len(weights)
        self.weights = weights.copy()
        self.best = weights.argmax(axis=1)
        # The arcs that stand for those between nodes, as word * m + head; the words in each node.
        self.arcs = np.arange(m * m).reshape(m, m)
        self.members = [[node] for node in range(m)]
        self.done = [True] + [False] * (m - 1)
        self.cycles: list[list[tuple[list[int], int, int]]] = []

    def heads(self) -> Ints:
        """The head of each word, (m - 1,)."""
        tops = []
        for start in range(1, len(self.members)):
            if not self.done[start] and self.members[start]:
                tops += self._follow(start)
        heads = np.zeros(len(self.members), np.int64)
        arcs = self._best_arcs(np.array([node for node in tops if self.members[node]], np.int64))
        entered = [False] * len(heads)
        for _, word, head in arcs:
            heads[word], entered[word] = head, True
        for cycle in reversed(self.cycles):
            for members, word, head in cycle:
                if not any(entered[member] for member in members):
                    heads[word], entered[word] = head, True
        return heads[1:]

    def _best_arcs(self, nodes: Ints) -> list[tuple[list[int], int, int]]:
        """The words of each node, and its best arc."""
        words, heads = np.divmod(self.arcs[nodes, self.best[nodes]], len(self.best))
        members = [self.members[node] for node in nodes.tolist()]
        return list(zip(members, words.tolist(), heads.tolist(), strict=True))

    def _follow(self, node: int) -> list[int]:
        """The nodes from one up to what hangs on the root already; their cycles are contracted."""
        path, places = [node], {node: 0}
        while not self.done[head := int(self.best[node])]:
            if head in places:
                cycle = path[places[head] :]
                del path[places[head] + 1 :]
                for member in cycle[1:]:
                    del places[member]
                self._contract(head, np.array(sorted(cycle)))
                node = head
            else:
                places[head] = len(path)
                path.append(head)
                node = head
        for node in path:
            self.done[node] = True
        return path

    def _contract(self, node: int, cycle: Ints) -> None:
        """Make a cycle one node, whose number is that of one of its own."""
        weights, every = self.weights, np.arange(len(self.weights))
        arcs = self._best_arcs(cycle)
        self.cycles.append(arcs)
        self.members[node] = [word for members, _, _ in arcs for word in members]
        rows = weights[cycle]
        into = rows - rows[np.arange(len(cycle)), self.best[cycle]][:, None]
        into[:, cycle] = NONE
        into[rows <= NONE] = NONE
        entry = into.argmax(axis=0)
        exit_ = cycle[weights[:, cycle].argmax(axis=1)]
        row, column = self.arcs[cycle[entry], every], self.arcs[every, exit_]
        self.arcs[node], self.arcs[:, node] = row, column
        column = weights[every, exit_]
        weights[node], weights[:, node] = into[entry, every], column
        weights[node, node] = NONE
        inside = np.zeros(len(every), np.bool_)
        inside[cycle] = True
        self.best[inside[self.best]] = node
        self.best[node] = weights[node].argmax()
        others = cycle[cycle != node]
        weights[others] = NONE
        weights[:, others] = NONE
        for member in others.tolist():
            self.members[member] = []


# --------------------------------------------------------------------------- marginals


def arc_marginals(scores: Floats, temperature: float = 1.0) -> Wide:
    """The probability of each arc of one sentence, over all trees with one root, (n, n + 1).

    scores (n, n + 1). A tree's probability is exp(score / temperature) over the sum of that of all
    trees (Koo et al. 2007, section 3.2; its first row of the Laplacian is that of the roots).
    """
    n = len(scores)
    wide = scores.astype(np.float64) / temperature
    wide[np.arange(n), np.arange(n) + 1] = -np.inf
    top = wide[:, 1:].max(axis=1)
    top[np.isneginf(top)] = 0.0  # a single word
    wide -= top[:, None]
    wide[:, 0] -= wide[:, 0].max()  # a factor of the column of roots
    arcs = np.exp(wide)
    roots, inner = arcs[:, 0], arcs[:, 1:]
    laplacian = np.diag(inner.sum(axis=1)) - inner  # [word, head]: Koo's, transposed
    laplacian[:, 0] = roots
    inverse = _inverse(laplacian)
    of_words = inverse.diagonal().copy()
    of_words[0] = 0.0
    of_heads = inverse.copy()
    of_heads[0] = 0.0  # the first word's row is that of the roots
    marginals = np.empty_like(arcs)
    marginals[:, 0] = roots * inverse[0]
    marginals[:, 1:] = inner * (of_words[:, None] - of_heads.T)
    return np.clip(marginals, 0.0, 1.0)


def _inverse(matrix: Wide) -> Wide:
    """The inverse by Gauss and Jordan's elimination, always in the same order of operations."""
    n = len(matrix)
    rows = np.concatenate([matrix, np.eye(n)], axis=1)
    for k in range(n):
        pivot = k + int(np.abs(rows[k:, k]).argmax())
        if pivot != k:
            rows[[k, pivot]] = rows[[pivot, k]]
        rows[k] /= rows[k, k]
        factors = rows[:, k].copy()
        factors[k] = 0.0
        rows -= factors[:, None] * rows[k]
    return rows[:, n:]
