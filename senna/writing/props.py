"""Props: the predicate, then a column of roles for each predicate (see `senna.text.props`)."""

from __future__ import annotations

from collections.abc import Sequence

from senna.infer.pipeline import Annotation
from senna.text.roles import props_of
from senna.writing.cells import unbroken
from senna.writing.output import Format, Line, Style


def write(lines: Sequence[Line], found: Annotation, style: Style) -> str:
    """Sentences as props; brackets, whatever the scheme."""
    made = []
    for line, predicates in zip(lines, found["srl"], strict=True):
        rows = props_of(line.words, predicates).rows
        made.append("\n".join("\t".join(map(unbroken, row)) for row in rows))
    return "".join(f"{own}\n\n" for own in made)


FORMAT = Format(write, tasks=("srl",), needs=True, scheme="bracket")
