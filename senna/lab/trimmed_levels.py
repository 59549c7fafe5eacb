"""Levels of a parse tree as the paper trims them: PT0 and the levels above it, as tags of words.

Collobert et al. 2011, section 6.5: level 0 holds the segments at the bottom of the tree; each next
level is level 0 of the tree whose lowest constituents have become words. They are features: the
tree cannot be rebuilt from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from senna.annotation.schemes import Phrase, tags_of
from senna.annotation.trees import TOP, Tree, folded, leaves_of, numbered, tree_of
from senna.errors import SennaError
from senna.formats.brackets import dissolved
from senna.formats.columns import read_columns
from senna.tasks import N_LEVELS, TREE_LEVELS

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
