"""For people at a terminal: words, rows of labels under them, colours unless $NO_COLOR is set.

Lines are as wide as the terminal, or as $COLUMNS says.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from unicodedata import combining, east_asian_width

from senna.outputs.base import Annotation, LabelRow, Line
from senna.writing.cells import harmless, on_one_line
from senna.writing.labels import colour, label_rows
from senna.writing.output import Format, Style

CODES = (34, 31, 32, 35, 33, 36, 90)  # of colours, in the order of `rows.colour`
BOLD, FAINT = 1, 2

Paint = Callable[[str, int], str]


def write(lines: Sequence[Line], answers: Annotation, style: Style) -> str:
    """Sentences, a blank line after each."""
    paint = _plain if os.environ.get("NO_COLOR") else _painted
    width = shutil.get_terminal_size().columns
    drawings = []
    for i, line in enumerate(lines):
        words = [harmless(on_one_line(token.text)) for token in line.tokens]
        rows = label_rows(words, {task: of_task[i] for task, of_task in answers.items()})
        drawings.append("".join(f"{row}\n" for row in drawn(words, rows, width, paint)) + "\n")
    return "".join(drawings)


def drawn(
    words: Sequence[str], rows: Sequence[LabelRow], width: int, paint: Paint
) -> Iterator[str]:
    """The lines of a sentence: as many words as fit, their rows, and so on."""
    legend = min(max((cells(row.name) for row in rows), default=0), 12)
    widths = widths_of(words, rows)
    names = {i for row in rows if row.task == "ner" for a, b, _ in row.phrases for i in range(a, b)}
    for start, end in pairwise(breaks(widths, width - legend - 1)):
        here = list(zip(range(start, end), words[start:end], widths[start:end], strict=True))
        painted = [paint(word, BOLD) * (i in names) or word for i, word, _ in here]
        gaps = [" " * (width - cells(word)) for _, word, width in here]
        joined = " ".join(word + gap for word, gap in zip(painted, gaps, strict=True))
        yield " " * (legend + 1) + joined.rstrip()
        for row in rows:
            name = cut(row.name, legend)
            bars = _bars(row, widths, start, end, paint)
            yield f"{paint(name, FAINT)}{' ' * (legend + 1 - cells(name))}{bars}".rstrip()


def widths_of(words: Sequence[str], rows: Sequence[LabelRow]) -> list[int]:
    """How wide each word's column is, so that every label has room."""
    widths = [cells(word) for word in words]
    for row in rows:
        for start, end, label in row.phrases:
            room = sum(widths[start:end]) + end - start - 1
            widths[end - 1] += max(cells(label) - room, 0)
    return widths


def breaks(widths: Sequence[int], room: int) -> list[int]:
    """Before which words a new line begins, the first and the end included."""
    starts, used = [0], 0
    for i, width in enumerate(widths):
        if used and used + width > room:
            starts.append(i)
            used = 0
        used += width + 1
    return [*starts, len(widths)] if widths else [0]


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


def cells(text: str) -> int:
    """How many cells of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 1 + (east_asian_width(c) in "WF") for c in text)


def cut(text: str, room: int) -> str:
    """As much of a text as takes `room` cells."""
    while cells(text) > room:
        text = text[:-1]
    return text


def _painted(text: str, code: int) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if text else ""


def _plain(text: str, code: int) -> str:
    return text


FORMAT = Format(write)
