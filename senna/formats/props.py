"""Props: the predicate, then a column of roles for each predicate (see `senna.text.props`)."""

from __future__ import annotations

from senna.answers.base import Answers, Line
from senna.formats.base import Format, Style, unbroken
from senna.text.role_files import props_of


def _sentence(line: Line, answers: Answers, style: Style) -> str:
    """A sentence as props; brackets, whatever the scheme."""
    rows = props_of(line.words, answers["srl"]).rows
    return "\n".join("\t".join(map(unbroken, row)) for row in rows) + "\n\n"


FORMAT = Format(
    _sentence, tasks=("srl",), needs=True, shows=("srl",).__contains__, scheme="bracket"
)
