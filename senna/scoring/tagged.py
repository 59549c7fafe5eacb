"""Tagged columns: one token a line, its gold and its predicted tag in the last two columns.

This is the input of conlleval, read as conlleval reads it, byte by byte. The delimiter is a regular
expression; empty columns at the end of a line count for nothing; a line without columns ends a
sentence, as does one whose first column is ``-X-``; ``-DOCSTART-`` is a token like any other; a
carriage return belongs to the last column; all other lines have as many columns as the first.
Bytes that are no UTF-8 become lone surrogates (``surrogateescape``), so that nothing is lost.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from senna.errors import SennaError

BOUNDARY = b"-X-"

_Split = Callable[[bytes], list[bytes]]


class TaggedSentence(NamedTuple):
    """Words with their gold and predicted tags; token i stands on line `line + i` of `name`.

    `words` are the first columns, empty strings where the file has two columns only. `closed` is
    whether a sentence boundary follows; the last sentence of a file may go without.
    """

    words: list[str]
    gold: list[str]
    predicted: list[str]
    name: str = ""
    line: int = 0
    closed: bool = True


class ColumnsError(SennaError):
    """A line with the wrong number of columns.

    `reference_message` and `reference_status` are what conlleval says of it and exits with.
    """

    def __init__(self, text: bytes, found: int, expected: int | None, where: str) -> None:
        columns = f"{found} column{'s' if found != 1 else ''}"
        if expected is None:
            self.reference_status = 255
            line = _decode(text)
            self.reference_message = f"conlleval: unexpected number of features in line {line}"
            super().__init__(
                f"{columns}, expected 2 or more",
                where=where,
                mend="The last two are gold and predicted; --delimiter says what parts them.",
            )
        else:
            self.reference_status = 1
            self.reference_message = f"unexpected number of features: {found} ({expected})"
            super().__init__(
                f"{columns}, expected {expected}",
                where=where,
                mend="Every line needs as many columns as the first."
                + (" Give the file Unix line ends." if text.endswith(b"\r") else ""),
            )


def read_tagged(
    lines: Iterable[bytes],
    *,
    name: str,
    delimiter: str | None = None,
    raw: bool = False,
    outside: str = "O",
) -> Iterator[TaggedSentence]:
    """The sentences of a column file that hold tokens, one at a time.

    `lines` end at line feeds alone, as those of a file opened in binary mode; `name` is the file's,
    for messages. `delimiter` is a regular expression over bytes; without it a tab parts columns if
    the first line that is not blank has one, else a single space. `raw`: tags are bare types, each
    token outside neither ``O`` nor `outside` a phrase of its own. Raises ColumnsError, and
    SennaError for a delimiter that is no regular expression.
    """
    tags = _Tags(raw, outside)
    split: _Split | None = None
    width = -1
    first, words, gold, predicted = 0, list[str](), list[str](), list[str]()
    for number, line in enumerate(lines, start=1):
        line = line.removesuffix(b"\n")
        if split is None:
            if delimiter is None and not line.strip():
                continue
            split = _splitter(delimiter, line)
        columns = split(line)
        count = len(columns)
        if count != width and count:
            if width >= 0:
                raise ColumnsError(line, count, width, f"{name}:{number}")
            width = count
        if not count or columns[0] == BOUNDARY:
            if words:
                yield TaggedSentence(words, gold, predicted, name, first)
                words, gold, predicted = [], [], []
            continue
        if count < 2:
            raise ColumnsError(line, count, None, f"{name}:{number}")
        if not words:
            first = number
        words.append(_decode(columns[0]) if count > 2 else "")
        gold.append(tags[columns[-2]])
        predicted.append(tags[columns[-1]])
    if words:
        yield TaggedSentence(words, gold, predicted, name, first, closed=False)


class _Tags(dict[bytes, str]):
    """The tag that a column stands for; one string a tag, however often it occurs."""

    def __init__(self, raw: bool, outside: str) -> None:
        super().__init__()
        self._raw = raw
        self._outside = ("O", outside)

    def __missing__(self, column: bytes) -> str:
        tag = _decode(column)
        if self._raw:
            tag = "O" if tag in self._outside else f"B-{tag}"
        self[column] = tag
        return tag


def _decode(text: bytes) -> str:
    return text.decode("utf-8", "surrogateescape")


# Splitting a line as Perl's split does.

_PLAIN = re.compile(rb"(?:[^\\^$.|?*+()\[\]{}]|\\[^\w])+")  # a delimiter that stands for itself
_POSIX = {
    b"alnum": rb"a-zA-Z0-9",
    b"alpha": rb"a-zA-Z",
    b"blank": rb" \t",
    b"cntrl": rb"\x00-\x1f\x7f",
    b"digit": rb"0-9",
    b"lower": rb"a-z",
    b"punct": rb"!-/:-@\[-`{-~",
    b"space": rb"\s",
    b"upper": rb"A-Z",
    b"xdigit": rb"0-9a-fA-F",
}
_SPACES = {rb"\h": rb"\t \xa0", rb"\v": rb"\n-\r\x85"}  # horizontal and vertical
_PERL_ONLY = re.compile(rb"\\.|\[:(\w+):\]|\[\^?\]?|\]", re.DOTALL)


def _splitter(delimiter: str | None, line: bytes) -> _Split:
    """The function that splits lines at `delimiter`, which for None depends on the first `line`."""
    if delimiter is None:
        return _split_plain(b"\t" if b"\t" in line else b" ")
    pattern = delimiter.encode("utf-8", "surrogateescape")
    if pattern == rb"\t":
        return _split_plain(b"\t")
    if _PLAIN.fullmatch(pattern):
        return _split_plain(re.sub(rb"\\(.)", rb"\1", pattern, flags=re.DOTALL))
    return _split_pattern(_translated(pattern))


def _split_plain(separator: bytes) -> _Split:
    def split(line: bytes) -> list[bytes]:
        return _without_empty_end(line.split(separator))

    return split


def _split_pattern(pattern: bytes) -> _Split:
    """Split at matches of `pattern`; what its groups matched are columns as well.

    A match must end after the place where the last one ended. A pattern that can match nothing
    (`` *``) therefore parts all letters, and never makes an empty column at the start of a line.
    """
    try:
        search = re.compile(pattern).search
    except (re.error, OverflowError, RecursionError) as error:
        raise SennaError(
            f'the delimiter "{_decode(pattern)}" is no regular expression: {error}',
            mend=r"Write \ before a character that stands for itself, as in '\|'.",
        ) from None

    def split(line: bytes) -> list[bytes]:
        columns: list[bytes] = []
        end = len(line)
        start = 0
        while start < end:
            match = search(line, start)
            if match is not None and match.end() == start:
                # Perl goes on to the pattern's other ways to match: those that leave less over.
                longer = rb"(?:%b)(?![\x00-\xff]{%d})" % (pattern, end - start)
                match = re.compile(longer).search(line, start)
            if match is None:
                break
            columns.append(line[start : match.start()])
            columns.extend(group or b"" for group in match.groups())
            start = match.end()
        if start < end:
            columns.append(line[start:])
            return columns
        return _without_empty_end(columns)

    return split


def _without_empty_end(columns: list[bytes]) -> list[bytes]:
    while columns and not columns[-1]:
        columns.pop()
    return columns


def _translated(pattern: bytes) -> bytes:
    r"""Perl's pattern in Python's dialect: ``\h \v \z [[:space:]]`` and ``(?i)`` in front."""
    inside = False  # of a character class

    def translate(match: re.Match[bytes]) -> bytes:
        nonlocal inside
        found = match[0]
        if found.startswith(b"[:"):
            return _POSIX.get(match[1], found) if inside else found
        if found.startswith(b"["):
            if inside:
                return b"\\" + found
            inside = True
            return found
        if found == b"]":
            inside = False
            return found
        if found in _SPACES:
            return _SPACES[found] if inside else b"[%b]" % _SPACES[found]
        if found == rb"\z":
            return rb"\Z"
        return rb"(?=\n?\Z)" if found == rb"\Z" else found

    pattern = _PERL_ONLY.sub(translate, pattern)
    flags = re.match(rb"\(\?([imsx]+)\)", pattern)
    if flags:
        return b"(?%b:%b)" % (flags[1], pattern[flags.end() :])
    return pattern
