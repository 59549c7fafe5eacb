"""Splits raw text into sentences of tokens, and long streams into pieces to split one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TextIO

from senna.errors import SennaError
from senna.text import tokenizer
from senna.text.english import STARTERS, TITLES, UNFINISHED
from senna.text.tokenizer import CHUNK, LONGEST_REMEMBERED, SPACE, Chunk, Token

LINE_BREAKS = ("auto", "sentence", "space")

# A line ends here; a paragraph too at the last of them, as at a blank line.
_LINE_END = re.compile("\r\n|[\n\r\v\f\x85\u2028\u2029]")
_BLANK = re.compile(rf"(?>{_LINE_END.pattern})[{SPACE}]*?(?>{_LINE_END.pattern})|\u2029")

_OPENERS = "\"'\u2018\u201c\u00ab([{<`-\u2013\u2014*\u2022"
_QUOTES_OPEN = "\"'\u2018\u201c\u00ab"
_CLOSED = frozenset(('"', "'", "''", "\u201d", "\u2019", ")", "-RRB-"))
_NEVER_FIRST = ",;:.?!)]}%/&="  # no sentence begins so
_LIST_MARK = re.compile(r"\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,4})\Z")
_WITH_POINT = (tokenizer.ABBREVIATION, tokenizer.INITIAL, tokenizer.NUMBERED)
# 01/25/2001 09:40 AM, as in the heads of letters and posts
_STAMP = re.compile(r"\S{6,10}\s\d{1,2}:\d\d(?::\d\d)?(?:\s?[AaPp][Mm]\b)?(?!\s+[a-z])")
_NEXT_SMALL = re.compile(r"\S+\s[a-z]")


def split(text: str, convention: str = "modern", line_breaks: str = "auto") -> list[list[Token]]:
    """The sentences of `text`, each a list of tokens whose offsets count characters of `text`.

    A blank line ends a sentence. A single line break ends one too ("sentence"), never by itself
    ("space"), or unless the text plainly reads on ("auto"): no final mark before and a small
    letter after, or a paragraph that is plainly filled to one width.

    >>> [[token.text for token in sentence] for sentence in split("Mr. Poe came. He sat.")]
    [['Mr.', 'Poe', 'came', '.'], ['He', 'sat', '.']]
    """
    modern = tokenizer.check_convention(convention)
    cut = tokenizer.cut_modern if modern else tokenizer.cut_classic
    bounds = _Bounds(text, line_breaks)
    sentences: list[list[Token]] = []
    sentence: list[Token] = []
    before: Chunk | None = None  # the chunk that ends at `end`
    end = 0
    for match in CHUNK.finditer(text):
        last_end, (start, end) = end, match.span()
        string = text[start:end]
        chunk = cut(string) if end - start <= LONGEST_REMEMBERED else cut.__wrapped__(string)
        if before is not None and (
            # Most gaps are one space between two words, and this test is all they cost.
            before.last or chunk.opens or start - last_end > 1 or text[last_end] != " "
            or last_end == bounds.stamped
        ):  # fmt: skip
            ended = bounds.between(before, last_end, chunk, start, string, sentence)
            if before.last in _WITH_POINT and (ended or tokenizer.is_plain_word(before, string)):
                tokenizer.loosen_point(sentence, before, modern)
            if ended:
                sentences.append(sentence)
                sentence = []
            elif chunk.opens == tokenizer.NOTE and before.last == tokenizer.STOP:
                chunk = chunk._replace(last=tokenizer.STOP)  # `end. [3] The`
        before = chunk
        if len(chunk.pieces) == 1:
            sentence.append(Token(chunk.pieces[0].text, start, end))
            continue
        for number, (piece, piece_start, piece_end) in enumerate(chunk.pieces):
            sentence.append(Token(piece, start + piece_start, start + piece_end))
            if number in chunk.breaks:
                sentences.append(sentence)
                sentence = []
    if before is not None:
        if before.last in _WITH_POINT:
            tokenizer.loosen_point(sentence, before, modern)
        sentences.append(sentence)
    if not modern:
        for sentence in sentences:
            tokenizer.direct_quotes(sentence, text)
    return sentences


class _Bounds:
    """Tells between which chunks of a text a sentence ends: by lines, signs and words."""

    def __init__(self, text: str, line_breaks: str) -> None:
        if line_breaks not in LINE_BREAKS:
            names = ", ".join(LINE_BREAKS)
            raise SennaError(f"unknown line breaks '{line_breaks}'", mend=f"Choose one of {names}.")
        self.text = text
        self.line_breaks = line_breaks
        self.stamped = -1  # where the last time stamp ends
        self.paragraph = (0, 0, False)  # the last one looked at: start, end, whether filled

    def between(
        self, before: Chunk, end: int, chunk: Chunk, start: int, string: str, sentence: list[Token]
    ) -> bool:
        """Whether a sentence ends between `before`, up to `end`, and `chunk`, from `start` on.

        `string` is the text of `chunk`, `sentence` the tokens up to `before`.
        """
        if end == self.stamped or self._broken(end, start, before, string, sentence):
            return True
        if chunk.opens and self._begins(before, chunk, start, sentence):
            return True
        return bool(before.last) and _ends(before, chunk, string, sentence)

    def _broken(
        self, end: int, start: int, before: Chunk, after: str, sentence: list[Token]
    ) -> bool:
        """Whether the line breaks in the white space `text[end:start]` end the sentence."""
        ends = _LINE_END.findall(self.text, end, start)
        if not ends:
            return False
        if len(ends) > 1 or ends[0] == "\u2029":
            return True
        if self.line_breaks != "auto":
            return self.line_breaks == "sentence"
        if before.last not in (tokenizer.STOP, tokenizer.MARK):
            last_word = sentence[-1].text.lower()
            if after[0].islower() or last_word in UNFINISHED or last_word.rstrip(".") in TITLES:
                return False
        return not self._filled(end)

    def _filled(self, at: int) -> bool:
        """Whether the paragraph around `at` is hard-wrapped."""
        first, last, filled = self.paragraph
        if not first <= at < last:
            first = max((m.end() for m in _BLANK.finditer(self.text, last, at)), default=last)
            blank = _BLANK.search(self.text, at)
            last = blank.start() if blank else len(self.text)
            filled = _is_filled(self.text[first:last])
            self.paragraph = (first, last, filled)
        return filled

    def _begins(self, before: Chunk, chunk: Chunk, start: int, sentence: list[Token]) -> bool:
        """Whether a sentence begins with `chunk` whatever is before it."""
        if chunk.opens == tokenizer.RULE:
            return True
        if chunk.opens == tokenizer.ADDRESS:
            return before.last == tokenizer.ADDRESS
        if chunk.opens == tokenizer.WORD:
            plain = not before.last and sentence[-1].text[-1].isalnum()
            return plain and _NEXT_SMALL.match(self.text, start) is not None
        if chunk.opens == tokenizer.DATE and (stamp := _STAMP.match(self.text, start)):
            self.stamped = stamp.end()
            return not sentence[-1].text.islower()
        return False


def _is_filled(paragraph: str) -> bool:
    """Whether lines were broken at one width: at every break the next word did not fit.

    Three lines at least, and 40 characters: a list of names or a verse may look so by chance.
    """
    lines = [line.strip() for line in _LINE_END.split(paragraph.strip())]
    width = max(map(len, lines))
    if len(lines) < 3 or not 40 <= width <= 200:
        return False
    return all(
        len(line) + 1 + len(after.split(" ", 1)[0]) > width for line, after in pairwise(lines)
    )


def _ends(before: Chunk, chunk: Chunk, after: str, sentence: list[Token]) -> bool:
    """Whether a sentence ends between `before`, that may end one, and `chunk`, of text `after`."""
    last, first = before.last, after[0]
    if first in _NEVER_FIRST or chunk.opens in (tokenizer.SMILE, tokenizer.NOTE):
        return False
    quoted = before.pieces[-1].text in _CLOSED
    if last == tokenizer.MARK:
        return not (quoted and first.islower())
    if last == tokenizer.STOP:
        return _stop_ends(before, quoted, after, sentence)
    if last in (tokenizer.DOTS, tokenizer.SMILE):
        return first.isupper() or first in _QUOTES_OPEN
    if last in (tokenizer.ANGLE, tokenizer.ADDRESS):
        return first.isupper()
    if last == tokenizer.RULE:
        return True
    if last == tokenizer.FORMULA:
        short = len(sentence) <= 4 and sentence[0].text[0].isupper()
        return short and first.isupper() and after.lower() not in STARTERS
    if last == tokenizer.NUMBERED:
        return tokenizer.is_plain_word(before, after)
    return _abbreviation_ends(before, after, sentence)


def _stop_ends(before: Chunk, quoted: bool, after: str, sentence: list[Token]) -> bool:
    """Whether a sentence ends after a point that is a token of its own."""
    first = after[0]
    if _LIST_MARK.match(before.core) and (len(sentence) <= 3 or first.islower()):
        return False  # the number of a list item
    if not before.core and len(sentence) > 1 and sentence[-2].text == ".":
        return first.isupper()  # an ellipsis typed `. . .`
    return not (quoted and first.islower())


def _abbreviation_ends(before: Chunk, after: str, sentence: list[Token]) -> bool:
    """Whether a sentence ends after an abbreviation or initial: by the word that follows."""
    known = before.core[:-1].lower()
    bare = after.lstrip(_OPENERS).replace("\u2019", "'")
    if known in TITLES or not bare[:1].isupper():
        return False
    if before.last == tokenizer.INITIAL and len(sentence) == 1:
        return False  # the letter of a list item
    if known in ("etc", "al"):
        return True
    return re.split(r"[^\w']", bare.lower(), maxsplit=1)[0] in STARTERS


# --- long streams -------------------------------------------------------------------------------

_WINDOW = 4096  # characters before a cut in which a sentence end is looked for
_LONGEST_TOKEN = 1 << 20  # characters without white space before one is cut anywhere


def segments(
    stream: TextIO, size: int = 1 << 16, convention: str = "modern", line_breaks: str = "auto"
) -> Iterator[tuple[int, str]]:
    """Cut a stream of any length into (offset, piece): `split` may take the pieces one by one.

    Pieces have at most some 2 * `size` characters (a word of more excepted), follow one another
    without a gap, and end at blank lines; a paragraph longer than that is cut after a sentence,
    else after a line, else after white space. Offsets count characters of the whole stream.
    """
    offset = 0
    rest = ""
    while more := stream.read(size):
        rest += more
        while len(rest) >= size and (cut := _safe_cut(rest, convention, line_breaks)):
            yield offset, rest[:cut]
            offset, rest = offset + cut, rest[cut:]
    if rest:
        yield offset, rest


def _safe_cut(text: str, convention: str, line_breaks: str) -> int:
    """Where `text`, that goes on, is best cut: an offset above 0, or 0 if nowhere."""
    cut = max((match.end() for match in _BLANK.finditer(text)), default=0)
    if cut:
        return cut
    start = max(0, len(text) - _WINDOW)
    sentences = split(text[start:], convention, line_breaks)
    if len(sentences) > 2:  # the last may go on, and show only then where it began
        return start + sentences[-2][0].start
    for end in (_LINE_END, _GAP):
        cut = max((match.end() for match in end.finditer(text)), default=0)
        if cut:
            return cut
    return len(text) if len(text) >= _LONGEST_TOKEN else 0


_GAP = re.compile(rf"[{SPACE}]+")
