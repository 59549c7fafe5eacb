"""A web page, of which the visible text is read; one page, complete in itself, as output."""

from __future__ import annotations

import io
from collections.abc import Iterator

from senna.answers.base import Answers, Line
from senna.drawing.html import FOOT, article, head
from senna.drawing.svg import safe
from senna.files import Arriving
from senna.formats.base import Format, Input, Piece, Reading, Style, as_lines
from senna.formats.text import segments
from senna.text.markup import Page, read_page


def _cut_page(source: Arriving, name: str, reading: Reading) -> Iterator[Piece]:
    """A page, which is read as a whole: pieces of its text."""
    page = read_page("".join(iter(source.read, "")))
    whole = [(0, page.text)] if page.text.strip() else []
    parts = segments(io.StringIO(page.text, newline=""), reading)
    for start, text in whole if reading.whole else parts:
        part = page.part(start, start + len(text))
        yield Piece(part.starts[0], part.ends[-1] - part.starts[0], part)


def _page(piece: Piece, reading: Reading) -> list[Line]:
    page: Page = piece.content
    return [
        line._replace(source=[page.place(*place) for place in line.places])
        for line in as_lines(page.text, reading.split(page.text))
    ]


def _sentence(line: Line, answers: Answers, style: Style) -> str:
    title = ""
    if line.opens and line.file:
        title = f"<h2>{safe(line.file)}{f' {line.row}' if line.row else ''}</h2>\n"
    return title + article(line.text, line.tokens, answers)


FORMAT = Format(_sentence, head=head(), foot=FOOT)
HTML = Input(_page, cut=_cut_page)
