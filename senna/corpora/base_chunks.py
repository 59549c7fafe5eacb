"""Base chunks of constituent trees, by the rules of CoNLL-2000.

After the description of Tjong Kim Sang and Buchholz 2000, "Introduction to the CoNLL-2000 Shared
Task: Chunking". A chunk is a constituent's words up to and including its head; what follows the
head makes chunks of its own. The rules give 98.5 % of the shared task's own chunks on its texts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

from senna.annotation.schemes import Phrase
from senna.annotation.trees import Tree, numbered

_PUNCTUATION = frozenset(", . : `` '' -LRB- -RRB- -LSB- -RSB- NFP".split())
_NO_HEADS = _PUNCTUATION | {"CC"}
# Words before a possessive that make no phrase of their own, as "even", "of" and "all".
_NO_OWNERS = _NO_HEADS | {"RB", "IN", "PDT"}
_VERBS = frozenset("VB VBD VBG VBN VBP VBZ MD TO".split())
_NOUNS = frozenset("NN NNS NNP NNPS POS".split())
_ADVERBS = frozenset(["RB", "RBR"])
_COMPLEMENTIZERS = frozenset("IN RB DT TO WDT".split())
# A verb phrase without verb has its verb under one of these tags.
_MISTAGGED_VERBS = frozenset("NN NNS NNP NNPS JJ IN POS FW UH XX GW CD".split())
_BE = frozenset("be am is are was were been being 's 'm 're s m re".split())

_NOUN_PHRASES = frozenset("NP WHNP NX NAC QP NML".split())
_NOUN_HEADS = frozenset("NML NX NAC QP".split())
_AFTER_NOUNS = frozenset("PP SBAR S VP PRN WHPP RRC FRAG".split())
# Phrases whose chunk is the words that hang on them: the chunk's type, and the constituents that
# may stand within it.
_HEADED: dict[str, tuple[str, frozenset[str]]] = {
    label: (kind, frozenset(modifiers.split()))
    for labels, kind, modifiers in [
        ("PP WHPP", "PP", ""),
        ("SBAR", "SBAR", ""),
        ("ADJP WHADJP", "ADJP", "ADVP QP ADJP"),
        ("ADVP WHADVP", "ADVP", "ADVP ADJP QP"),
        ("CONJP", "CONJP", "ADVP PP ADJP"),
        ("INTJ", "INTJ", "INTJ NP ADJP"),
        ("PRT", "PRT", ""),
    ]
    for label in labels.split()
}


def base_chunks(tree: Tree) -> list[Phrase]:
    """The chunks of a tree, from left to right."""
    chunks = _Chunks(numbered(tree).leaves())
    chunks.visit(tree)
    return list(chunks.phrases())


class _Chunks:
    """Chunks under construction: each function below adds those of a constituent, left to right.

    A word that is added twice belongs to the later chunk.
    """

    def __init__(self, leaves: Sequence[Tree]) -> None:
        self.leaves = leaves
        self.owners: list[tuple[int, str] | None] = [None] * len(leaves)  # (number, type)
        self.count = 0

    def add(self, start: int, end: int, kind: str, *, joined: bool = False) -> None:
        """Words `start` to `end` become a chunk, or (`joined`) go on with the one just before."""
        if start >= end:
            return
        before = self.owners[start - 1] if joined and start > 0 else None
        if before is None or before[1] != kind:
            self.count += 1
        self.owners[start:end] = [(self.count, kind)] * (end - start)

    def phrases(self) -> Iterator[Phrase]:
        """The chunks without the punctuation at their ends."""
        for owner, group in groupby(range(len(self.leaves)), key=self.owners.__getitem__):
            if owner is None:
                continue
            positions = list(group)
            start, end, kind = positions[0], positions[-1] + 1, owner[1]
            if kind != "LST":
                start, end = self._without_punctuation(start, end, kind)
            if start < end:
                yield Phrase(start, end, kind)

    def _without_punctuation(self, start: int, end: int, kind: str) -> tuple[int, int]:
        tags = [leaf.label for leaf in self.leaves]
        while start < end and tags[start] in _PUNCTUATION:
            if kind == "NP" and tags[start] == "``" and "''" in tags[start : end - 1]:
                break  # ``heavy'' water
            start += 1
        while start < end and tags[end - 1] in _PUNCTUATION:
            end -= 1
        return start, end

    def visit(self, node: Tree) -> None:
        """Add the chunks of a constituent; a word by itself is outside."""
        if node.is_leaf:
            return
        if node.label in _NOUN_PHRASES:
            _noun_phrase(node, self)
        elif node.label == "VP":
            _verb_phrase(node, self, joined=False)
        elif node.label == "LST":
            self.add(node.start, node.end, "LST")
        elif node.label in _HEADED:
            _headed_phrase(node, self)
        else:
            self.visit_all(node.children)

    def visit_all(self, nodes: Sequence[Tree]) -> None:
        """Add the chunks of several constituents."""
        for node in nodes:
            self.visit(node)


def _is_flat(node: Tree) -> bool:
    return all(child.is_leaf for child in node.children)


def _is_possessive(node: Tree) -> bool:
    return node.label in _NOUN_PHRASES and not node.is_leaf and node.leaves()[-1].label == "POS"


# --------------------------------------------------------------------------- noun phrases


def _noun_head(children: Sequence[Tree]) -> int:
    """The number of the child that ends the base noun phrase, or -1."""
    head = -1
    for i, child in enumerate(children):
        if child.is_leaf:
            head = head if child.label in _NO_HEADS else i
        elif child.label in _NOUN_HEADS:
            head = i
        elif _ends_base(child, children[i + 1 :]):
            break
    return head


def _ends_base(child: Tree, rest: Sequence[Tree]) -> bool:
    """Whether a constituent within a noun phrase stands after its head."""
    noun_follows = any(later.label in _NOUNS for later in rest)
    if child.label in ("NP", "WHNP"):
        return not _is_possessive(child) and not (noun_follows and _is_flat(child))
    return child.label in _AFTER_NOUNS and not noun_follows


def _noun_phrase(node: Tree, chunks: _Chunks) -> None:
    children = node.children
    head = _noun_head(children)
    if head < 0:
        chunks.visit_all(children)
        return
    start = node.start
    first = children[0]
    if head > 0 and first.label == "ADVP" and first.end - first.start > 1:
        chunks.visit(first)  # [at least] [a reason]
        start = first.end
    for child in children[: head + 1]:
        if _is_possessive(child):
            if any(leaf.label not in _NO_OWNERS for leaf in chunks.leaves[start : child.start]):
                chunks.add(start, child.start, "NP")
            chunks.visit(child)
            start = child.end - 1  # the marker belongs to what follows
    last = children[head]
    if last.label == "POS":
        chunks.add(start, last.start, "NP")
        start = last.start
    chunks.add(start, last.end, "NP")
    chunks.visit_all(children[head + 1 :])


# --------------------------------------------------------------------------- verb phrases


def _verb_phrase(node: Tree, chunks: _Chunks, *, joined: bool) -> None:
    """`joined`: its verbs may go on with the group just before."""
    group = _VerbGroup(chunks, joined)
    verb = None
    if not any(child.label in _VERBS or child.label == "VP" for child in node.children):
        odd = (child for child in node.children if child.label in _MISTAGGED_VERBS)
        verb = next((child for child in odd if child.is_leaf), None)
    for i, child in enumerate(node.children):
        rest = node.children[i + 1 :]
        if not child.is_leaf:
            group.phrase(child, rest)
        elif child.label in _VERBS or child is verb:
            group.verb(child.start, child.end)
        else:
            group.word(child, rest)


class _VerbGroup:
    """The verbs and adverbs of a verb phrase, on their way to a chunk."""

    def __init__(self, chunks: _Chunks, joined: bool) -> None:
        self.chunks = chunks
        self.joined = joined  # whether the next verb goes on with the chunk before
        self.waiting: int | None = None  # the first of the adverbs that wait for a verb

    def verb(self, start: int, end: int) -> None:
        """Add verbs, and the adverbs that waited for them."""
        start = start if self.waiting is None else self.waiting
        self.chunks.add(start, end, "VP", joined=self.joined)
        self.joined, self.waiting = True, None

    def word(self, child: Tree, rest: Sequence[Tree]) -> None:
        """A word that is no verb: it joins verbs, waits for one, or ends the group."""
        if child.label == "CC" and self.joined and rest and _is_verb(rest[0]):
            self.chunks.add(child.start, child.end, "VP", joined=True)
        elif child.label in _ADVERBS and _verb_follows(rest, self.joined):
            self._wait(child)
        else:  # so in "is n't a law", where n't is outside
            self.joined, self.waiting = False, None

    def phrase(self, child: Tree, rest: Sequence[Tree]) -> None:
        """A constituent: an adverb, more verbs, or something that ends the group."""
        if child.label == "ADVP" and _is_flat(child) and _verb_follows(rest, self.joined):
            self._wait(child)
            return
        clause = child.label == "S" and self.joined and _is_subjectless(child)
        # After a form of *be*, as in "is to make sure", a clause is no part of a group.
        before = (self.chunks.leaves[child.start - 1].word or "").lower().replace("\u2019", "'")
        if child.label == "VP":
            self._flush(child.start)
            _verb_phrase(child, self.chunks, joined=self.joined)
        elif clause and before not in _BE:
            self._flush(child.start)
            _controlled_clause(child, self.chunks)
        else:
            if self.waiting is not None:
                self.chunks.add(self.waiting, child.start, "ADVP")
            self.chunks.visit(child)
        self.joined, self.waiting = False, None

    def _wait(self, child: Tree) -> None:
        if self.waiting is None:
            self.waiting = child.start

    def _flush(self, end: int) -> None:
        """Adverbs before more verbs belong to the group."""
        if self.waiting is not None:
            self.verb(self.waiting, end)


def _is_verb(node: Tree) -> bool:
    return node.is_leaf and node.label in _VERBS


def _verb_follows(children: Sequence[Tree], joined: bool) -> bool:
    """Whether the next thing but adverbs is a verb, or a verb phrase that goes on with a group."""
    for child in children:
        if child.label != "ADVP" and not (child.is_leaf and child.label in _ADVERBS):
            return _is_verb(child) or (joined and child.label == "VP")
    return False


def _is_subjectless(node: Tree) -> bool:
    for child in node.children:
        if child.label == "VP":
            return True
        if child.label != "ADVP" and not (child.is_leaf and child.label == "RB"):
            return False
    return False


def _controlled_clause(node: Tree, chunks: _Chunks) -> None:
    """A clause whose verbs join the group before it: [wants to sell] [shares]."""
    before = True
    for child in node.children:
        if not before:
            chunks.visit(child)
        elif child.label == "VP":
            _verb_phrase(child, chunks, joined=True)
            before = False
        else:
            chunks.add(child.start, child.end, "VP", joined=True)


# --------------------------------------------------------------------------- all other phrases


def _headed_phrase(node: Tree, chunks: _Chunks) -> None:
    """A phrase whose chunk is the words hanging on it, with modifiers before and between them."""
    kind, modifiers = _HEADED[node.label]
    children = node.children
    heads = [
        i for i, child in enumerate(children) if child.is_leaf and child.label not in _NO_HEADS
    ]
    if not heads:
        for child in children:
            if kind == "PP" and child.label == "CC":  # from home [and] from abroad
                chunks.add(child.start, child.end, "PP")
            else:
                chunks.visit(child)
        return
    if kind == "SBAR":  # in order to ...
        heads = heads[:1] + [i for i in heads[1:] if children[i].label in _COMPLEMENTIZERS]
    start = head = heads[0]
    for i in heads:
        if all(child.is_leaf or child.label in modifiers for child in children[head:i]):
            head = i
    while start > 0 and _stands_within(children[start - 1], kind, modifiers):
        start -= 1
    chunks.visit_all(children[:start])
    chunks.add(children[start].start, children[head].end, kind)
    chunks.visit_all(children[head + 1 :])


def _stands_within(child: Tree, kind: str, modifiers: Collection[str]) -> bool:
    """Whether a child before the head is part of the chunk."""
    if child.is_leaf or child.label in modifiers:
        return True
    words = [leaf.word for leaf in child.leaves()]
    return kind == "SBAR" and len(words) == 1 and (words[0] or "").lower() in ("even", "just")
