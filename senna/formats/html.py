"""A web page, of which the visible text is read; one page, complete in itself, as output.

Each character of the text has its place in the source.
"""

from __future__ import annotations

import io
import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from typing import NamedTuple

from senna.drawing.html import FOOT, article, head
from senna.drawing.svg import safe
from senna.files import Arriving
from senna.formats.text import segments
from senna.kinds.answer import Answers, Line
from senna.pipeline.format import Format, Input, Piece, as_lines, wide_in
from senna.pipeline.options import Options

# Elements that begin and end a paragraph. All others lie in a line, and part no words.
BLOCKS = frozenset(
    "address article aside blockquote body button caption center col colgroup dd details dialog"
    " dir div dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head"
    " header hgroup hr html legend li listing main menu nav ol optgroup option p plaintext pre"
    " search section select summary table tbody td textarea tfoot th thead title tr ul xmp".split()
)
# Those of which nothing is shown, as text, where scripts run.
HIDDEN = frozenset(
    "annotation annotation-xml audio canvas datalist iframe noembed noframes noscript object"
    " script style svg template video".split()
)
LINES_STAY = frozenset(("listing", "pre", "textarea", "xmp"))  # and all other white space
PARAGRAPH = "\n\n"

_REFERENCE = r"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f <&#;]{1,32};?)"  # as `unescape` has it
_IN_PRE = re.compile(f"{_REFERENCE}|</>")  # </> is nothing at all
_IN_TEXT = re.compile(rf"[ \t\n\r\f]{{2,}}|{_IN_PRE.pattern}")
_SPACES = dict.fromkeys(map(ord, "\t\n\r\f"), " ")
# `int` reads no more decimals than some thousands: these stand for no character anyway.
_ENDLESS = re.compile("&#[0-9]{640,}")
_END = "<!--\"'-->"  # ends the last text, and any comment or tag that is open still


