"""Levels of a parse tree as the paper trims them: PT0 and the levels above it, as tags of words.

Collobert et al. 2011, section 6.5: level 0 holds the segments at the bottom of the tree; each next
level is level 0 of the tree whose lowest constituents have become words. They are features: the
tree cannot be told from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from senna.text.schemes import Phrase, tags_of
from senna.text.trees import TOP, Tree, dissolved, folded, numbered

# What hangs on these is O: the labels of the original program have neither of them.
_NO_SEGMENTS = frozenset(["S", TOP])


def trimmed_levels(tree: Tree, n_levels: int) -> list[list[str]]:
    """The IOBES tags of `n_levels` levels, each a list of one tag a word.

    A segment is a maximal run of words that hang directly on one constituent: `(VP are (VP
    starting))` has two. NML, which the first treebanks do not have, is dissolved.
    """
    rest = numbered(dissolved(tree, "NML"))
    levels = []
    for _ in range(n_levels):
        levels.append(tags_of(_segments(rest), rest.end, "iobes"))
        rest = folded(rest, _trimmed)
    return levels


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
