"""The best trees: binary ones by the scores of their spans (CKY, vectorised over splits), and
dependency trees with one root by those of their arcs; marginals of arcs.

A head is the number of a word, from 1, or 0 for the root; scores of arcs are [word, head].
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Wide = NDArray[np.float64]
Ints = NDArray[np.int64]


# --------------------------------------------------------------------------- spans


def best_spans(scores: Floats, lengths: Ints) -> tuple[Ints, Ints, Ints]:
    """The 2 n - 1 spans of the best tree of each sentence, all end to end, each before its parts.

    scores (n_sentences, n_words, n_words), [s, i, j] of the span from word i to word j, both
    within. Returns of each span its sentence, its first and its last word.
    """
    n_sentences, n = scores.shape[:2]
    # Of spans by their width, and by first word or by end: what is looked at lies side by side.
    left = np.zeros((n_sentences, n, n + 1), np.float32)
    right = np.zeros((n_sentences, n + 1, n + 1), np.float32)
    splits = np.zeros((n_sentences, n, n + 1), np.int64)
    for width in range(2, n + 1):
        m = n - width + 1
        both = left[:, :m, 1:width] + right[:, width:, width - 1 : 0 : -1]
        at = both.argmax(axis=2)
        splits[:, :m, width] = at + 1
        best = np.take_along_axis(both, at[:, :, None], axis=2)[:, :, 0]
        best += scores.diagonal(width - 1, 1, 2)
        left[:, :m, width] = right[:, width:, width] = best
    return _traced(splits, lengths)


def _traced(splits: Ints, lengths: Ints) -> tuple[Ints, Ints, Ints]:
    sentences, starts, widths = np.arange(len(lengths)), np.zeros_like(lengths), lengths
    generations = []
    while len(sentences):
        generations.append((sentences, starts, widths))
        inner = widths > 1
        sentences, starts, widths = sentences[inner], starts[inner], widths[inner]
        at = splits[sentences, starts, widths]
        sentences = np.concatenate([sentences, sentences])
        starts = np.concatenate([starts, starts + at])
        widths = np.concatenate([at, widths - at])
    sentences, starts, widths = (
        np.concatenate(arrays) for arrays in zip(*generations, strict=True)
    )
    order = np.lexsort((-widths, starts, sentences))
    return sentences[order], starts[order], (starts + widths - 1)[order]


# --------------------------------------------------------------------------- arcs

# Scores become whole multiples of 2 ** -20, whose sums are exact; sums of 2 ** 12 of the largest,
# and the price of a root, stay far from NONE, the score of what is no arc.
FINE, LARGEST = 2.0**20, 2.0**19
NONE = -(2**61)
LEAST = -300.0  # of an arc beside the best one, as a logarithm: its weight must not be zero
CLOSE = 2.0  # a logarithm: heads that are less likely than the best one by less are close to it
# Exponentials and logarithms differ in their last digits from machine to machine. Probabilities
# become multiples of 1 / GRID, so that trees do not differ, and sums of them are exact.
GRID = 2.0**12


def best_heads(scores: Floats, lengths: Ints) -> Ints:
    """The head of each word in the best tree of each sentence, (n_sentences, n); 0 past the end.

    scores (n_sentences, n, n + 1): of each word's arc from each head. Mostly the best heads of the
    words are a tree already. Of equal ones the lower head wins.
    """
    words = np.arange(scores.shape[1])
    scores = barred(scores, lengths)
    heads: Ints = scores.argmax(axis=2)
    heads[words >= lengths[:, None]] = 0
    for i in np.flatnonzero(~are_trees(heads, lengths)):
        size = lengths[i]
        heads[i, :size] = _best_tree(scores[i, :size, : size + 1], heads[i, :size])
    return heads


def barred(scores: Floats, lengths: Ints) -> Floats:
    """The scores without arcs from a word to itself, and to what is past the end."""
    n = scores.shape[1]
    words = np.arange(n)
    scores = scores.copy()
    scores[:, words, words + 1] = -np.inf
    scores[(np.arange(n + 1) > lengths[:, None])[:, None].repeat(n, axis=1)] = -np.inf
    return scores


def head_chances(scores: Floats, lengths: Ints, temperature: float) -> Wide:
    """The probability of each head among those of its word, whatever the tree, as multiples of
    1 / GRID; scores as in `best_heads`."""
    wide = barred(scores, lengths).astype(np.float64)
    wide -= wide.max(axis=2, keepdims=True)
    chances = np.exp(wide / temperature)
    return rounded(chances / chances.sum(axis=2, keepdims=True))


def rounded(x: Wide) -> Wide:
    """Multiples of 1 / GRID."""
    return np.rint(x * GRID) / GRID


def close_heads(scores: Floats, lengths: Ints, temperature: float) -> tuple[Ints, Ints, Ints]:
    """The best two heads of words that have two close ones: sentences, words and heads of arcs."""
    scores = barred(scores, lengths)
    one = scores.argmax(axis=2)[..., None]
    best = np.take_along_axis(scores, one, axis=2)
    np.put_along_axis(scores, one, -np.inf, axis=2)
    other = scores.argmax(axis=2)[..., None]
    gap = (best - np.take_along_axis(scores, other, axis=2))[..., 0]
    inside = np.arange(scores.shape[1]) < lengths[:, None]
    sentences, words = np.nonzero(inside & (gap < CLOSE * temperature))
    heads = np.concatenate([one, other], axis=2)[sentences, words].ravel()
    return sentences.repeat(2), words.repeat(2), heads


def relation_logs(scores: Floats, heads: Ints, root: int, fit: Floats | float = 0.0) -> Wide:
    """The logarithm of the probability of the best relation to some heads, (n_arcs,), a multiple of
    1 / GRID; scores and root as in `best_relations`, fit: what is added to the logarithms of each.
    The root has one relation."""
    return np.where(heads == 0, 0.0, (logs_of_relations(scores, root) + fit).max(axis=1))


def logs_of_relations(scores: Floats, root: int) -> Wide:
    """The logarithms of the probabilities of relations to words, multiples of 1 / GRID."""
    wide = scores.astype(np.float64)
    if root >= 0:
        wide[:, root] = -np.inf
    wide -= wide.max(axis=1, keepdims=True)
    return rounded(wide - np.log(np.exp(wide).sum(axis=1, keepdims=True)))


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


def _best_tree(scores: Floats, best: Ints) -> Ints:
    """The heads of the best tree with one root; scores (n, n + 1), best (n,): the best heads."""
    heads = _Contraction(scores, best, 0).heads()
    if (heads == 0).sum() > 1:
        # A root arc costs more than all else can differ (Stanojević and Cohen 2021, section 3).
        arcs = scores[~np.isneginf(scores)]
        price = len(scores) * int(np.ptp(_whole(np.array([arcs.max(), arcs.min()])))) + 1
        best = np.where(np.isneginf(scores[:, 1:]).all(axis=1), 0, scores[:, 1:].argmax(axis=1) + 1)
        heads = _Contraction(scores, best, price).heads()
    return heads


def _whole(scores: Floats) -> Ints:
    """Scores as whole numbers; of what is no arc `NONE`."""
    whole = np.rint(np.clip(scores.astype(np.float64), -LARGEST, LARGEST) * FINE).astype(np.int64)
    whole[np.isneginf(scores)] = NONE
    return whole


class _Contraction:
    """The best arborescence of a dense graph (Chu and Liu 1965, Edmonds 1967; Tarjan 1977).

    A node is a word or a contracted cycle; node 0 is the root. A cycle takes over the number of one
    of its nodes, and the best arcs into any of its words. Only the nodes of cycles have a row of
    weights (m,), by head: what there is to do grows with the cycles. Whole numbers, so that ties
    are ties.
    """

    def __init__(self, scores: Floats, best: Ints, price: int) -> None:
        """scores (n, n + 1); best (n,): the best head of each word; price: of the root's arcs."""
        m = len(scores) + 1
        self.scores, self.price = scores, price
        self.node_of = np.arange(m)  # of each word
        self.members = list(np.arange(m).reshape(m, 1))
        self.rows: dict[int, Ints] = {}  # of contracted nodes, and the words that their arcs enter
        self.entered: dict[int, Ints] = {}
        self.arcs = [(0, 0), *((word + 1, head) for word, head in enumerate(best.tolist()))]
        self.done = [True] + [False] * (m - 1)
        self.cycles: list[list[tuple[Ints, tuple[int, int]]]] = []

    def heads(self) -> Ints:
        """The head of each word, (n,)."""
        tops = []
        for start in range(1, len(self.members)):
            if not self.done[start] and len(self.members[start]):
                tops += self._follow(start)
        heads = np.zeros(len(self.members), np.int64)
        entered = np.zeros(len(heads), np.bool_)
        for word, head in [self.arcs[node] for node in tops if len(self.members[node])]:
            heads[word], entered[word] = head, True
        for cycle in reversed(self.cycles):
            for members, (word, head) in cycle:
                if not entered[members].any():
                    heads[word], entered[word] = head, True
        return heads[1:]

    def _follow(self, node: int) -> list[int]:
        """The nodes from one up to what hangs on the root already; their cycles are contracted."""
        path, places = [node], {node: 0}
        while not self.done[above := int(self.node_of[self.arcs[node][1]])]:
            if above in places:
                cycle = path[places[above] :]
                del path[places[above] + 1 :]
                for member in cycle[1:]:
                    del places[member]
                self._contract(above, sorted(cycle))
            else:
                places[above] = len(path)
                path.append(above)
            node = above
        for node in path:
            self.done[node] = True
        return path

    def _contract(self, node: int, cycle: list[int]) -> None:
        arcs = [self.arcs[part] for part in cycle]
        self.cycles.append(
            [(self.members[part], arc) for part, arc in zip(cycle, arcs, strict=True)]
        )
        into, entered = self._entries(cycle[0], arcs[0][1])
        for part, (_, head) in zip(cycle[1:], arcs[1:], strict=True):
            others, words = self._entries(part, head)
            better = others > into  # of equal ones the first stays
            np.copyto(into, others, where=better)
            np.copyto(entered, words, where=better)
        members = np.concatenate([self.members[part] for part in cycle])
        for part in cycle:
            self.members[part] = members[:0]
        self.members[node] = members
        self.node_of[members] = node
        into[members] = NONE
        self.rows[node], self.entered[node] = into, entered
        head = int(into.argmax())
        self.arcs[node] = int(entered[head]), head

    def _entries(self, node: int, head: int) -> tuple[Ints, Ints]:
        """The costs of arcs into a node except that from `head`, and the words they enter."""
        row = self._row(node)
        entered = self.entered.get(node)
        return row - row[head], np.full_like(row, node) if entered is None else entered

    def _row(self, node: int) -> Ints:
        if node in self.rows:
            return self.rows[node]
        row = _whole(self.scores[node - 1])
        row[0] -= self.price
        return row


