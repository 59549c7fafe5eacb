"""Constituent trees: read, write and clean them, and the spans of their constituents.

The bracketed form is the Penn Treebank's, `(TOP (S (NP (PRP She)) (VP (VBZ sings))))`. A nameless
outer bracket is TOP. Round brackets that are words, or within words, are written -LRB- and -RRB-.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from senna.errors import SennaError

TOP = "TOP"

_TOKEN = re.compile(r"[()]|[^\s()]+")
_OPENED = re.compile(r"\(([^()*]+)")
_INDEX = re.compile(r"[-=]\d+")
_FUNCTION = re.compile(r"[-=|]")


@dataclass(slots=True)
class Tree:
    """A constituent, or (`word` is not None) a leaf: a word whose label is its part of speech.

    `start` and `end` (not included) count the words that it covers; see `numbered`.
    """

    label: str
    children: list[Tree] = field(default_factory=list)
    word: str | None = None
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)

    @property
    def is_leaf(self) -> bool:
        """Whether it is a word."""
        return self.word is not None

    def leaves(self) -> list[Tree]:
        """Its words, from left to right; of a leaf, itself."""
        if self.is_leaf:
            return [self]
        return [leaf for child in self.children for leaf in child.leaves()]

    def __str__(self) -> str:
        """The tree in brackets, on one line."""
        if self.word is not None:
            inner = self.word.replace("(", "-LRB-").replace(")", "-RRB-")
        else:
            inner = " ".join(map(str, self.children))
        return f"({self.label} {inner})"


def leaves_of(words: Sequence[str], tags: Sequence[str]) -> list[Tree]:
    """Words with their parts of speech as the leaves of a tree to be."""
    return [Tree(tag, word=word) for word, tag in zip(words, tags, strict=True)]


def numbered(tree: Tree, start: int = 0) -> Tree:
    """The same tree, with `start` and `end` set in it and in all constituents."""
    tree.start = start
    tree.end = start + 1 if tree.is_leaf else start
    for child in tree.children:
        tree.end = numbered(child, tree.end).end
    return tree


def read_trees(text: str, name: str) -> Iterator[Tree]:
    """The trees of a bracketed text, not numbered; line breaks mean nothing in it.

    `name` is the text's, for messages. Raises SennaError for unbalanced brackets, for words outside
    or beside constituents, and for brackets with nothing in them.
    """
    stack: list[Tree] = []
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token == "(":
            stack.append(Tree(""))
        elif not stack:
            raise _bad(f"{token!r} outside brackets", text, match.start(), name)
        elif token == ")":
            tree = stack.pop()
            if not tree.is_leaf and not tree.children:
                raise _bad("brackets with nothing in them", text, match.start(), name)
            tree.label = tree.label or TOP
            if not stack:
                yield tree
            elif stack[-1].is_leaf:
                raise _bad("a word beside a constituent", text, match.start(), name)
            else:
                stack[-1].children.append(tree)
        elif not stack[-1].label and not stack[-1].children:
            stack[-1].label = token
        elif stack[-1].is_leaf or stack[-1].children:
            raise _bad(f"{token!r} beside another word or constituent", text, match.start(), name)
        else:
            stack[-1].word = token.replace("-LRB-", "(").replace("-RRB-", ")")
    if stack:
        raise _bad(f"{len(stack)} brackets are never closed", text, len(text), name)


def _bad(what: str, text: str, offset: int, name: str) -> SennaError:
    line = text.count("\n", 0, offset) + 1
    return SennaError(what, where=f"{name}:{line}", mend="Trees are like (S (NP (PRP She)) ...).")


def tree_of_columns(tags: Sequence[str], cells: Sequence[str], words: Sequence[str]) -> Tree:
    """A tree from a column of brackets, such as `(S(NP*)`, `(VP*`, `*))`; `*` is the word.

    Raises SennaError for cells that are no brackets, and for a column that is not one tree.
    """
    root = Tree("")
    stack = [root]
    for tag, cell, word in zip(tags, cells, words, strict=True):
        opened, star, closed = cell.partition("*")
        for label in _OPENED.findall(opened):
            stack.append(Tree(label))
            stack[-2].children.append(stack[-1])
        if not star or closed.strip(")") or len(closed) >= len(stack) or len(stack) == 1:
            raise SennaError(f"{cell!r} does not fit a column of brackets")
        stack[-1].children.append(Tree(tag, word=word))
        del stack[len(stack) - len(closed) :]
    if len(stack) > 1 or len(root.children) != 1:
        raise SennaError(f"the column of brackets is {len(root.children)} trees, expected one")
    return root.children[0]


def cells_of_tree(tree: Tree) -> list[str]:
    """A tree as a column of brackets, the way back from `tree_of_columns`; its root is S1.

    (The original program's column, by which its users know it.)
    """
    cells: list[str] = []
    opened = ""
    waiting: list[Tree | None] = [tree]
    while waiting:
        node = waiting.pop()
        if node is None:
            cells[-1] += ")"
        elif node.is_leaf:
            cells.append(opened + "*")
            opened = ""
        else:
            opened += f"({'S1' if node is tree else node.label}"
            waiting += [None, *reversed(node.children)]
    return cells


def bare(label: str) -> str:
    """A label without function tags and indices: NP-SBJ-1 and NP=2 are NP; -LRB- stays."""
    return label if label.startswith("-") else _FUNCTION.split(label)[0] or label


def cleaned(tree: Tree, drop: Collection[str], *, functions: bool = False) -> Tree | None:
    """A copy without the leaves whose label is in `drop`, and without what they leave empty.

    Indices go, and function tags unless `functions`. A constituent whose only child has the same
    label (left so by a trace) becomes one with it. None when nothing is left.
    """
    if tree.is_leaf:
        return None if tree.label in drop else Tree(tree.label, word=tree.word)
    kept = [cleaned(child, drop, functions=functions) for child in tree.children]
    children = [child for child in kept if child is not None]
    if not children:
        return None
    label = _INDEX.sub("", tree.label) if functions else bare(tree.label)
    only = children[0]
    if len(children) == 1 and not only.is_leaf and only.label == label:
        return only
    return Tree(label, children)


def dissolved(tree: Tree, label: str) -> Tree:
    """A copy in which the children of each constituent called `label` stand in its place.

    The root stays, whatever it is called.
    """
    children = []
    for child in tree.children:
        copy = dissolved(child, label)
        inner = not copy.is_leaf and copy.label == label
        children += copy.children if inner else [copy]
    return Tree(tree.label, children, tree.word)
