"""Binary trees: each node but the words has two parts, which recursive networks make one of.

Those of sentences may have a label at each node.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from senna.annotation.schemes import Phrase
from senna.annotation.trees import TOP, Tree, numbered, tree_of
from senna.errors import SennaError
from senna.formats.brackets import read_trees
from senna.kinds.answer import Gold
from senna.kinds.labels.answer import Label, Pairs, named

Ints = NDArray[np.int64]
REST = "|"  # at the end of a label: a node made of some of a constituent's parts
LARGEST = 2_048  # words of a tree with labels: longer sentences are cut in tagging
# Constituents of the Penn Treebank; the label of a node is 1 and its place, or 0.
CONSTITUENTS = (
    "ADJP ADVP CONJP FRAG INTJ LST NAC NP NX PP PRN PRT QP RRC S SBAR SBARQ SINV SQ UCP VP WHADJP "
    "WHADVP WHNP WHPP X"
).split()
NODE = "X"  # a constituent of a tree whose labels are those of sentences


def binary_nodes(tree: Tree) -> list[Phrase]:
    """The 2 n - 1 nodes of a tree made binary, words too, each before its parts.

    A chain of nodes over the same words is one, with the highest label that is not TOP. Of several
    parts the first one stands by itself, and the others are one node, whose label ends in `REST`.
    """
    nodes: list[Phrase] = []
    waiting = [([numbered(tree)], "")]
    while waiting:
        parts, label = waiting.pop()
        start, end = parts[0].start, parts[-1].end
        if len(parts) == 1:
            node, label = _below(parts[0])
            parts = node.children
        nodes.append(Phrase(start, end, label))
        if parts:
            rest = label if label.endswith(REST) else label + REST
            waiting += [(parts[1:], rest), (parts[:1], rest)]
    return nodes


def _below(node: Tree) -> tuple[Tree, str]:
    """The end of a chain that begins with a node, and the label of the chain."""
    label = node.label
    while len(node.children) == 1:
        node = node.children[0]
        label = node.label if label == TOP else label
    return node, label


def nodes_over(constituents: Sequence[Phrase], n: int) -> list[Phrase]:
    """The nodes of a binary tree, from constituents over n words, each before its parts."""
    if not n:
        return []
    return binary_nodes(tree_of(constituents, [Tree("", word="") for _ in range(n)]))


def label_rows(constituents: Sequence[Phrase], n: int) -> list[int]:
    """The labels of `nodes_over` as numbers, those of a constituent's rest as its own."""
    numbers = {label: row for row, label in enumerate(CONSTITUENTS, 1)}
    return [numbers.get(node.label.rstrip(REST), 0) for node in nodes_over(constituents, n)]


def labelled(line: str, pairs: Pairs, name: str, number: int) -> Iterator[Gold]:
    """The sentences of a line of trees, with a label at each node and at most two parts."""
    for tree in read_trees(line, name, number):
        most = max(len(node.children) for node in tree.subtrees())
        if most > 2:
            remedy = "Trees look like (3 (2 It) (4 works))."
            raise SennaError(f"a node of {most} parts, at most 2 can be", remedy=remedy)
        nodes = binary_nodes(tree)
        # Treebanks write a backslash before / and *.
        words = (str(leaf.word) for leaf in tree.leaves())
        forms = [word.replace("\\/", "/").replace("\\*", "*") for word in words]
        if len(forms) > LARGEST:
            raise SennaError(f"a tree of {len(forms)} words, at most {LARGEST:,} can be")
        labels = [named(node.label, pairs) for node in nodes]
        if labels[0]:
            spans = [Phrase(start, end, NODE) for start, end, _ in nodes]
            yield Gold(forms, Label(labels[0], nodes=labels), {"psg": spans}, name, number)


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
        """The labels (n_inner, 3) of the nodes that are no words, and of the two parts of each.

        labels (n_nodes,) are in the order of trees, as are those of `of`.
        """
        labels = labels[self.nodes]
        return np.column_stack([labels[self.ends[0] :], labels[self.children]])
