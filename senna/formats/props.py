"""Props: the predicate, then a column of roles for each predicate (see `senna.text.props`)."""

from __future__ import annotations

from collections.abc import Sequence

from senna.answers.base import Annotation, Line
from senna.formats.base import Format, Style
from senna.formats.cells import unbroken
from senna.text.role_files import props_of


def write(lines: Sequence[Line], answers: Annotation, style: Style) -> str:
    """Sentences as props; brackets, whatever the scheme."""
    sentences = []
    for line, predicates in zip(lines, answers["srl"], strict=True):
        rows = props_of(line.words, predicates).rows
        sentences.append("\n".join("\t".join(map(unbroken, row)) for row in rows))
    return "".join(f"{sentence}\n\n" for sentence in sentences)


FORMAT = Format(write, tasks=("srl",), needs=True, shows=("srl",).__contains__, scheme="bracket")
