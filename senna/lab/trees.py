"""Binary trees: each node but the words has two parts, which recursive networks make one of.

Those of sentences may have a label at each node.

Levels of a parse tree are trimmed as in Collobert et al. 2011, section 6.5: level 0 (PT0) holds the
segments at the bottom of the tree; each next level is level 0 of the tree whose lowest constituents
have become words. They are features: the tree cannot be rebuilt from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from senna.annotation.schemes import Phrase, tags_of
from senna.annotation.trees import TOP, Tree, folded, leaves_of, numbered, tree_of
from senna.errors import SennaError
from senna.formats.brackets import dissolved, read_trees
from senna.formats.columns import read_columns
from senna.kinds.answer import Gold
from senna.kinds.labels.answer import Label, Pairs, named
from senna.tasks import N_LEVELS, TREE_LEVELS

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
            [node] = parts
            label = node.label
            while len(node.children) == 1:
                [node] = node.children
                label = node.label if label == TOP else label
            parts = node.children
        nodes.append(Phrase(start, end, label))
        if parts:
            rest = label if label.endswith(REST) else label + REST
            waiting += [(parts[1:], rest), (parts[:1], rest)]
    return nodes


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


# What hangs on these is O: the labels of the original program have neither of them.
_NO_SEGMENTS = frozenset(["S", TOP])


def trimmed_levels(tree: Tree, n_levels: int) -> list[list[str]]:
    """The IOBES tags of `n_levels` levels, each a list of one tag per word.

    A segment is a maximal run of words that hang directly on one constituent: `(VP are (VP
    starting))` has two. NML, which the first treebanks do not have, is dissolved.
    """
    rest = numbered(dissolved(tree, "NML"))
    levels = []
    for _ in range(n_levels):
        levels.append(tags_of(_segments(rest), rest.end, "iobes"))
        rest = folded(rest, _trimmed)
    return levels


def levels_of(constituents: Iterable[Phrase], n: int, n_levels: int) -> dict[str, list[str]]:
    """The first levels of the tree of some constituents over n words, by their names."""
    tree = tree_of(constituents, leaves_of([""] * n, [""] * n))
    return dict(zip(TREE_LEVELS, trimmed_levels(tree, n_levels), strict=False))


def read_levels(
    lines: Iterable[str], name: str
) -> Iterator[tuple[list[str], dict[str, list[str]], int]]:
    """The sentences of a `*.levels` file: words, levels by name, and the line of the first word.

    Columns: word, part of speech, level 0 and as many of the next ones as there are.
    """
    for sentence in read_columns(lines, name=name):
        words, *columns = map(list, zip(*sentence.rows, strict=True))
        if not 0 < len(columns) - 1 <= N_LEVELS:
            what = f"{len(columns) + 1} columns, expected word, part of speech, 1 to 5 levels"
            raise SennaError(what, where=f"{name}:{sentence.line}")
        yield words, dict(zip(TREE_LEVELS, columns[1:], strict=False)), sentence.line


def _segments(tree: Tree) -> Iterator[Phrase]:
    for node in tree.subtrees():
        if node.is_leaf or node.label in _NO_SEGMENTS:
            continue
        for leaves, group in groupby(node.children, key=lambda child: child.is_leaf):
            if leaves:
                children = list(group)
                yield Phrase(children[0].start, children[-1].end, node.label)


def _trimmed(tree: Tree, children: list[Tree]) -> Tree:
    """A copy whose constituents of nothing but leaves have become leaves themselves."""
    if tree.is_leaf:
        return tree
    lowest = all(child.is_leaf for child in tree.children)
    word = "" if lowest else None
    return Tree(tree.label, [] if lowest else children, word, tree.start, tree.end)
