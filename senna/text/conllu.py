"""CoNLL-U, the format of Universal Dependencies: ten fields a word, parted by tabs.

A blank line ends a sentence; comments (`# text = ...`) stand before it. Beside words, numbered from
1, there are surface tokens of several words (`2-3  don't`), which stand before these, and words
that are not in the text (`4.1`). As in other columns, only a line feed ends a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from senna.errors import SennaError

FIELDS = 10
ID, FORM, XPOS, MISC = 0, 1, 4, 9
EMPTY = "_"

# Nine digits: Python refuses to read thousands of them as a number.
_RANGE = re.compile(r"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")
_ADDED = re.compile(r"(0|[1-9][0-9]{0,8})\.[1-9][0-9]*")


class ConlluSentence(NamedTuple):
    """A sentence: its comments with their sign, all its rows of ten fields, its first line."""

    comments: list[str]
    rows: list[list[str]]
    line: int = 1

    @property
    def words(self) -> list[list[str]]:
        """The rows of its words: neither surface tokens of several words nor added ones."""
        return [row for row in self.rows if row[ID].isdigit()]

    @property
    def opens_document(self) -> bool:
        """Whether a comment says so."""
        return any(re.match(r"#\s*newdoc\b", comment) for comment in self.comments)

    def surface(self) -> tuple[str, list[tuple[int, int]]]:
        """The text of the sentence, and where in it each word stands.

        Words of one surface token have their own places if they add up to it, else all of it.
        """
        text, places = "", list[tuple[int, int]]()
        rows = iter([row for row in self.rows if not _ADDED.fullmatch(row[ID])])
        glued = True
        for row in rows:
            text += "" if glued else " "
            start, form = len(text), row[FORM]
            text += form
            if span := _RANGE.fullmatch(row[ID]):
                n = int(span[2]) - int(span[1]) + 1
                parts = [next(rows)[FORM] for _ in range(n)]
                places += _parted(parts, start, len(text), "".join(parts) == form)
            else:
                places.append((start, len(text)))
            glued = "SpaceAfter=No" in row[MISC].split("|")
        return text, places


def _parted(parts: list[str], start: int, end: int, adds_up: bool) -> Iterator[tuple[int, int]]:
    for part in parts:
        yield (start, start + len(part)) if adds_up else (start, end)
        start += len(part) if adds_up else 0


def read_conllu(lines: Iterable[str], *, name: str, start: int = 1) -> Iterator[ConlluSentence]:
    """The sentences of a CoNLL-U file, one at a time.

    `name` is the file's, for messages, `start` the number of the first line. Raises SennaError,
    with the line, for a row that has not ten fields or does not fit where it stands.
    """
    comments: list[str] = []
    rows: list[list[str]] = []
    first = start
    words = last = 0  # how many words there are as yet, and the last one of a range
    for number, line in enumerate(lines, start):
        if number == 1:
            line = line.removeprefix("\ufeff")  # byte order mark
        line = line.removesuffix("\n").removesuffix("\r")
        if not line.strip(" \t"):
            if rows:
                yield _whole(comments, rows, first, words, last, f"{name}:{number}")
            comments, rows, first = [], [], number + 1
            words = last = 0
        elif line.startswith("#") and not rows:
            comments.append(line)
        else:
            row = line.split("\t")
            if len(row) != FIELDS:
                what = f"{len(row)} fields, expected {FIELDS}"
                mend = "A line of CoNLL-U is ten fields separated by tabs, a comment, or blank."
                raise SennaError(what, where=f"{name}:{number}", mend=mend)
            if row[ID] == str(words + 1):
                words += 1
            elif span := _RANGE.fullmatch(row[ID]):
                if not (int(span[1]) == words + 1 > last and int(span[2]) >= int(span[1])):
                    raise _misplaced(row[ID], words + 1, f"{name}:{number}")
                last = int(span[2])
            elif not (added := _ADDED.fullmatch(row[ID])) or int(added[1]) != words:
                raise _misplaced(row[ID], words + 1, f"{name}:{number}")
            rows.append(row)
    if rows:
        yield _whole(comments, rows, first, words, last, f"{name}:{number}")


def _misplaced(text: str, due: int, where: str) -> SennaError:
    mend = "Words are numbered from 1; a range stands before its words."
    return SennaError(f"ID {text[:40]!r} where word {due} is due", where=where, mend=mend)


def _whole(
    comments: list[str], rows: list[list[str]], first: int, words: int, last: int, where: str
) -> ConlluSentence:
    """A sentence that has ended; SennaError where a range goes beyond its words."""
    if last > words:
        raise SennaError(f"the sentence ends before word {last} of its range", where=where)
    if not words:
        raise SennaError("a sentence without words", where=where)
    return ConlluSentence(comments, rows, first)


def as_conllu(comments: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A sentence as a file has it, the blank line after it included."""
    lines = [*comments, *("\t".join(row) for row in rows)]
    return "".join(f"{line}\n" for line in lines) + "\n"


def escaped(value: str) -> str:
    """A value without the sign that parts entries, and without blanks."""
    return re.sub(r"\s", "_", value.replace("|", r"\p"))
