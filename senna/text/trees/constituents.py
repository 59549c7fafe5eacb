"""The constituents of a tree as labelled brackets, each over a span of words.

A chain of constituents over the same words is one label, `S+VP`; TOP has none. A constituent of
several children counts as several brackets, each of two: its first two children make one, that
and the third the next. Those in between are labelled `NO_LABEL`, as are words that are no
constituents. So a sentence of n words has 2 n - 1 brackets, and they always make a tree again.
"""

from __future__ import annotations

from collections.abc import Iterable

from senna.text.schemes import LINK, NO_LABEL, Phrase
from senna.text.trees import TOP, Tree, numbered


def constituents(tree: Tree) -> list[Phrase]:
    """The constituents of a tree, parents first; words count where they have a label."""
    return [bracket for bracket in brackets(tree) if bracket.label != NO_LABEL]


def brackets(tree: Tree) -> list[Phrase]:
    """The 2 n - 1 brackets of a tree of n words, each before its parts."""
    spans: list[Phrase] = []
    waiting = [numbered(tree)]
    while waiting:
        node = waiting.pop()
        chain = []
        while not node.is_leaf:
            chain += [node.label] if node.label != TOP else []
            if len(node.children) > 1:
                break
            node = node.children[0]
        spans.append(Phrase(node.start, node.end, LINK.join(chain) or NO_LABEL))
        spans += [Phrase(node.start, child.end, NO_LABEL) for child in node.children[-2:0:-1]]
        waiting += node.children[::-1]
    return spans


def outermost_first(phrases: Iterable[Phrase]) -> list[Phrase]:
    """Constituents of different spans, each before its parts."""
    return sorted(phrases, key=lambda phrase: (phrase.start, -phrase.end))


def tree_of(phrases: Iterable[Phrase], leaves: list[Tree]) -> Tree:
    """The tree of some brackets that nest, each before its parts, over words; its root is TOP."""
    n = len(leaves)
    for place, leaf in enumerate(leaves):
        leaf.start, leaf.end = place, place + 1
    root = Tree(TOP, [], None, 0, n)
    path, done = [root], 0  # words before `done` have their places
    for start, end, label in phrases:
        if label == NO_LABEL:
            continue
        while path[-1].end <= start:
            done = _filled(path.pop(), leaves, done)
        if done < start:
            path[-1].children += leaves[done:start]
            done = start
        for part in label.split(LINK):
            node = Tree(part, [], None, start, end)
            path[-1].children.append(node)
            path.append(node)
    for node in reversed(path):
        done = _filled(node, leaves, done)
    return root


def _filled(node: Tree, leaves: list[Tree], done: int) -> int:
    """Give a constituent its last words, from `done` on; returns how many have a place."""
    if done < node.end:
        node.children += leaves[done : node.end]
    return max(done, node.end)
