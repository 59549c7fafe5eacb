"""Binary trees: each node but the words has two parts, which recursive networks make one of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from senna.text.schemes import Phrase
from senna.text.trees import TOP, Tree, numbered
from senna.text.trees.constituents import tree_of

Ints = NDArray[np.int64]
REST = "|"  # at the end of a label: a node made of some of a constituent's parts
# Labels of heads, by those of constituents: the first such part from the left or the right; where
# there is none, the first or last part. A word counts as a part without a label.
_HEADS: dict[str, tuple[str, bool]] = {  # labels, and whether from the left
    "NP": ("NP", True), "WHNP": ("NP WHNP", True), "VP": ("VP", True), "PP": ("", True),
    "S": ("VP", False), "SINV": ("VP", False), "SQ": ("VP", False), "SBAR": ("S SBAR", False),
    "SBARQ": ("SQ", False), "TOP": ("S", True), "ROOT": ("S", True),
}  # fmt: skip


def _by_head(node: Tree) -> int:
    """Which part of a constituent is its head; a noun phrase that ends in a word has that."""
    parts, (wanted, first) = node.children, _HEADS.get(node.label, ("", False))
    last, names = len(parts) - 1, wanted.split()
    if "NP" in names and parts and parts[-1].is_leaf:
        return last
    places = range(last + 1) if first else range(last, -1, -1)
    return next((i for i in places if parts[i].label in names), 0 if first else last)


# By `network.recursive.split`: which part of a constituent stays last while the parts before it,
# and then those behind it, are split off one by one.
SPLITS: dict[str, Callable[[Tree], int]] = {
    "right": lambda node: len(node.children) - 1,
    "left": lambda node: 0,
    "head": _by_head,
}


def binary_nodes(tree: Tree, split: str = "right") -> list[Phrase]:
    """The 2 n - 1 nodes of a tree made binary, words too, each before its parts.

    A chain of nodes over the same words is one, with the highest label that is not TOP. Of several
    parts one stands by itself, and the others are one node, whose label ends in `REST`: split to
    the "right" the first one, to the "left" the last one, and by "head" the first one while the
    head is behind it, and then the last one.
    """
    nodes: list[Phrase] = []
    waiting = [([numbered(tree)], "", 0)]
    while waiting:
        parts, label, head = waiting.pop()
        start, end = parts[0].start, parts[-1].end
        if len(parts) == 1:
            node, label = _below(parts[0])
            parts, head = node.children, SPLITS[split](node)
        nodes.append(Phrase(start, end, label))
        if parts:
            rest = label if label.endswith(REST) else label + REST
            at = 1 if head else len(parts) - 1
            waiting += [(parts[at:], rest, head - 1), (parts[:at], rest, 0)]
    return nodes


def _below(node: Tree) -> tuple[Tree, str]:
    """The end of a chain that begins with a node, and the label of the chain."""
    label = node.label
    while len(node.children) == 1:
        node = node.children[0]
        label = node.label if label == TOP else label
    return node, label


def nodes_over(constituents: Sequence[Phrase], n: int, split: str = "right") -> list[Phrase]:
    """The nodes of a binary tree, from constituents over n words, each before its parts."""
    if not n:
        return []
    return binary_nodes(tree_of(constituents, [Tree("", word="") for _ in range(n)]), split)


class Order(NamedTuple):
    """In which order the nodes of binary trees are composed: words first, then by height.

    nodes (n_nodes,): which node comes when, words from left to right; children (n_inner, 2): of
    those that are no words, when their parts come; ends: how many nodes are no higher than 0, 1,
    ...
    """

    nodes: Ints
    children: Ints
    ends: list[int]

    @classmethod
    def of(cls, widths: Ints) -> Order:
        """For nodes of so many words, the trees end to end and each node before its parts."""
        inner = np.flatnonzero(widths > 1)
        children = np.zeros((len(widths), 2), np.int64)
        children[inner, 0] = inner + 1  # what is left of it has 2 n - 1 nodes
        children[inner, 1] = inner + 2 * widths[inner + 1]
        heights = np.zeros(len(widths), np.int64)
        while True:
            higher = 1 + heights[children[inner]].max(axis=1)
            if (higher == heights[inner]).all():
                break
            heights[inner] = higher
        nodes = np.argsort(heights, kind="stable")
        ranks = np.empty_like(nodes)
        ranks[nodes] = np.arange(len(nodes))
        ends = np.cumsum(np.bincount(heights, minlength=1))
        return cls(nodes, ranks[children[nodes[ends[0] :]]], ends.tolist())

    def rules(self, labels: Ints) -> Ints:
        """(n_inner, 3): the label of each node that is no word, and those of its parts."""
        labels = labels[self.nodes]
        return np.column_stack([labels[self.ends[0] :], labels[self.children]])