# --------------------------------------------------------------------------- marginals


def arc_marginals(scores: Floats, temperature: float = 1.0) -> Wide:
    """The probability of each arc of one sentence, over all trees with one root, (n, n + 1).

    scores (n, n + 1). A tree's probability is exp(score / temperature) over the sum of that of all
    trees. The sum is a determinant (Koo et al. 2007, section 3.2), and a probability the weight of
    an arc times the derivative of the sum's logarithm.
    """
    n = len(scores)
    wide = scores.astype(np.float64) / temperature
    wide[np.arange(n), np.arange(n) + 1] = -np.inf
    if n > 1:
        wide -= wide[:, 1:].max(axis=1)[:, None]
    wide[:, 0] -= wide[:, 0].max()  # all trees have one root
    arcs = np.exp(np.maximum(wide, LEAST))
    arcs[np.isneginf(wide)] = 0.0
    return np.clip(arcs * _derivatives(arcs[:, 1:].copy(), arcs[:, 0].copy()), 0.0, 1.0)


def _derivatives(inner: Wide, roots: Wide) -> Wide:
    """Of the logarithm of the sum over all trees, by the weight of each arc, (n, n + 1).

    inner (n, n), by word and head, and roots (n,), which are used up. Words are taken away from the
    last to the first: those below word k get its heads in its place. Nothing is subtracted, so that
    words that mostly hang on each other lose no digits (Grassmann, Taksar and Heyman 1985).
    """
    n = len(inner)
    masses, scales = np.ones(n), np.ones(n)
    for k in range(n - 1, 0, -1):
        masses[k] = inner[k, :k].sum()
        inner[k, :k] /= masses[k]
        roots[k] /= masses[k]
        inner[:k, :k] += inner[:k, k, None] * inner[k, :k]
        np.fill_diagonal(inner[:k, :k], 0.0)
        roots[:k] += inner[:k, k] * roots[k]
        scales[k] = roots[:k].max()
        roots[:k] /= scales[k]
    of = np.zeros((n, n + 1))
    of[0, 0] = 1 / roots[0]
    for k in range(1, n):  # the other way
        of[:k, 0] /= scales[k]
        shares, below = inner[k, :k], inner[:k, k]
        of[:k, k + 1] = (of[:k, 1 : k + 1] * shares).sum(axis=1) + of[:k, 0] * roots[k]
        of_root = (below * of[:k, 0]).sum()
        of_shares = (below[:, None] * of[:k, 1 : k + 1]).sum(axis=0)
        rest = 1 - (of_shares * shares).sum() - of_root * roots[k]
        of[k, 0] = of_root / masses[k]
        of[k, 1 : k + 1] = (of_shares + rest) / masses[k]
        np.fill_diagonal(of[: k + 1, 1 : k + 2], 0.0)
    return of
