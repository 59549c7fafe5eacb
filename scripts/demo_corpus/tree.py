"""Constituent trees that carry entities and predicates, and their bracketed form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(eq=False)
class Predicate:
    """A roleset and its arguments; the constituents named here are nodes of the same tree."""

    roleset: str
    kind: str  # v, be, aux, lv or n, as in the role columns
    arguments: list[tuple[str, Node]] = field(default_factory=list)

    def add(self, role: str, node: Node | None) -> None:
        """Give the constituent this role; a missing one is passed over."""
        if node is not None:
            self.arguments.append((role, node))


@dataclass(eq=False)
class Entity:
    """One mention of a name: its words point to the same object."""

    kind: str  # PER, LOC, ORG, MISC


@dataclass(eq=False)
class Node:
    """A constituent (label, children) or a word (its tag as label)."""

    label: str
    children: list[Node] = field(default_factory=list)
    word: str = ""
    agreement: str = "singular"  # of a noun phrase: singular, plural or I
    entity: Entity | None = None
    predicate: Predicate | None = None
    start: int = 0  # index of the first word; set by number()
    end: int = 0

    def leaves(self) -> Iterator[Node]:
        """The words, left to right."""
        if self.word:
            yield self
        for child in self.children:
            yield from child.leaves()


def leaf(tag: str, word: str) -> Node:
    """A word under its part-of-speech tag."""
    return Node(tag, word=word)


def phrase(label: str, *children: Node | None, agreement: str = "singular") -> Node:
    """A constituent over those of its children that are there."""
    return Node(label, [child for child in children if child], agreement=agreement)


def words(text: str) -> list[Node]:
    """The leaves written as ``the/DT new/JJ``."""
    pairs = (item.rpartition("/") for item in text.split())
    return [leaf(tag, word) for word, _, tag in pairs]


def named(kind: str, leaves: list[Node]) -> list[Node]:
    """The same leaves, marked as one entity."""
    entity = Entity(kind)
    for item in leaves:
        item.entity = entity
    return leaves


def number(root: Node) -> Node:
    """Set start and end (half-open, in words) of every node."""

    def visit(node: Node, at: int) -> int:
        node.start = at
        at += bool(node.word)
        for child in node.children:
            at = visit(child, at)
        node.end = at
        return at

    visit(root, 0)
    return root


def bracketed(node: Node) -> str:
    """The tree on one line; round brackets inside words are written -LRB- and -RRB-."""
    if node.word:
        word = node.word.replace("(", "-LRB-").replace(")", "-RRB-")
        return f"({node.label} {word})"
    return f"({node.label} {' '.join(bracketed(child) for child in node.children)})"
