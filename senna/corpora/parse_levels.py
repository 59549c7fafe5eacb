"""Levels of a parse tree as tags of words: PT0 and the levels above it.

Collobert et al. 2011, section 6.5: level 0 holds the segments at the bottom of the tree; each next
level is level 0 of the tree whose lowest constituents have become words.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from senna.text.schemes import Phrase, tags_of
from senna.text.trees import TOP, Tree, dissolved, numbered

# What hangs on these is O: the labels of the original program have neither of them.
_NO_SEGMENTS = frozenset(["S", TOP])


def parse_levels(tree: Tree, n_levels: int) -> list[list[str]]:
    """The IOBES tags of `n_levels` levels, each a list of one tag a word.

    A segment is a maximal run of words that hang directly on one constituent: `(VP are (VP
    starting))` has two. NML, which the first treebanks do not have, is dissolved.
    """
    rest = numbered(dissolved(tree, "NML"))
    levels = []
    for _ in range(n_levels):
        levels.append(tags_of(_segments(rest), rest.end, "iobes"))
        rest = _trimmed(rest)
    return levels


def _segments(tree: Tree) -> Iterator[Phrase]:
    for leaves, group in groupby(tree.children, key=lambda child: child.is_leaf):
        children = list(group)
        if not leaves:
            for child in children:
                yield from _segments(child)
        elif tree.label not in _NO_SEGMENTS:
            yield Phrase(children[0].start, children[-1].end, tree.label)


def _trimmed(tree: Tree) -> Tree:
    """A copy whose constituents of nothing but leaves have become leaves themselves."""
    if tree.is_leaf:
        return tree
    if all(child.is_leaf for child in tree.children):
        return Tree(tree.label, word="", start=tree.start, end=tree.end)
    children = [_trimmed(child) for child in tree.children]
    return Tree(tree.label, children, start=tree.start, end=tree.end)
