"""Annotations of brat: the spans of a text file, by their places in it.

A span over several lines is in pieces, as brat has it.
"""

from __future__ import annotations

import re

from senna.answers.base import Answers, Line
from senna.formats.base import Format, Style
from senna.formats.spans import has_spans, phrases_of

TASKS = 10  # spans of as many tasks can start together: a number is ten times a place


def _sentence(line: Line, answers: Answers, style: Style) -> str:
    rows, taken = [], dict[int, int]()
    for first, last, label in phrases_of(answers):
        start, end = line.place(first, last)
        text = line.text[start - line.start : end - line.start]
        pieces = [(start + m.start(), start + m.end()) for m in re.finditer(r"[^\r\n]+", text)]
        places = ";".join(f"{a} {b}" for a, b in pieces)
        number = start * TASKS + taken.setdefault(start, 0) + 1
        taken[start] += 1
        shown = " ".join(re.findall(r"[^\r\n]+", text))
        rows.append(f"T{number}\t{label} {places}\t{shown}\n")
    return "".join(rows)


FORMAT = Format(_sentence, tasks=("ner",), shows=has_spans)
