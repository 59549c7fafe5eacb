"""The parts of a drawing: rows of labels under the words, arcs and where they go, trees; texts as
pages, pictures and terminals may show them, and how wide they are there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar
from unicodedata import combining, east_asian_width

from senna.annotation.schemes import Phrase, phrases_of
from senna.annotation.trees import Tree
from senna.kinds import output_of

N = TypeVar("N", int, float)
_BLANK = re.compile(r"\s+")
# What no page and no terminal should be handed: C0, C1, DEL, halves of surrogate pairs.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")

# Shares of the size of a font, for letters of the usual sans serif fonts.
_SHARES = {
    **dict.fromkeys("iljI.,;:'|!`", 0.3),
    **dict.fromkeys('frt()[]{}-/\\" ', 0.4),
    **dict.fromkeys("mwMW@%", 0.95),
    **dict.fromkeys("ABCDEFGHKLNOPQRSTUVXYZ&+<=>~", 0.72),
}
_USUAL = 0.58


def on_one_line(text: str) -> str:
    """A text with one space for each run of blanks and line ends."""
    return _BLANK.sub(" ", text)


def harmless(text: str) -> str:
    """A text with U+FFFD for control characters and what is no character."""
    return _CONTROL.sub("\ufffd", text)


def pixels(text: str, size: float) -> float:
    """About how wide a text is in a font of some size, in the unit of the size."""
    return size * sum(_SHARES.get(c, _USUAL) if c.isascii() else _share(c) for c in text)


def _share(letter: str) -> float:
    return 0.0 if combining(letter) else 1.0 if east_asian_width(letter) in "WF" else 0.66


def cells(text: str) -> int:
    """How many cells of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 1 + (east_asian_width(c) in "WF") for c in text)


def cut(text: str, room: float, measure: Callable[[str], float] = cells) -> str:
    """As much of a text as fits into `room`, in cells or as it is measured."""
    while text and measure(text) > room:
        text = text[:-1]
    return text


def breaks(widths: Sequence[float], room: float, gap: float = 1) -> list[int]:
    """Before which words a new line begins, the first and the end included."""
    starts, used = [0], 0.0
    for i, width in enumerate(widths):
        if used and used + width > room:
            starts.append(i)
            used = 0
        used += width + gap
    return [*starts, len(widths)] if widths else [0]


def widen(widths: list[N], rows: Sequence[LabelRow], labels: Sequence[Sequence[N]], gap: N) -> None:
    """Make words wide enough for the labels under them: each label's width by row and phrase."""
    for row, row_labels in zip(rows, labels, strict=True):
        for (start, end, _), needed in zip(row.phrases, row_labels, strict=True):
            room = sum(widths[start:end]) + gap * (end - start - 1)
            widths[end - 1] += max(needed - room, 0)


class LabelRow(NamedTuple):
    """A row of labels under the words of a sentence: its name, its task, and its phrases."""

    name: str
    task: str
    phrases: list[Phrase]
    bars: bool = True  # whether labels extend over several words


class Link(NamedTuple):
    """An arc above words: from a head, numbered from 0, or -1 for none, to a phrase."""

    head: int
    phrase: Phrase


class Parts(NamedTuple):
    """The words of a sentence and what is drawn around them."""

    words: Sequence[str]
    rows: list[LabelRow]
    arcs: list[Link]
    trees: list[Tree]
    different: frozenset[tuple[int, Phrase]] = frozenset()  # to be outlined: row and phrase


def parts_of(words: Sequence[str], answers: Mapping[str, Any]) -> Parts:
    """The parts of a sentence by the answers of tasks, each drawn as its kind is."""
    parts = Parts(words, [], [], [])
    for task, answer in answers.items():
        kind = output_of(task).kind
        if kind == "trees":
            parts.trees.append(answer)
        elif kind == "dependencies":
            arcs = enumerate(answer)
            links = [Link(arc.head - 1, Phrase(i, i + 1, arc.relation)) for i, arc in arcs]
            parts.arcs.extend(links)
        else:
            parts.rows.extend(rows_of(words, task, answer))
    return parts


def label_rows(words: Sequence[str], answers: Mapping[str, Any]) -> list[LabelRow]:
    """The rows of labels of all tasks, of trees one per level."""
    return [row for task, answer in answers.items() for row in rows_of(words, task, answer)]


def rows_of(words: Sequence[str], task: str, answer: Any) -> list[LabelRow]:
    """The rows of labels of an answer: one per predicate, one per level of a tree, or one."""
    kind = output_of(task).kind
    if kind == "trees":
        return _levels(task, answer)
    if kind == "labels":
        return [LabelRow(task, task, [Phrase(0, len(words), answer)])]
    if kind == "roles":
        return [LabelRow(words[place], task, phrases_of(tags, "iobes")) for place, tags in answer]
    if kind == "phrases":
        return [LabelRow(task, task, phrases_of(answer, "iobes"))]
    tags = [arc.relation for arc in answer] if kind == "dependencies" else answer
    return [LabelRow(task, task, [Phrase(i, i + 1, tag) for i, tag in enumerate(tags)], False)]


