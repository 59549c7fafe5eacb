"""One sentence per line: its label, a tab, and its text, as `senna train --task label` reads it.

With scores the probability of the label stands between them.
"""

from __future__ import annotations

from senna.answers.base import Answers, Line
from senna.formats.base import Format, Style
from senna.text.shown import on_one_line


def _sentence(line: Line, answers: Answers, style: Style) -> str:
    label = answers["label"]
    score = "" if label.score is None else f"\t{label.score:.3f}"
    return f"{label}{score}\t{on_one_line(line.text)}\n"


FORMAT = Format(_sentence, tasks=("label",), needs=True, shows=("label",).__contains__)