class Page(NamedTuple):
    """The text of a page, its paragraphs separated by blank lines; each of its runs has a place.

    Run i is text[begins[i]:begins[i + 1]] and stands in source[starts[i]:ends[i]]: as it is, or it
    is one character that is written otherwise there, for example `&amp;`.
    """

    text: str
    begins: array[int]  # one more than runs: the last is the end
    starts: array[int]
    ends: array[int]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where text[start:end], which is not empty, stands in the source."""
        first = bisect_right(self.begins, start) - 1
        last = bisect_left(self.begins, end) - 1
        before, after = start - self.begins[first], self.begins[last + 1] - end
        return self.starts[first] + before, self.ends[last] - after

    def part(self, start: int, end: int) -> Page:
        """The page of text[start:end], with places in the same source."""
        first = bisect_right(self.begins, start) - 1
        last = bisect_left(self.begins, end)
        begins = array("q", (begin - start for begin in self.begins[first : last + 1]))
        return Page(self.text[start:end], begins, self.starts[first:last], self.ends[first:last])


def read_page(source: str) -> Page:
    """The text of a page, or a part of one, however damaged it is.

    >>> page = read_page("<h1>News</h1><p>AT&amp;T  <b>rose</b>.")
    >>> page.text
    'News\\n\\nAT&T rose.'
    >>> page.place(6, 10)
    (16, 24)
    """
    reader = _Reader(_ENDLESS.sub(lambda match: "&#x" + match[0][3:], source))
    reader.feed(reader.source + _END)
    reader.end_text()
    return Page("".join(reader.runs), reader.begins, reader.starts, reader.ends)


class _Reader(HTMLParser):
    """Collects the text of a page. It must be fed at once."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.source = source
        self.runs: list[str] = []  # a text a run
        self.begins, self.starts, self.ends = array("q", [0]), array("q"), array("q")
        self._lines = [0, *(match.end() for match in re.finditer("\n", source))]
        self._from = -1  # where the text at hand begins, if any is
        self._hidden, self._depth = "", 0  # the element of which nothing is shown; how many of it
        self._pre = 0  # elements open in which lines stay
        self._spaced = True  # whether white space here would be the second, or the first in a line

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.end_text()
        if self._hidden:
            self._depth += tag == self._hidden
        elif tag in HIDDEN:
            self._hidden, self._depth = tag, 1
        elif tag == "br":
            self._break("\n")
        elif tag in BLOCKS:
            self._break(PARAGRAPH)
            self._pre += tag in LINES_STAY

    def handle_endtag(self, tag: str) -> None:
        self.end_text()
        if self._hidden:
            self._depth -= tag == self._hidden
            self._hidden = self._hidden if self._depth else ""
        elif tag in BLOCKS:
            self._break(PARAGRAPH)
            self._pre -= bool(self._pre and tag in LINES_STAY)

    def handle_data(self, data: str) -> None:
        """Text, or a part of it; `data` has lost its places."""
        if self._from < 0:
            self._from = self._here()

    def handle_comment(self, data: str) -> None:
        self.end_text()

    handle_pi = handle_comment

    def parse_html_declaration(self, i: int) -> int:
        """Read `<!` up to the next `>` whatever follows, as browsers do.

        The parser's own way raises AssertionError for what it does not know.
        """
        return self.parse_bogus_comment(i)

    def end_text(self) -> None:
        """Keep the text before this place, if it is shown."""
        start, self._from = self._from, -1
        if start < 0 or self._hidden:
            return
        end = self._here()
        for match in (_IN_PRE if self._pre else _IN_TEXT).finditer(self.source, start, end):
            sign = self.source[match.start()]
            self._run(start, match.start() + (sign not in "&<"))  # the first of white space
            if sign == "&":
                self._reference(*match.span())
            start = match.end()
        self._run(start, end)

    def _here(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def _break(self, sign: str) -> None:
        if sign == "\n" or (self.runs and self.runs[-1] != PARAGRAPH):
            self._add(sign, self._here(), self._here())
        self._spaced = True

    def _run(self, start: int, end: int) -> None:
        """Text that is written as it is shown."""
        text = self.source[start:end]
        if not self._pre:
            text = text.translate(_SPACES)
            if self._spaced and text[:1] == " ":
                start, text = start + 1, text[1:]
        if text:
            self._add(text, start, end)

    def _reference(self, start: int, end: int) -> None:
        """References to characters, which may continue as plain text: `&amp;`, `&ltb`."""
        written = self.source[start:end]
        shown = unescape(written)
        if shown == written:
            self._run(start, end)
            return
        plain = len(shown[1:]) if written.endswith(shown[1:]) else 0
        for sign in shown[: len(shown) - plain]:  # two, where no single one is that letter
            letter = sign if self._pre else sign.translate(_SPACES)
            if self._pre or letter != " " or not self._spaced:
                self._add(letter, start, end - plain)
        self._run(end - plain, end)

    def _add(self, text: str, start: int, end: int) -> None:
        self.runs.append(text)
        self.starts.append(start)
        self.ends.append(end)
        self.begins.append(self.begins[-1] + len(text))
        self._spaced = text[-1] == " "


def _cut_page(source: Arriving, name: str, options: Options) -> Iterator[Piece]:
    """A page, which is read as a whole: pieces of its text."""
    text = "".join(iter(source.read, ""))
    page, wide = read_page(text), wide_in(text)
    whole = [(0, page.text)] if page.text.strip() else []
    parts = segments(io.StringIO(page.text, newline=""), options)
    for start, text in whole if options.whole else parts:
        part = page.part(start, start + len(text))
        yield Piece(part.starts[0], part.ends[-1] - part.starts[0], part, wide=wide)


def _page(piece: Piece, options: Options) -> list[Line]:
    page: Page = piece.content
    [sentences] = options.split([page.text])
    return [
        line._replace(source=[page.place(*place) for place in line.places])
        for line in as_lines(page.text, sentences)
    ]


# --------------------------------------------------------------------------- writing


def _sentence(line: Line, answers: Answers, options: Options) -> str:
    title = ""
    if line.opens and line.file:
        title = f"<h2>{safe(line.file)}{f' {line.row}' if line.row else ''}</h2>\n"
    return title + article(line.text, line.tokens, answers)


INPUTS = {"html": Input(_page, about="a web page (its visible text)", cut=_cut_page)}
FORMATS = {"html": Format(_sentence, about="a web page", head=head(), foot=FOOT)}