def _levels(task: str, tree: Tree) -> list[LabelRow]:
    """A row for each level of a tree, without the root's."""
    rows: list[LabelRow] = []
    level = tree.children
    while level := [node for node in level if not node.is_leaf]:
        phrases = [Phrase(node.start, node.end, node.label) for node in level]
        rows.append(LabelRow("" if rows else task, task, phrases))
        level = [child for node in level for child in node.children]
    return rows


# Colours that all eyes tell apart (Okabe and Ito 2008). Lines differ in style too.
HUES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a8a8a")

# Labels that are often side by side have different colours; all others, any.
_LABELS = [
    ["PER", "NP", "A0", "S"],
    ["LOC", "VP", "A1"],
    ["ORG", "PP", "A2", "AM-MOD"],
    ["MISC", "ADVP", "AM-TMP", "A4"],
    ["SBAR", "AM-LOC", "A3", "AM-ADV"],
    ["ADJP", "AM-MNR", "AM-NEG"],
    ["PRT", "AM-DIS", "V"],
]
_COLOUR = {label: i for i, labels in enumerate(_LABELS) for label in labels}


def colour(label: str) -> int:
    """The number of a label's colour in `HUES`."""
    label = label.removeprefix("C-").removeprefix("R-")
    return _COLOUR.get(label, sum(map(ord, label)) % len(HUES))


# --------------------------------------------------------------------------- arcs


class Bow(NamedTuple):
    """The part of an arc above the words [start, end) of a line, at a level from 1.

    `left` and `right` are its words there, or None where it goes on at the line's edge. An arrow
    points at `tip`, one of the two. Both are the same word where the arc comes from the root.
    """

    label: str
    left: int | None
    right: int | None
    tip: int | None
    level: int

    @property
    def is_root(self) -> bool:
        """Whether it comes from the root, and not from a word of this line or of another one."""
        return self.left is not None and self.left == self.right


def bows(
    arcs: Sequence[Link],
    start: int,
    end: int,
    reach: Callable[[int, int, str], tuple[float, float]] = lambda a, b, label: (a, b),
) -> list[Bow]:
    """The arcs over words [start, end): short ones below those that they would cross.

    `reach`: from where to where an arc between two words goes with its label; words outside of the
    line stand for its edges.
    """
    ends = [(*ends_of(arc), arc.phrase.label) for arc in arcs]
    here = [own for own in ends if min(own[:2]) < end and max(own[:2]) >= start]
    here.sort(key=lambda own: (abs(own[1] - own[0]), own))
    placed: list[tuple[float, float, int]] = []
    drawn = []
    for head, tip, label in here:
        low, high = min(head, tip), max(head, tip)
        x, y = reach(max(low, start - 1), min(high, end), label if low < high else "")
        below = [level for u, v, level in placed if x < v and u < y]
        level = max(below, default=0) + 1
        placed.append((x, y, level))
        left, right = (low if low >= start else None), (high if high < end else None)
        drawn.append(Bow(label, left, right, tip if start <= tip < end else None, level))
    top = max((bow.level for bow in drawn), default=1)
    for i, bow in enumerate(drawn):
        if bow.left is not None and bow.is_root:
            x, y = reach(bow.left, bow.left, bow.label)
            over = any(level == top and x < v and u < y for u, v, level in placed)
            drawn[i] = bow._replace(level=top + (over and x < y))
    return drawn


def ends_of(arc: Link) -> tuple[int, int]:
    """The words that an arc comes from and goes to: of a phrase its middle."""
    to = (arc.phrase.start + arc.phrase.end - 1) // 2
    return (to if arc.head < 0 else arc.head), to


def ports(drawn: Sequence[Bow]) -> dict[tuple[int, Bow], float]:
    """How far from its word's middle each end of a bow stands, in widths of a port.

    Ends to the left stand left of those to the right, so that no two of a word cross.
    """
    of_word: dict[int, list[tuple[float, Bow]]] = defaultdict(list)
    for bow in drawn:
        if bow.is_root:
            assert bow.left is not None
            of_word[bow.left].append((0, bow))
            continue
        if bow.left is not None:
            of_word[bow.left].append((1 / bow.level, bow))
        if bow.right is not None:
            of_word[bow.right].append((-1 / bow.level, bow))
    places = {}
    for word, stems in of_word.items():
        stems.sort(key=lambda stem: stem[0])
        for i, (_, bow) in enumerate(stems):
            places[word, bow] = i - (len(stems) - 1) / 2
    return places
