"""Sentences for a terminal: words, arcs above them, rows of labels under them, trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from senna.drawing.arcs import Bow, bows
from senna.drawing.colours import colour
from senna.drawing.letters import breaks, cells, cut, widen
from senna.drawing.parts import Parts
from senna.outputs.base import LabelRow
from senna.text.shown import harmless, on_one_line
from senna.text.trees import Tree

CODES = (34, 31, 32, 35, 33, 36, 90)  # of colours, in the order of `colours.HUES`
BOLD, FAINT = 1, 2

Paint = Callable[[str, int], str]


def drawn(parts: Parts, width: int, paint: Paint) -> Iterator[str]:
    """The lines of a sentence: as many words as fit with their arcs and rows, and so on; trees."""
    words = [harmless(on_one_line(word)) for word in parts.words]
    rows = parts.rows
    legend = min(max((cells(row.name) for row in rows), default=-1), 12)
    widths = widths_of(words, parts)
    names = {i for row in rows if row.task == "ner" for a, b, _ in row.phrases for i in range(a, b)}
    margin = " " * (legend + 1)
    for start, end in pairwise(breaks(widths, width - legend - 1)):
        for line in _arcs(bows(parts.arcs, start, end), widths[start:end], start):
            yield f"{margin}{paint(line, FAINT)}"
        here = zip(range(start, end), words[start:end], widths[start:end], strict=True)
        joined = " ".join(
            (paint(word, BOLD) if i in names else word) + " " * (wide - cells(word))
            for i, word, wide in here
        )
        yield f"{margin}{joined.rstrip()}"
        for row in rows:
            name = cut(row.name, legend)
            bars = _bars(row, widths, start, end, paint)
            yield f"{paint(name, FAINT)}{' ' * (legend + 1 - cells(name))}{bars}".rstrip()
    for tree in parts.trees:
        yield from _tree(tree, paint)


def widths_of(words: Sequence[str], parts: Parts) -> list[int]:
    """How wide each word's column is, so that every label has room."""
    widths = list(map(cells, words))
    labels = [[cells(label) for _, _, label in row.phrases] for row in parts.rows]
    widen(widths, parts.rows, labels, 1)
    for arc in parts.arcs:
        to = arc.phrase.start
        if arc.head >= 0 and abs(arc.head - to) == 1:
            left = min(arc.head, to)
            distance = (widths[left] + 1) // 2 + widths[left + 1] // 2
            widths[left] += max(cells(arc.phrase.label) + 3 - distance, 0)
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


def _arcs(drawn: Sequence[Bow], widths: Sequence[int], start: int) -> list[str]:
    """The lines of arcs over words from number `start` on: a line per level, and one of arrows."""
    if not drawn:
        return []
    places, x = [], 0
    for width in widths:
        places.append(x + width // 2)
        x += width + 1
    height = max(bow.level for bow in drawn) + 1
    canvas = [[" "] * x for _ in range(height)]
    for bow in sorted(drawn, key=lambda bow: -bow.level):
        top = height - 1 - bow.level
        ends = [None if word is None else places[word - start] for word in (bow.left, bow.right)]
        for word in (bow.left, bow.right):
            if word is None:
                continue
            column = places[word - start]
            for line in canvas[top + 1 :]:
                line[column] = (
                    "│" if line[column] == " " or line is not canvas[-1] else line[column]
                )
            if word == bow.tip:
                canvas[-1][column] = "▼"
        _span(canvas[top], bow.label, *ends)
    return ["".join(line).rstrip() for line in canvas]


def _span(line: list[str], label: str, left: int | None, right: int | None) -> None:
    """An arc from column to column, its label in the middle."""
    a, b = 0 if left is None else left, len(line) - 1 if right is None else right
    if a == b:
        line[a] = "│"
    else:
        line[a : b + 1] = ["─"] * (b - a + 1)
        for column, corner in ((left, "╭"), (right, "╮")):
            if column is not None:
                line[column] = corner
    room = max(b - a - 1, 0)
    shown = cut(harmless(label), room)
    at = a + 1 + (room - cells(shown)) // 2
    line[at : at + len(shown)] = shown


def _tree(tree: Tree, paint: Paint) -> Iterator[str]:
    """A constituent per line, below its parent; the words of one that has only words beside it."""
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
