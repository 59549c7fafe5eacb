"""Sentences for a terminal: words, arcs above them, rows of labels under them, trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from senna.annotation.trees import Tree
from senna.document.parts import Constituent
from senna.drawing.parts import (
    Bow,
    LabelRow,
    Parts,
    bows,
    breaks,
    cells,
    colour,
    cut,
    ends_of,
    harmless,
    on_one_line,
    widen,
)

CODES = (34, 31, 32, 35, 33, 36, 90)  # of colours, in the order of `colours.HUES`
BOLD, FAINT = 1, 2

Paint = Callable[[str, int], str]


def drawn(parts: Parts, width: int, paint: Paint) -> Iterator[str]:
    """The lines of a sentence: as many words as fit with their arcs and rows, and so on; trees."""
    words = [harmless(on_one_line(word)) for word in parts.words]
    rows = parts.rows
    legend = min(max((cells(row.name) for row in rows), default=-1), 12)
    standing = standing_of(words, parts)
    widths = widths_of(standing, parts)
    names = {i for row in rows if row.task == "ner" for a, b, _ in row.phrases for i in range(a, b)}
    margin = " " * (legend + 1)
    whole = width - legend - 1
    room = whole
    if sum(widths) + len(widths) - 1 > room:  # arcs go on at the edge, where labels need room
        longest = max((cells(arc.phrase.label) for arc in parts.arcs), default=0)
        room -= min(longest, room // 3)
    for start, end in pairwise(breaks(widths, room)):
        middles, x = [], 0
        for i in range(start, end):
            middles.append(x + standing[i] // 2)
            x += widths[i] + 1
        for line in _arcs(bows(parts.arcs, start, end), middles, start, x, whole):
            yield f"{margin}{paint(line, FAINT)}"
        here = zip(range(start, end), words[start:end], widths[start:end], strict=True)
        joined = " ".join(
            (paint(word, BOLD) if i in names else word) + " " * (wide - cells(word))
            for i, word, wide in here
        )
        yield f"{margin}{joined.rstrip()}"
        for row in rows:
            if not any(first < end and last > start for first, last, _ in row.phrases):
                continue
            name = cut(row.name, legend)
            bars = _bars(row, widths, start, end, paint)
            yield f"{paint(name, FAINT)}{' ' * (legend + 1 - cells(name))}{bars}".rstrip()
    for tree in parts.trees:
        yield from _tree(tree, paint)


def standing_of(words: Sequence[str], parts: Parts) -> list[int]:
    """How wide words are with the ends of arcs that stand on them."""
    widths = list(map(cells, words))
    for arc in parts.arcs:
        head, tip = ends_of(arc)
        needed = 3 if head != tip else cells(harmless(arc.phrase.label))
        widths[head] = max(widths[head], needed)
    return widths


def widths_of(standing: Sequence[int], parts: Parts) -> list[int]:
    """How wide the column of each of some words is, so that every label has room."""
    widths = list(standing)
    labels = [[cells(label) for _, _, label in row.phrases] for row in parts.rows]
    widen(widths, parts.rows, labels, 1)
    for arc in sorted(parts.arcs, key=lambda arc: abs(arc.head - arc.phrase.start)):
        low, high = sorted(ends_of(arc))
        if low < high:  # The end of the head stands beside its middle: see `_arcs`.
            room = sum(widths[low:high]) + high - low + standing[high] // 2 - standing[low] // 2 - 2
            widths[high - 1] += max(cells(harmless(arc.phrase.label)) - room, 0)
    return widths


def _bars(row: LabelRow, widths: Sequence[int], start: int, end: int, paint: Paint) -> str:
    """The part of a row that stands under words `start` to `end`."""
    line, done = "", start
    for first, last, label in row.phrases:
        if last <= start or first >= end:
            continue
        a, b = max(first, start), min(last, end)
        line += " " * (sum(widths[done:a]) + a - done)
        room = sum(widths[a:b]) + b - a - 1
        shown = cut(harmless(label if a == first else f"…{label}"), room)
        rest = room - cells(shown)
        if row.bars:
            line += paint(shown + "─" * rest, CODES[colour(label)])
        else:
            line += paint(shown, FAINT) + " " * rest
        line += " " * (b < end)
        done = b
    return line


def _arcs(
    drawn: Sequence[Bow], middles: Sequence[int], start: int, width: int, room: int
) -> list[str]:
    """The lines of arcs over words from number `start` on: a line per level, and one of ends.

    A dependent has an arrow on its middle, a head the end of its arc next to its middle, where the
    dependent is, so that no arcs of a projective tree cross. The root has its label in place of an
    arrow.
    """
    if not drawn:
        return []
    arcs = []
    for bow in sorted(drawn, key=lambda bow: -bow.level):
        if bow.left is None or bow.left != bow.right:
            left = None if bow.left is None else middles[bow.left - start] + (bow.left != bow.tip)
            right = None
            if bow.right is not None:
                right = middles[bow.right - start] - (bow.right != bow.tip)
            elif left is not None:  # more room for its label
                width = max(width, min(left + cells(harmless(bow.label)) + 2, room))
            arcs.append((bow, left, right))
    height = max((bow.level for bow, _, _ in arcs), default=0) + 1
    canvas = [[" "] * width for _ in range(height)]
    for bow, left, right in arcs:
        top = height - 1 - bow.level
        _span(canvas[top], harmless(bow.label), left, right)
        for line in canvas[top + 1 :]:
            for column in (left, right):
                if column is not None:
                    line[column] = "│"
    for bow in drawn:
        if bow.tip is not None:
            label = harmless(bow.label) if bow.left == bow.right else "▼"
            at = middles[bow.tip - start] - cells(label) // 2
            canvas[-1][at : at + len(label)] = label
    return ["".join(line).rstrip() for line in canvas]


def _span(line: list[str], label: str, left: int | None, right: int | None) -> None:
    """An arc from column to column, its label in the middle.

    Where it goes on from the line above, a label that does not fit is left out: it was there.
    """
    a, b = 0 if left is None else left, len(line) - 1 if right is None else right
    before = line[a], line[b]
    line[a : b + 1] = ["┼" if cell == "│" else "─" for cell in line[a : b + 1]]
    if left is not None:
        line[a] = "├" if before[0] == "│" else "╭"
    if right is not None:
        line[b] = "┤" if before[1] == "│" else "╮"
    room = max(b - a - 1, 0)
    shown = cut(label, room) if left is not None else label * (cells(label) <= room)
    at = a + 1 + (room - cells(shown)) // 2
    line[at : at + len(shown)] = shown


def _tree(tree: Tree, paint: Paint) -> Iterator[str]:
    """A constituent per line, below its parent; words that are alone below it on its line."""
    waiting: list[tuple[Tree, str, str]] = [(tree, "", "")]
    while waiting:
        node, before, inner = waiting.pop()
        label = paint(harmless(node.label), CODES[colour(node.label)])
        flat = all(child.is_leaf for child in node.children)
        words = " ".join(harmless(on_one_line(leaf.word or "")) for leaf in node.leaves())
        yield f"{before}{label}{' ' + words if flat else ''}"
        if not flat:
            *most, last = node.children
            waiting.append((last, f"{inner}└─ ", f"{inner}   "))
            waiting += [(child, f"{inner}├─ ", f"{inner}│  ") for child in reversed(most)]


def pretty(tree: Constituent) -> str:
    """A parse tree with one line per constituent; a word follows its part of speech."""
    lines = []
    waiting = [(tree, "", "")]  # each with what its own line and those below it begin with
    while waiting:
        node, head, margin = waiting.pop()
        lines.append(f"{head}{node.label} {node.text}" if node.is_leaf else head + node.label)
        below = [(child, f"{margin}├── ", f"{margin}│   ") for child in node.children]
        if below:
            below[-1] = node.children[-1], f"{margin}└── ", f"{margin}    "
        waiting += reversed(below)
    return "\n".join(lines)
