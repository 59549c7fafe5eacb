"""One page of HTML, complete in itself: see `senna.drawing.html`."""

from __future__ import annotations

from collections.abc import Sequence

from senna.answers.base import Annotation, Line
from senna.drawing.html import FOOT, article, head
from senna.drawing.svg import safe
from senna.formats.base import Format, Style


def _write(lines: Sequence[Line], answers: Annotation, style: Style) -> str:
    parts = []
    for i, line in enumerate(lines):
        if line.opens and line.file:
            row = f" {line.row}" if line.row else ""
            parts.append(f"<h2>{safe(line.file)}{row}</h2>\n")
        of_line = {task: of_task[i] for task, of_task in answers.items()}
        parts.append(article(line.text, line.tokens, of_line))
    return "".join(parts)


FORMAT = Format(_write, head=head(), foot=FOOT)
