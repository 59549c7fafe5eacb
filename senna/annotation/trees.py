"""Constituent trees: read, write and clean them, and the spans of their constituents.

The bracketed form is the Penn Treebank's, `(TOP (S (NP (PRP She)) (VP (VBZ sings))))`. A nameless
outer bracket is TOP. Round brackets that are words, or within words, are written -LRB- and -RRB-.

Constituents are labelled brackets as well, each over a span of words. A chain of constituents over
the same words is one label, `S+VP`; TOP has none. A constituent of several children counts as
several brackets, each of two: its first two children make one, that and the third the next. Those
in between are labelled `NO_LABEL`, as are words that are no constituents. So a sentence of n words
has 2 n - 1 brackets, and they always make a tree again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from senna.annotation.schemes import LINK, NO_LABEL, Phrase

TOP = "TOP"
TRACE = "-NONE-"  # the label of what is no word: traces, and other empty leaves

Made = TypeVar("Made")


_INDEX = re.compile(r"[-=]\d+")
_FUNCTION = re.compile(r"[-=|]")


@dataclass(slots=True, eq=False, repr=False)
class Tree:
    """A constituent, or (`word` is not None) a leaf: a word whose label is its part of speech.

    `start` and `end` (not included) count the words that it covers; see `numbered`. Two trees are
    equal that have the same labels, words and shape. Trees of files may be deeper than Python's
    stack: nothing here calls itself, and a tree is copied and pickled as flat lists.
    """

    label: str
    children: list[Tree] = field(default_factory=list)
    word: str | None = None
    start: int = 0
    end: int = 0

    @property
    def is_leaf(self) -> bool:
        """Whether the constituent is a word."""
        return self.word is not None

    def subtrees(self) -> Iterator[Tree]:
        """Itself and all below it, words too: each before its children, from left to right."""
        waiting = [self]
        while waiting:
            tree = waiting.pop()
            yield tree
            waiting += reversed(tree.children)

    def leaves(self) -> list[Tree]:
        """Its words, from left to right; of a leaf, itself."""
        return [tree for tree in self.subtrees() if tree.is_leaf]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        pairs = zip(self.subtrees(), other.subtrees(), strict=False)
        return all(
            (a.label, a.word, len(a.children)) == (b.label, b.word, len(b.children))
            for a, b in pairs
        )

    def __reduce__(self) -> Any:
        every = list(self.subtrees())
        rows = [(t.label, len(t.children), t.word, t.start, t.end) for t in every]
        return _of_rows, tuple(map(list, zip(*rows, strict=True)))

    def __repr__(self) -> str:
        return f"Tree({str(self)!r})"

    def __str__(self) -> str:
        """The tree in brackets, on one line."""
        parts: list[str] = []
        waiting: list[Tree | str] = [self]
        while waiting:
            node = waiting.pop()
            if isinstance(node, str):
                parts.append(node)
            elif node.word is not None:
                word = node.word.replace("(", "-LRB-").replace(")", "-RRB-")
                parts.append(f"({node.label} {before_bracket(word)})")
            else:
                parts.append(f"({node.label}")
                waiting.append(")")
                for child in reversed(node.children):
                    waiting += [child, " "]
        return "".join(parts)


def _of_rows(
    labels: list[str],
    counts: list[int],
    words: list[str | None],
    starts: list[int],
    ends: list[int],
) -> Tree:
    """The tree of which these are the nodes, each before its children, whose number it has."""
    made: list[Tree] = []
    for i in reversed(range(len(labels))):
        children = [made.pop() for _ in range(counts[i])]
        made.append(Tree(labels[i], children, words[i], starts[i], ends[i]))
    return made[0]


def before_bracket(word: str) -> str:
    """A word as it stands before a bracket, which NLTK takes for a part of it after a backslash."""
    return word + " " if word.endswith("\\") else word


def folded(tree: Tree, make: Callable[[Tree, list[Made]], Made]) -> Made:
    """Fold a tree: apply `make` to each node and the results of its children, leaves first."""
    results: list[Made] = []
    for node in reversed(list(tree.subtrees())):
        results.append(make(node, [results.pop() for _ in node.children]))
    return results[0]


def words_of(tree: Tree) -> list[Tree]:
    """The leaves of a tree that are words, and no traces."""
    return [leaf for leaf in tree.leaves() if leaf.label != TRACE]


def leaves_of(words: Sequence[str], tags: Sequence[str]) -> list[Tree]:
    """Words with their parts of speech as the leaves of a tree to be."""
    return [Tree(tag, [], word) for word, tag in zip(words, tags, strict=True)]


def numbered(tree: Tree) -> Tree:
    """The same tree, with `start` and `end` set in it and in all constituents."""
    every, n = list(tree.subtrees()), 0
    for node in every:
        node.start = n
        n += node.is_leaf
    for node in reversed(every):
        node.end = node.children[-1].end if node.children else node.start + node.is_leaf
    return tree


def cells_of_tree(tree: Tree, root: str = "S1") -> list[str]:
    """A tree as a column of brackets, the way back from `tree_of_columns`, its root called `root`.

    (S1 is that of the original program, by which its users know it.)
    """
    cells: list[str] = []
    opened = ""
    waiting: list[Tree | None] = [tree]
    while waiting:
        node = waiting.pop()
        if node is None:
            if cells:  # a tree without words has none
                cells[-1] += ")"
        elif node.word is not None:
            cells.append(opened + "*")
            opened = ""
        else:
            opened += f"({root if node is tree else node.label}"
            waiting.append(None)
            waiting += node.children[::-1]
    return cells


def bare(label: str) -> str:
    """A label without function tags and indices: NP-SBJ-1 and NP=2 are NP; -LRB- stays."""
    return label if label.startswith("-") else _FUNCTION.split(label)[0] or label


def cleaned(tree: Tree, drop: Collection[str], *, functions: bool = False) -> Tree | None:
    """A copy without the leaves whose label is in `drop`, and without what they leave empty.

    Indices go, and function tags unless `functions`. A constituent whose only child has the same
    label (left so by a trace) becomes one with it. None when nothing is left.
    """

    def make(node: Tree, results: list[Tree | None]) -> Tree | None:
        if node.is_leaf:
            return None if node.label in drop else Tree(node.label, word=node.word)
        children = [child for child in results if child is not None]
        if not children:
            return None
        label = _INDEX.sub("", node.label) if functions else bare(node.label)
        only = children[0]
        same = len(children) == 1 and not only.is_leaf and only.label == label
        return only if same else Tree(label, children)

    return folded(tree, make)


# --------------------------------------------------------------------------- constituents


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


def unbroken(word: str) -> str:
    """A word without blanks, and never empty: each run of blanks is an underscore."""
    return re.sub(r"\s+", "_", word) or "_"


def bracketed(tree: Tree) -> str:
    """A tree in brackets, however deep; blanks in words are underscores."""

    def plain(text: str) -> str:
        return unbroken(text).replace("(", "-LRB-").replace(")", "-RRB-")

    parts: list[str] = []
    waiting: list[Tree | None] = [tree]
    while waiting:
        node = waiting.pop()
        if node is None:
            parts[-1] += ")"
        elif node.word is not None:
            parts.append(f"({plain(node.label)} {before_bracket(plain(node.word))})")
        else:
            parts.append(f"({plain(node.label)}")
            waiting += [None, *reversed(node.children)]
    return " ".join(parts)
