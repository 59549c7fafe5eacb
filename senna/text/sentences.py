"""Splits raw text into sentences of tokens, and long streams into pieces to split one by one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple, TextIO

from senna.errors import SennaError
from senna.files import Arriving
from senna.lazy import cached_property
from senna.text import LINE_BREAKS, sentence_model, tokenizer
from senna.text.sentence_model import Gap
from senna.text.tokenizer import CHUNK, SPACE, Chunk, Growing
from senna.text.tokens import Tokens, moved
from senna.text.word_lists import (
    CAPTIONS,
    GOING_ON,
    GREETINGS,
    NO_SUBJECT,
    SAYING,
    SPEAKING,
    SPOKEN,
    STARTERS,
    THANKS,
    TITLES,
    UNFINISHED,
)

# What is longer is cut, at a place that only the text decides: memory has a bound.
LONGEST_PARAGRAPH = 1 << 16  # characters
LONGEST_SENTENCE = 400  # tokens
_WINDOW = 4096  # a paragraph is best cut among as many characters before the longest
_LAST = 100  # a sentence among as many tokens, after one of these
_PAUSES = frozenset(",;:")
_NARROW, _LONG, _WIDEST = 20, 50, 200  # characters of lines that may be broken at one width

_BROKEN = 20  # how much a line break in front of a word that did not fit speaks for an end

_LINE_END = re.compile("\r\n|[\n\r\v\f\x85\u2028\u2029]")
# The end of a paragraph: a blank line, which may be quoted. It begins with a set of characters,
# found fast.
_BLANK = re.compile(
    r"[\n\r\v\f\x85\u2028\u2029](?:(?<=\u2029)|(?:(?<=\r)\n|(?<!\r)|(?!\n))"
    rf"[{SPACE}>]*?[\n\r\v\f\x85\u2028\u2029])"
)

# The marks of quoted lines in letters, and lines of times in subtitles.
_QUOTING = re.compile(r"(?:\A|(?<=[\n\r\v\f\x85\u2028\u2029]))[ \t]*(?:>(?![=:;])[ \t]?)+")
_QUOTED = re.compile(r"[\n\r\v\f\x85\u2028\u2029][ \t]*>")
_CUE = re.compile(r"(?:\d+:)?\d\d:\d\d[.,]\d{3} --> (?:\d+:)?\d\d:\d\d[.,]\d{3}")

_OPENERS = "\"'\u2018\u201c\u00ab([{<`-\u2013\u2014*\u2022"
_QUOTES_OPEN = "\"'\u2018\u201c\u00ab"
_CLOSED = frozenset(('"', "'", "''", "\u201d", "\u2019", ")", "-RRB-"))
_NEVER_FIRST = ",;:.?!)]}%/&="  # no sentence begins so
# How a chunk ends where the rules are sure of what follows, and where they are if they end there.
_SURE = (
    *("", tokenizer.FORMULA, tokenizer.SMILE, tokenizer.ANGLE),
    *(tokenizer.POSSIBLE, tokenizer.BETWEEN, tokenizer.ITS),
)
_FINAL = (tokenizer.STOP, tokenizer.ABBREVIATION, tokenizer.ADDRESS)
_LIST_MARK = re.compile(r"\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,4})\Z")
# 01/25/2001 09:40 AM, as in the heads of letters and posts
_STAMP = re.compile(r"\S{6,10}\s\d{1,2}:\d\d(?::\d\d|(?!:\d\d))(?:\s?[AaPp][Mm]\b|(?!\s+[a-z]))")
_FIRST_ITEM = re.compile(r"\(?1[.)]\s+[A-Z]")
_SECTION = re.compile(r"\d{1,2}(?:\.\d{1,2}){1,3}")
# One to five words, the first with a capital, and a colon.
_HEADING = re.compile(r"[A-Z][^\s:]{0,40}(?:(?<![.!?]) [^\s:]{1,40}){0,4} ?:")
# A name before a mark or the end, or one of a word before a word without a capital.
_ADDRESSED = re.compile(
    r"(?:[A-Z][\w'\u2019.-]*\s+){0,3}[A-Z][\w'\u2019-]*(?:[.,!?]|(?P<end>\Z))"
    r"|(?:[A-Z]\w*\.\s+)?[A-Z][\w'\u2019-]*\s+[a-z]"
)
# A subject of some words, and a verb of saying: `"Stop!" Ann's old dog would have said.`
_SAID = re.compile(
    rf"[A-Z][\w'\u2019.-]*(?:\s+(?:and\s+)?[A-Z][\w'\u2019.-]*){{0,3}}"
    rf"(?:\s+(?!(?:{'|'.join(sorted(NO_SUBJECT))})\b)[a-z][\w'\u2019-]*){{0,6}}?\s+"
    rf"(?:(?:{'|'.join(sorted(SAYING))})\b(?!\s+(?:that|nothing)\b)"
    rf"|(?:{'|'.join(sorted(SPEAKING))})\b(?=[.,;:!?]|\s+(?:{'|'.join(sorted(SPOKEN))}|[a-z]+ly)\b))"
)
# An address of the web or of e-mail that no sentence goes on after.
_ADDRESS_LINE = re.compile(rf"(?>{tokenizer.ADDRESSES})(?![\w@.]|[,;:]?[ \t]+[a-z(])")
_NEXT_SMALL = re.compile(r"\s[a-z]")


def split(
    text: str, convention: str = "modern", line_breaks: str = "auto", start: int = 0
) -> list[Tokens]:
    """The sentences of `text`; offsets count its characters, from `start`.

    A blank line ends a sentence. A single line break ends one too ("sentence"), never by itself
    ("space"), or unless the text plainly reads on ("auto"): no final mark before and a small
    letter after, if that is not chat, or a paragraph that is plainly filled to one width.

    More than 4096 characters without white space (`LONGEST_CHUNK`) are cut every so many, a
    paragraph of more than 65,536 (`LONGEST_PARAGRAPH`) before the last sentences within them, a
    sentence of more than 400 tokens (`LONGEST_SENTENCE`) after the last comma, semicolon or colon
    of tokens 301 to 400, else after token 400.

    >>> [sentence.words for sentence in split("Mr. Poe came. He sat.")]
    [['Mr.', 'Poe', 'came', '.'], ['He', 'sat', '.']]
    """
    [sentences] = split_each([text], convention, line_breaks, start)
    return sentences


def split_each(
    texts: Sequence[str], convention: str = "modern", line_breaks: str = "auto", start: int = 0
) -> list[list[Tokens]]:
    """The sentences of each text, as `split` finds them in it alone; all are cut together."""
    if line_breaks not in LINE_BREAKS:
        names = ", ".join(LINE_BREAKS)
        raise SennaError(f"unknown line breaks '{line_breaks}'", remedy=f"Choose one of {names}.")
    found: list[list[Tokens]] = [[] for _ in texts]
    joined, paragraphs = "\n".join(texts), list[_Paragraph]()

    def cut() -> None:
        for number, tokens in _sentences(joined, paragraphs, convention, line_breaks, start):
            found[number] += _bounded(tokens) if len(tokens) > LONGEST_SENTENCE else [tokens]
        paragraphs.clear()

    place = 0
    for number, text in enumerate(texts):
        for begin, stop in _paragraphs(text, convention, line_breaks):
            if paragraphs:
                end = paragraphs[-1].stop  # where the next one begins if it was cut by force
                if end == place + begin or end - paragraphs[0].begin > LONGEST_PARAGRAPH:
                    cut()
            paragraphs.append(_Paragraph(place + begin, place + stop, number, place))
        place += len(text) + 1
    if paragraphs:
        cut()
    return found


class _Paragraph(NamedTuple):
    """Where a paragraph begins and stops, the number of its text, and where that begins."""

    begin: int
    stop: int
    number: int = 0
    place: int = 0


def _sentences(
    text: str, paragraphs: Sequence[_Paragraph], convention: str, line_breaks: str, start: int = 0
) -> Iterable[tuple[int, Tokens]]:
    """The sentences, of any length, of some paragraphs that white space separates, each by itself,
    with the numbers of their texts.

    Places count from `start` in each text. Rules look only at gaps where they may find something.
    """
    offset = paragraphs[0].begin
    source = text = text[offset : paragraphs[-1].stop]
    paragraphs = [p._replace(begin=p.begin - offset, stop=p.stop - offset) for p in paragraphs]
    if ">" in source:
        text, paragraphs = _unquoted(source, paragraphs)
        if not paragraphs:
            return []
    with tokenizer.lent(convention) as cuts:
        chunks = cuts.read(text)
    words = Growing(chunks.words)
    edges = [0]  # of sentences, among all words
    within: list[_Paragraph] = []  # of each sentence its paragraph

    def end_sentence(place: int) -> None:
        """The words so far are one; the next one begins at a place."""
        edges.append(words.end)
        within.append(paragraph)
        words.begin, bounds.began = words.end, place

    n_opened = 0
    noted = -1  # a chunk such as [3] that follows a point
    for i, plain, begin, first_word in chunks.gaps:
        words.reach(first_word)
        if plain:
            end_sentence(begin)
            continue
        chunk = chunks.chunk(i)
        if n_opened < len(paragraphs) and begin >= paragraphs[n_opened].begin:
            if i:
                tokenizer.loosen_point(words, chunks.chunk(i - 1), cuts.modern)
                end_sentence(begin)
            paragraph = paragraphs[n_opened]
            bounds = _Bounds(text, source, paragraph.begin, paragraph.stop, line_breaks)
            n_opened += 1
        else:
            before, string = chunks.chunk(i - 1), chunks.string(i)
            if noted == i - 1:
                before = before._replace(last=tokenizer.STOP)
            before = tokenizer.settled(words, before, string, chunk, cuts.modern)
            rest = chunks.starts[i + 1] if i + 1 < len(chunks.starts) else bounds.stop
            first = text[rest] if rest < bounds.stop else ""
            gap = Gap(int(chunks.ends[i - 1]), begin, words, before, chunk, string, first)
            if bounds.between(gap):
                if before.core[-1:] in (".", "!"):
                    tokenizer.loosen_point(words, before, cuts.modern)
                end_sentence(begin)
            elif chunk.opens == tokenizer.NOTE and before.last == tokenizer.STOP:
                noted = i  # `end. [3] The`
        for number in chunk.breaks:
            words.reach(first_word + number + 1)
            end_sentence(begin + chunk.ends[number])
    words.reach(len(chunks.words))
    tokenizer.loosen_point(words, chunks.chunk(-1), cuts.modern)
    end_sentence(len(text))
    tokens = chunks.rows(words, edges)
    if not cuts.modern:
        for row, (begin, stop, *_) in zip(tokens, within, strict=True):
            tokenizer.direct_quotes(row, text, begin, stop)
    moved(tokens, [start + offset - paragraph.place for paragraph in within])
    return zip((paragraph.number for paragraph in within), tokens, strict=True)


def _unquoted(text: str, paragraphs: Sequence[_Paragraph]) -> tuple[str, list[_Paragraph]]:
    """A text with spaces for the marks of quoted lines, and its paragraphs that have more."""
    parts, place = list[str](), 0
    for begin, stop, *_ in paragraphs:
        parts += text[place:begin], _without_marks(text[begin:stop])
        place = stop
    text = "".join(parts)
    begins = [CHUNK.search(text, begin, stop) for begin, stop, *_ in paragraphs]
    pairs = zip(begins, paragraphs, strict=True)
    return text, [p._replace(begin=begin.start()) for begin, p in pairs if begin]


def _without_marks(text: str) -> str:
    """A paragraph with spaces for the marks of quoted lines: `> We should`, not a lone `> 5`."""
    if text[:1] != ">" and not _QUOTED.search(text):  # for speed
        return text
    lines = [*_QUOTING.finditer(text)]
    gaps = [(one.end(), other.start()) for one, other in pairwise(lines)]
    breaks = [0, *(len(_LINE_END.findall(text, *gap)) for gap in gaps), 0]
    kept = {
        marks.start()
        for i, marks in enumerate(lines)
        if text[marks.end() : marks.end() + 1].isdecimal() and 1 not in breaks[i : i + 2]
    }
    return _QUOTING.sub(lambda m: m[0] if m.start() in kept else " " * len(m[0]), text)


def _bounded(sentence: Tokens) -> Iterator[Tokens]:
    """A sentence, in parts where it is too long."""
    start = 0
    while len(sentence) - start > LONGEST_SENTENCE:
        longest = start + LONGEST_SENTENCE
        ends = range(longest, longest - _LAST, -1)
        end = next((at for at in ends if sentence.words[at - 1] in _PAUSES), longest)
        yield sentence[start:end]
        start = end
    yield sentence[start:]


class _Bounds:
    """Tells between which chunks of a paragraph a sentence ends: by lines, signs and words."""

    def __init__(self, text: str, source: str, begin: int, stop: int, line_breaks: str) -> None:
        """source: the text with the marks of quoted lines, which are white space in `text`."""
        self.text, self.source = text, source
        self.is_quoted = source is not text and source[begin:stop] != text[begin:stop]
        self.paragraph = self.begin, self.stop = begin, stop
        self.line_breaks = line_breaks
        self.began = begin  # where the sentence begins
        self.stamped = -1  # where the last time stamp ends

    def between(self, gap: Gap) -> bool:
        """Whether a sentence ends at a gap."""
        if gap.end == self.stamped:
            return True
        before, after = gap.before, gap.after
        if self.text[gap.end : gap.start] == " ":
            # As in `_are_plain`, where a word was cut or the last gap was no end.
            plain = before.last == tokenizer.STOP and gap.string[0].isupper() and before.core != ""
            if plain and len(gap.sentence) > 3 and after.opens in ("", tokenizer.WORD):
                return True
        elif self._broken(gap):
            return True
        quoted = before.last in (tokenizer.MARK, tokenizer.DOTS) and before.texts[-1] in _CLOSED
        if quoted and _SAID.match(self.text, gap.start, self.stop):
            return False
        ruled = (after.opens != "" and self._begins(gap)) or (
            before.last != "" and _ends(gap) and not self._addresses(before, gap.start)
        )
        if _is_sure(ruled, gap) or _LINE_END.search(self.text, gap.end, gap.start):
            return ruled
        return sentence_model.ends(gap._replace(ruled=ruled))

    def _broken(self, gap: Gap) -> bool:
        """Whether a line break in the white space of a gap ends the sentence."""
        if not _LINE_END.search(self.text, gap.end, gap.start):
            return False
        if self.line_breaks != "auto":
            return self.line_breaks == "sentence"
        if self._parts(gap.end, gap.start):
            return True
        before, after, sentence = gap.before, gap.after, gap.sentence
        ends = tokenizer.STOP, tokenizer.MARK, tokenizer.SMILE
        ended = before.last in ends or after.opens == tokenizer.ITEM
        if self._listed or self._heads(gap.end):
            return not self._filled
        if not (ended or _closes(before, sentence) or self._greets(sentence)):
            last_word = sentence[-1].lower()
            alone = self._chatted and last_word != ","
            if (last_word in UNFINISHED and not alone) or last_word.rstrip(".") in TITLES:
                return False
            small = after.texts[0][0].islower() and not alone
            if small and not _ADDRESS_LINE.match(self.text, gap.start, self.stop):
                return False
            if self._wrapped and sentence[-1] != ":" and self._is_long(gap.end):
                return not self._filled and sentence_model.ends(gap, _BROKEN)
        return not self._filled

    def _parts(self, end: int, start: int) -> bool:
        """Whether a letter is quoted less or more deeply, or times of subtitles end or begin."""
        if self.is_quoted and self._depth(end) != self._depth(start):
            return True
        if not self._timed:
            return False
        line = max(self.text.rfind(sign, self.begin, end) + 1 for sign in "\n\r")
        places = start, max(line, self.begin)
        return any(_CUE.match(self.text, place, self.stop) for place in places)

    def _depth(self, at: int) -> int:
        """How many marks the line has in front of which, or in which, a place is."""
        line = max(self.source.rfind(sign, 0, at) + 1 for sign in "\n\r")
        marks = _QUOTING.match(self.source, line)
        return marks[0].count(">") if marks else 0

    def _is_long(self, end: int) -> bool:
        """Whether the line that ends at `end` is long."""
        start = max(self.begin, end - _LONG)
        return end - start == _LONG and _LINE_END.search(self.text, start, end) is None

    def _addresses(self, before: Chunk, start: int) -> bool:
        """Whether a formula goes on with whom it addresses: `Thank you, Maria. She left.`

        With no mark after the name it closes a letter, unless both are all of a paragraph.
        """
        if before.last != tokenizer.FORMULA or before.core.lower() not in THANKS:
            return False
        name = _ADDRESSED.match(self.text, start, self.stop)
        return name is not None and (name["end"] is None or self.began == self.begin)

    def _heads(self, end: int) -> bool:
        """Whether the line that ends at `end` is a heading, and a sentence so far."""
        start = self.began
        return self._begins_line(start) and _HEADING.fullmatch(self.text, start, end) is not None

    def _begins_line(self, place: int) -> bool:
        while place > self.begin and self.text[place - 1] in " \t":
            place -= 1
        return place == self.begin or _LINE_END.match(self.text, place - 1) is not None

    @cached_property
    def _timed(self) -> bool:
        """Whether there may be times of subtitles."""
        return self.text.find("-->", self.begin, self.stop) >= 0

    @cached_property
    def _lines(self) -> list[str]:
        """Those of the paragraph; none where one of them has more than 200 characters."""
        lines, start = [], 0
        paragraph = self.text[self.begin : self.stop].rstrip()
        for end in chain(_LINE_END.finditer(paragraph), [None]):
            lines.append(paragraph[start : end.start() if end else None].strip())
            start = end.end() if end else 0
            if len(lines[-1]) > _WIDEST:
                return []
        return lines

    @cached_property
    def _listed(self) -> bool:
        """Whether the lines of a paragraph are short and its first is a heading: a list."""
        lines = self._lines
        if (
            not lines
            or self.is_quoted
            or not _HEADING.fullmatch(lines[0])
            or max(map(len, lines)) >= 40
        ):
            return False
        return UNFINISHED.isdisjoint(line.rpartition(" ")[2].lower() for line in lines)

    def _greets(self, sentence: Sequence[str]) -> bool:
        if sentence[-1] != "," or len(sentence) > 5:
            return False
        named = self.began == self.begin and all(word[0].isupper() for word in sentence[:-1])
        return named or (sentence[0].lower() in GREETINGS and self._begins_line(self.began))

    @cached_property
    def _filled(self) -> bool:
        """Whether lines were broken at one width: at every break the next word did not fit.

        Three lines at least, and 40 characters: a list of names or a verse may look so by chance.
        """
        lines = self._lines
        return len(lines) > 2 and max(map(len, lines)) >= 40 and all(self._full(lines))

    @cached_property
    def _chatted(self) -> bool:
        """Whether they begin in lower case, are whole, and half of them far shorter: chat."""
        lines = self._lines
        unfinished = sum(line.rpartition(" ")[2].lower() in UNFINISHED for line in lines)
        if self._timed or 3 * unfinished >= len(lines) or not lines[0][:1].islower():
            return False
        width = max(map(len, lines))
        short = sum(3 * len(line) <= 2 * width for line in lines[:-1])
        return len(lines) > 2 and (width < _NARROW or 2 * short >= len(lines) - 1)

    @cached_property
    def _wrapped(self) -> bool:
        """Whether lines may have been broken at one width, but for those that end at a mark."""
        breaks = zip(self._lines, self._full(self._lines), strict=False)
        return bool(self._lines) and all(full or line[-1:] in ".!?:," for line, full in breaks)

    def _full(self, lines: Sequence[str]) -> list[bool]:
        """Of each line but the last whether the first word of the next one did not fit."""
        width = max(map(len, lines), default=0)
        return [
            len(line) + 1 + len(after.split(" ", 1)[0]) > width for line, after in pairwise(lines)
        ]

    def _begins(self, gap: Gap) -> bool:
        """Whether a sentence begins after a gap whatever is before it."""
        before, after, sentence, start = gap.before, gap.after, gap.sentence, gap.start
        if after.opens == tokenizer.RULE:
            return True
        if after.opens == tokenizer.ADDRESS:
            return before.last == tokenizer.ADDRESS
        if after.opens == tokenizer.WORD:
            loose = before.last in ("", tokenizer.LOOSE)
            plain = loose and sentence[-1][-1].isalnum()
            end = start + after.ends[-1]
            return plain and _NEXT_SMALL.match(self.text, end, self.stop) is not None
        if after.opens == tokenizer.DATE and (stamp := _STAMP.match(self.text, start, self.stop)):
            if not _NEXT_SMALL.match(self.text, stamp.end(), self.stop):
                self.stamped = stamp.end()
            return not sentence[-1].islower() and sentence[-1] != ","
        if after.opens == tokenizer.ITEM and sentence[-1] == ":":
            return _FIRST_ITEM.match(self.text, start, self.stop) is not None
        return False


def _is_sure(ruled: bool, gap: Gap) -> bool:
    """Whether the rules alone decide if a sentence ends at a gap."""
    first, last = gap.string[0], gap.before.last
    if last in _SURE or first.islower() or first in _NEVER_FIRST:
        return True
    if first in "\u00a7\u00b6" and last == tokenizer.ABBREVIATION:  # 28 U.S.C. § 1331
        return True
    return ruled and last in _FINAL and first.isupper()


def _ends(gap: Gap) -> bool:
    before, string, sentence = gap.before, gap.string, gap.sentence
    last, first = before.last, string[0]
    if first in _NEVER_FIRST or gap.after.opens in (tokenizer.SMILE, tokenizer.NOTE):
        return False
    quoted = before.texts[-1] in _CLOSED
    if last == tokenizer.MARK:
        return not (quoted and first.islower())
    if last == tokenizer.STOP:
        return _stop_ends(before, quoted, string, sentence)
    few = last == tokenizer.SMILE and sum(word[0].isalnum() for word in sentence[:]) < 2
    if few and not tokenizer.is_face(before.texts[-1]):
        return False  # `I <3 NY`
    if last in (tokenizer.DOTS, tokenizer.SMILE):
        return first.isupper() or first in _QUOTES_OPEN
    if last in (tokenizer.ANGLE, tokenizer.ADDRESS):
        # Not in a quoted line of a letter, nor between names: `Settings > Privacy`.
        return first.isupper() and sentence[0] != ">" and before.texts != (">",)
    if last == tokenizer.RULE:
        return True
    if last == tokenizer.FORMULA:
        capitals = first.isupper() and sentence[0][0].isupper()
        return capitals and _closes(before, sentence) and string.lower() not in STARTERS
    if last == tokenizer.SECTION:
        return len(sentence) == 2 and sentence[0] in CAPTIONS and first.isupper()
    if last == tokenizer.DASH:
        return _is_dateline(sentence) and first.isupper() and not string[:2].isupper()
    if last == tokenizer.NUMBERED:
        return before.core[-1] != "."  # a plain word
    if last in (tokenizer.POSSIBLE, tokenizer.BETWEEN, tokenizer.LOOSE, tokenizer.ITS):
        return False
    return _abbreviation_ends(before, string, sentence)


def _closes(before: Chunk, sentence: Sequence[str]) -> bool:
    return before.last == tokenizer.FORMULA and len(sentence) <= 4


def _is_dateline(sentence: Sequence[str]) -> bool:
    """Whether a sentence is the head of a report: `PARIS --` or `Rome, May 5 (Alpine News) -`."""
    if not 1 < len(sentence) <= 12:
        return False
    place, dash = sentence[0], sentence[-1]
    named = len(place) > 3 and place.isupper() and dash in ("--", "\u2014")
    return named or sentence[-2] == ")"


def _stop_ends(before: Chunk, quoted: bool, after: str, sentence: Sequence[str]) -> bool:
    """Whether a sentence ends after a point that is a token of its own."""
    first = after[0]
    if len(sentence) == 3 and sentence[0] in CAPTIONS:
        return first.isupper()
    if _LIST_MARK.match(before.core) and (len(sentence) <= 3 or first.islower()):
        return False  # the number of a list item
    if len(sentence) == 2 and _SECTION.fullmatch(before.core):
        return False  # of a section
    if not before.core and len(sentence) > 1 and sentence[-2] == ".":
        return first.isupper()  # an ellipsis typed `. . .`
    return not (quoted and first.islower())


def _abbreviation_ends(before: Chunk, after: str, sentence: Sequence[str]) -> bool:
    """Whether a sentence ends after an abbreviation or initial: by the word that follows."""
    known = before.core[:-1].lower()
    bare = after.lstrip(_OPENERS).replace("\u2019", "'")
    if known in TITLES or not bare[:1].isupper():
        return False
    if len(sentence) == 1:
        return False  # the letter of a list item, or `P.S.`
    if known in ("etc", "al"):
        return True
    word = re.split(r"[^\w']", bare, maxsplit=1)[0]
    if word.isupper() and word.lower() in GOING_ON:
        return not all(word.isupper() for word in sentence[:] if word.isalpha())
    return word.lower() in STARTERS


# --- paragraphs ---------------------------------------------------------------------------------


def _paragraphs(text: str, convention: str, line_breaks: str) -> Iterator[tuple[int, int]]:
    """Where the paragraphs of `text` begin and end, the white space between them left out.

    They are its lines where each of them ends a sentence.
    One that ends where `text` does may go on there; the others are the same whatever follows.
    """
    gap = _LINE_END if line_breaks == "sentence" else _BLANK
    end = 0
    while first := CHUNK.search(text, end):
        start = first.start()
        longest = start + LONGEST_PARAGRAPH
        if blank := gap.search(text, start, longest):
            end = blank.start()
        elif len(text) <= longest:
            end = len(text)
        else:
            end = _best_cut(text, longest - _WINDOW, longest, convention, line_breaks)
        yield start, end


def _best_cut(text: str, start: int, end: int, convention: str, line_breaks: str) -> int:
    """Where a paragraph is cut in `text[start:end]`: before its last sentences, else last chunk.

    The last sentence may go on, and shows only then where it began: it goes with the one before.
    """
    if text[start:end].strip():
        sentences = [*_sentences(text, [_Paragraph(start, end)], convention, line_breaks)]
        if len(sentences) > 2:
            return sentences[-2][1].start
    return max((chunk.start() for chunk in CHUNK.finditer(text, start, end)), default=end)


def segments(
    stream: TextIO | Arriving,
    size: int = 1 << 16,
    convention: str = "modern",
    line_breaks: str = "auto",
) -> Iterator[tuple[int, str]]:
    """Cut a stream of any length into (offset, piece): `split` may take the pieces one by one.

    The sentences are those of the whole text whatever `size` is, which is how many characters are
    read at once. Pieces follow one another without a gap, hold whole paragraphs, and have some
    `size + LONGEST_PARAGRAPH` characters at most; where the stream pauses, none that is whole is
    held back. Offsets count characters of the whole stream.
    """
    offset, rest, enough = 0, "", size
    while more := stream.read(size):
        rest += more
        pausing = isinstance(stream, Arriving) and stream.pausing
        if len(rest) < enough and not pausing:
            continue
        cut = len(rest)
        for start, end in _paragraphs(rest, convention, line_breaks):
            if end == len(rest):
                cut = start  # it may go on
        if cut:
            yield offset, rest[:cut]
        offset, rest = offset + cut, rest[cut:]
        enough = len(rest) + size
    if rest:
        yield offset, rest
