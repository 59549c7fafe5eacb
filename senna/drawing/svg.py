"""A sentence as SVG: its words, arcs or trees above them, rows of labels below.

Words go on in the next line where the width ends, and so do arcs; a tree that is wider than a line
is drawn as rows, a level in each. A row that has nothing on a line is left out there. Text has the
colour of what is around it, and fills are transparent: it suits light pages and dark ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

from senna.annotation.schemes import Phrase
from senna.annotation.trees import Tree, folded
from senna.drawing.parts import (
    HUES,
    Bow,
    LabelRow,
    Parts,
    bows,
    breaks,
    colour,
    cut,
    harmless,
    on_one_line,
    pixels,
    ports,
    rows_of,
    widen,
)
from senna.extras.glossary import meaning
from senna.tasks import PARSER

WORD, LABEL = 15, 11.5  # sizes of the fonts
GAP = 12  # between words
ROW, LEVEL, STEP = 22, 21, 34  # heights of a row, of a level of arcs, of one in a tree
WIDTH = 960  # of a drawing, where none is given
PORT = 6  # between two arcs on a word
EDGE = 8  # around all
LEGEND = 100  # most of the names of rows, left of them
STROKE = 'stroke="currentColor" stroke-opacity=".6"'  # of all arcs: their labels say what they are
OUTLINE = 'stroke="currentColor" stroke-width="2.5" stroke-dasharray="2 2"'
FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',Helvetica,sans-serif"


def drawing(parts: Parts, width: float = WIDTH, background: str = "") -> str:
    """The SVG of a sentence, `width` pixels wide, if no word is wider; "" without words."""
    if not parts.words:
        return ""
    y, right, body = float(EDGE), 0.0, []
    for block in _blocks(parts, width):
        for line in _lines(block, width):
            height, drawn = line.drawn(y)
            body.append(drawn)
            y += height
            right = max(right, line.right)
    w, h = _n(right + EDGE), _n(y)
    paper = f'<rect width="100%" height="100%" rx="8" fill="{background}"/>' if background else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" '
        f'font-family="{FONT}" font-size="{LABEL}" fill="currentColor" role="img" '
        f'aria-label="{safe(_said(parts))}">{paper}{"".join(body)}</svg>\n'
    )


def _blocks(parts: Parts, width: float) -> Iterator[Parts]:
    """The parts that are drawn one below the other: each tree, and all else."""
    for tree in parts.trees:
        block = Parts(parts.words, [], [], [tree])
        if len(list(_lines(block, width))) > 1:
            levels = rows_of(parts.words, PARSER, tree)
            block = Parts(parts.words, levels, [], [])
        yield block
    if parts.rows or parts.arcs or not parts.trees:
        yield parts._replace(trees=[])


def _lines(parts: Parts, width: float) -> Iterator[_Line]:
    """The words of a sentence on lines that are no wider than `width`, if words are not."""
    legend = max((pixels(row.name, LABEL) + GAP for row in parts.rows if row.name), default=0)
    left = EDGE + min(legend, LEGEND)
    widths = _widths(parts)
    for start, end in pairwise(breaks(widths, width - left - EDGE, GAP)):
        places, x = [], left
        for i in range(start, end):
            places.append((x, widths[i]))
            x += widths[i] + GAP
        yield _Line(parts, start, end, places, left, x - GAP)


def _said(parts: Parts) -> str:
    """The text of a drawing for screen readers."""
    words = parts.words
    said = [
        f"{arc.phrase.label}: {'root' if arc.head < 0 else words[arc.head]} → "
        f"{' '.join(words[arc.phrase.start : arc.phrase.end])}"
        for arc in parts.arcs
    ]
    said += map(str, parts.trees)
    for row in parts.rows:
        said += [f"{label}: {' '.join(words[a:b])}" for a, b, label in row.phrases if row.bars]
    return "; ".join(said) or " ".join(words)


def _widths(parts: Parts) -> list[float]:
    """The width of each word, wide enough for the labels below and above it."""
    widths = [max(pixels(word, WORD), 8.0) for word in map(on_one_line, parts.words)]
    for tree in parts.trees:
        for leaf in tree.leaves():
            widths[leaf.start] = max(widths[leaf.start], pixels(leaf.label, LABEL))
    labels = [
        [pixels(p.label, LABEL) + (14 if r.bars else 0) for p in r.phrases] for r in parts.rows
    ]
    widen(widths, parts.rows, labels, GAP)
    for arc in parts.arcs:
        if abs(arc.head - arc.phrase.start) == 1 and arc.phrase.end - arc.phrase.start == 1:
            left = min(arc.head, arc.phrase.start)
            if left >= 0:
                distance = (widths[left] + widths[left + 1]) / 2 + GAP
                missing = pixels(arc.phrase.label, LABEL) + 3 * PORT - distance
                widths[left] += max(missing, 0)
                widths[left + 1] += max(missing, 0)
    return widths


class _Line(NamedTuple):
    """Some words of a sentence on a line, whose first has the number `start`."""

    parts: Parts
    start: int
    end: int
    places: Sequence[tuple[float, float]]  # where each begins, and how wide it is
    left: float
    right: float

    def middle(self, word: int) -> float:
        """The middle of a word."""
        x, width = self.places[word - self.start]
        return x + width / 2

    def drawn(self, y: float) -> tuple[float, str]:
        """Its height below `y`, and what is drawn of it."""
        drawn = bows(self.parts.arcs, self.start, self.end, self._reach)
        above: float = (max(bow.level for bow in drawn) + 1) * LEVEL if drawn else 0
        out = list(self._bows(drawn, y + above))
        for tree in self.parts.trees:
            height, lines = _tree(tree, self, y + above)
            out.append(lines)
            above += height
        base = y + above + WORD
        centred = bool(drawn or self.parts.trees)
        for i in range(self.start, self.end):
            x, width = self.places[i - self.start]
            at, anchor = (x + width / 2, ' text-anchor="middle"') if centred else (x, "")
            word = safe(on_one_line(self.parts.words[i]))
            out.append(
                f'<text x="{_n(at)}" y="{_n(base)}" font-size="{WORD}"{anchor}>{word}</text>'
            )
        bottom = base + 8
        for number, row in enumerate(self.parts.rows):
            outlined = [phrase for k, phrase in self.parts.different if k == number]
            if row_drawn := "".join(self._row(row, bottom, centred, outlined)):
                out.append(row_drawn)
                bottom += ROW
        return bottom - y + 14, "".join(out)

    def _row(
        self, row: LabelRow, y: float, centred: bool, outlined: Sequence[Phrase]
    ) -> Iterator[str]:
        """A row of labels, its name at the left; nothing where it has none on this line."""
        here = [own for own in row.phrases if own.start < self.end and own.end > self.start]
        if here and row.name:
            name = safe(_cut(row.name, LEGEND - EDGE))
            yield f'<text x="{EDGE}" y="{_n(y + 14)}" opacity=".65">{name}</text>'
        for phrase in here:
            first, last, label = phrase
            a, b = max(first, self.start), min(last, self.end)
            x = self.places[a - self.start][0]
            end = sum(self.places[b - 1 - self.start])
            shown = _cut(label if a == first else f"…{label}", end - x)
            shown = safe(shown) + _title(label, row.task)
            box = f'x="{_n(x - 3)}" y="{_n(y)}" width="{_n(end - x + 6)}" height="{ROW - 4}" rx="3"'
            if phrase in outlined:
                yield f'<rect {box} fill="none" {OUTLINE}/>'
            if not row.bars:
                at, anchor = ((x + end) / 2, ' text-anchor="middle"') if centred else (x, "")
                yield f'<text x="{_n(at)}" y="{_n(y + 14)}"{anchor} opacity=".75">{shown}</text>'
                continue
            hue = _hue(label)
            yield f'<rect {box} fill="{hue}" fill-opacity=".2" stroke="{hue}"/>'
            yield f'<text x="{_n(x + 2)}" y="{_n(y + 13)}">{shown}</text>'

    def _reach(self, first: int, last: int, label: str) -> tuple[float, float]:
        """From where to where an arc goes with its label."""
        left = self.left if first < self.start else self.middle(first)
        right = self.right if last >= self.end else self.middle(last)
        at, half = self._label_at(left, right, label), pixels(label, LABEL) / 2
        return min(left, at - half), max(right, at + half)

    def _label_at(self, left: float, right: float, label: str) -> float:
        """The middle of the label of an arc: that of the arc, unless the drawing ends before."""
        half = pixels(label, LABEL) / 2
        return max(min((left + right) / 2, self.right + EDGE - half), half)

    def _bows(self, drawn: Sequence[Bow], base: float) -> Iterator[str]:
        """Arcs that stand on `base`."""
        places = ports(drawn)
        for bow in drawn:
            top = base - 4 - bow.level * LEVEL
            left = right = None
            if bow.left is not None:
                left = self.middle(bow.left) + PORT * places[bow.left, bow]
            if bow.right is not None:
                right = self.middle(bow.right) + PORT * places[bow.right, bow]
            tip = left if bow.tip is not None and bow.tip == bow.left else right
            if left is not None and left == right:
                yield f'<path d="M{_n(left)} {_n(top)}V{_n(base - 5)}" {STROKE}/>'
                at = self._label_at(left, left, bow.label)
            else:
                yield f'<path d="{self._curve(left, right, top, base)}" fill="none" {STROKE}/>'
                ends = self.left if left is None else left, self.right if right is None else right
                at = self._label_at(*ends, bow.label)
            if bow.tip is not None and tip is not None:
                yield _arrow(tip, base)
            label = safe(bow.label) + _title(bow.label, "dep")
            yield f'<text x="{_n(at)}" y="{_n(top - 3)}" text-anchor="middle">{label}</text>'

    def _curve(self, left: float | None, right: float | None, top: float, base: float) -> str:
        """An arc with round corners, open at the edges of the line where it goes on."""
        r = 6
        start = f"M{_n(self.left - 4)} {_n(top)}"
        if left is not None:
            start = f"M{_n(left)} {_n(base - 2)}V{_n(top + r)}q0 {-r} {r} {-r}"
        if right is None:
            return f"{start}H{_n(self.right + 4)}"
        return f"{start}H{_n(right - r)}q{r} 0 {r} {r}V{_n(base - 2)}"


def _arrow(x: float, y: float) -> str:
    return f'<path d="M{_n(x)} {_n(y)}l-3.5 -7h7z" fill-opacity=".7"/>'


def _tree(tree: Tree, line: _Line, y: float) -> tuple[float, str]:
    """The height of a tree above words, and its drawing, whose top is at `y`.

    Each constituent stands below its parent, a part of speech on the line to its word.
    """
    middles: dict[int, float] = {}

    def place(node: Tree, below: list[float]) -> float:
        middles[id(node)] = (below[0] + below[-1]) / 2 if below else line.middle(node.start)
        return middles[id(node)]

    folded(tree, place)
    tops = {id(tree): y}
    out = []
    for node in tree.subtrees():
        x, top = middles[id(node)], tops[id(node)]
        look = ' opacity=".75"' if node.is_leaf else f' font-weight="600" fill="{_hue(node.label)}"'
        if not any(map(str.isalnum, node.label)):  # the tag of a comma, say
            look = ' font-weight="600" font-size="17"'
        place_ = f'x="{_n(x)}" y="{_n(top + 12)}" text-anchor="middle"'
        title = _title(node.label, "pos" if node.is_leaf else PARSER)
        out.append(f"<text {place_}{look}>{safe(node.label)}{title}</text>")
        if node.children:  # a stem, a bar over the children, and a line down to each
            below, bar = [middles[id(child)] for child in node.children], top + 24
            tops |= dict.fromkeys(map(id, node.children), top + STEP)
            way = f"M{_n(x)} {_n(top + 16)}V{_n(bar)}M{_n(below[0])} {_n(bar)}H{_n(below[-1])}"
            way += "".join(f"M{_n(each)} {_n(bar)}V{_n(top + STEP + 1)}" for each in below)
            out.append(_path(way))
    bottom = max(tops.values()) + 18
    for leaf in tree.leaves():
        if tops[id(leaf)] + 18 < bottom:
            x = middles[id(leaf)]
            way = f"M{_n(x)} {_n(tops[id(leaf)] + 16)}V{_n(bottom - 2)}"
            out.append(_path(way, ' stroke-dasharray="1 3"'))
    return bottom - y, "".join(out)


def _path(way: str, more: str = "") -> str:
    return f'<path d="{way}" fill="none" stroke="currentColor" stroke-opacity=".4"{more}/>'


def _title(tag: str, task: str) -> str:
    about = meaning(tag, task)
    return f"<title>{safe(about)}</title>" if about else ""


def _hue(label: str) -> str:
    return HUES[colour(label)]


def _cut(label: str, room: float) -> str:
    """A label as far as there is room for it (sums are rounded), as at the end of a line."""
    return cut(label, room + 0.01, lambda text: pixels(text, LABEL))


def safe(text: str) -> str:
    """A text as SVG or HTML."""
    return escape(harmless(text))


def _n(number: float) -> str:
    """A number of pixels, with one decimal where it needs it."""
    return f"{number:.1f}".removesuffix(".0")
