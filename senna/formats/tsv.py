"""One sentence per line: its label, a tab, and its text, as `senna train --task label` reads it.

With scores the probability of the label stands between them.
"""

from __future__ import annotations

from collections.abc import Sequence

from senna.answers.base import Annotation, Line
from senna.answers.labels import Label
from senna.formats.base import Format, Style
from senna.text.shown import on_one_line


def write(lines: Sequence[Line], answers: Annotation, style: Style) -> str:
    """Sentences with their labels."""
    pairs = zip(answers["label"], lines, strict=True)
    return "".join(f"{_cells(label)}\t{on_one_line(line.text)}\n" for label, line in pairs)


def _cells(label: Label) -> str:
    return str(label) if label.score is None else f"{label}\t{label.score:.3f}"


FORMAT = Format(write, tasks=("label",), needs=True, shows=("label",).__contains__)
