"""CoNLL-U, the format of Universal Dependencies: ten fields per word, separated by tabs.

A blank line ends a sentence; comments (`# text = ...`) stand before it. Beside words, numbered from
1, there are surface tokens of several words (`2-3  don't`), which stand before these, and words
that are not in the text (`4.1`). As in other columns, only a line feed ends a line.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from senna.errors import SennaError

PLUS = "# global.columns ="
NAMES = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
FIELDS = len(NAMES)
ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(FIELDS)
EMPTY = "_"

# Nine digits: Python refuses to read thousands of them as a number.
RANGE = re.compile(r"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")
ADDED = re.compile(r"(0|[1-9][0-9]{0,8})\.[1-9][0-9]*")


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

    def word_lines(self) -> list[int]:
        """The number of the line of each word."""
        first = self.line + len(self.comments)
        return [number for number, row in enumerate(self.rows, first) if row[ID].isdigit()]

    def comment(self, key: str) -> str:
        """The value of the comment `# key = value`; empty if there is none."""
        for comment in self.comments:
            name, equals, value = comment[1:].partition("=")
            if equals and name.strip() == key:
                return value.strip()
        return ""

    def tokens(self) -> Iterator[tuple[list[str], list[list[str]]]]:
        """The row of each surface token, and those of its words: of a single one the same."""
        rows = iter([row for row in self.rows if not ADDED.fullmatch(row[ID])])
        for row in rows:
            if span := RANGE.fullmatch(row[ID]):
                n = int(span[2]) - int(span[1]) + 1
                yield row, [next(rows) for _ in range(n)]
            else:
                yield row, [row]

    def surface(self) -> tuple[str, list[tuple[int, int]]]:
        """The text of the sentence, and where in it each word stands.

        Words of one surface token have their own places if they add up to it, else all of it.
        """
        text, places = "", list[tuple[int, int]]()
        glued = True
        for row, words in self.tokens():
            text += "" if glued else " "
            start = len(text)
            text += row[FORM]
            parts = [word[FORM] for word in words]
            if "".join(parts) == row[FORM]:
                for part in parts:
                    places.append((start, start + len(part)))
                    start += len(part)
            else:
                places += [(start, len(text))] * len(parts)
            glued = "SpaceAfter=No" in row[MISC].split("|")
        return text, places


OUTSIDE = ("", EMPTY, "O", "*")  # cells of a column of its own that say nothing of their word


def filled(sentence: ConlluSentence, fields: Mapping[str, Sequence[str]]) -> ConlluSentence:
    """The sentence with some fields, by name, of its words; each value is of one word."""
    sentence = sentence._replace(rows=[list(row) for row in sentence.rows])
    fill(sentence.words, fields)
    return sentence


def fill(words: Iterable[list[str]], fields: Mapping[str, Sequence[str]]) -> None:
    """Write some fields, by name, into the rows of words."""
    for name, values in fields.items():
        place = NAMES.index(name)
        for row, value in zip(words, values, strict=True):
            row[place] = escaped(value, place) or EMPTY


def as_field(text: str) -> str:
    """A form, lemma or comment, which may have spaces, on one line and in one field."""
    return re.sub(r"[\t\n\r]", " ", text)


@lru_cache(1 << 14)  # most values of a text are the same few
def escaped(value: str, place: int = MISC) -> str:
    """A value as its field has it: only a lemma keeps spaces, only features keep the sign `|`."""
    if place == LEMMA:
        return as_field(value)
    return re.sub(r"\s", "_", value if place == FEATS else value.replace("|", r"\p"))


# --------------------------------------------------------------------------- reading


class ConlluReader:
    """`read_conllu` for a file that may be CoNLL-U Plus, whose first line names its columns.

    Called for one part of the file after another. Columns without a field in CoNLL-U become entries
    of MISC: `SENNA:NER` is `ner`.
    """

    def __init__(self) -> None:
        self.columns: list[str] = []

    def __call__(
        self, lines: Iterable[str], *, name: str, start: int = 1
    ) -> Iterator[ConlluSentence]:
        return read_conllu(self._plain(lines, name, start), name=name, start=start)

    def _plain(self, lines: Iterable[str], name: str, start: int) -> Iterator[str]:
        for number, line in enumerate(lines, start):
            if number == 1 and line.removeprefix("\ufeff").startswith(PLUS):
                self.columns = line.partition("=")[2].split()
                if missing := {"ID", "FORM"} - {*self.columns}:
                    raise SennaError(f"no column {min(missing)}", where=f"{name}:1")
                line = "\n"
            if not self.columns or not line.strip() or line.startswith("#"):
                yield line
                continue
            row = line.rstrip("\r\n").split("\t")
            if len(row) != len(self.columns):
                what = f"{len(row)} fields, expected {len(self.columns)}"
                remedy = "A line has the columns that # global.columns names."
                raise SennaError(what, where=f"{name}:{number}", remedy=remedy)
            cells = dict(zip(self.columns, row, strict=True))
            fields = [cells.pop(field, EMPTY) for field in NAMES]
            more = [
                f"{column.rpartition(':')[2].lower()}={escaped(cell)}"
                for column, cell in cells.items()
                if cell not in OUTSIDE
            ]
            fields[MISC] = "|".join([*([fields[MISC]] * (fields[MISC] != EMPTY)), *more]) or EMPTY
            yield "\t".join(fields) + "\n"


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
                what = f"{len(row)} field{'s' * (len(row) > 1)}, expected {FIELDS}"
                remedy = "A line of CoNLL-U is ten fields separated by tabs, a comment, or blank."
                raise SennaError(what, where=f"{name}:{number}", remedy=remedy)
            if is_blank(row[FORM]):
                what, remedy = "the field FORM is empty", "Write the word there."
                raise SennaError(what, where=f"{name}:{number}", remedy=remedy)
            if row[ID] == str(words + 1):
                words += 1
            elif span := RANGE.fullmatch(row[ID]):
                if not (int(span[1]) == words + 1 > last and int(span[2]) >= int(span[1])):
                    raise _misplaced(row[ID], words + 1, f"{name}:{number}")
                last = int(span[2])
            elif not (added := ADDED.fullmatch(row[ID])) or int(added[1]) != words:
                raise _misplaced(row[ID], words + 1, f"{name}:{number}")
            rows.append(row)
    if rows:
        yield _whole(comments, rows, first, words, last, f"{name}:{number}")


def _misplaced(text: str, due: int, where: str) -> SennaError:
    remedy = "Words are numbered from 1; a range stands before its words."
    return SennaError(f"ID {text[:40]!r} where word {due} is due", where=where, remedy=remedy)


def is_blank(form: str) -> bool:
    """Whether a form has nothing but spaces."""
    return all(unicodedata.category(c) == "Zs" for c in form)


def _whole(
    comments: list[str], rows: list[list[str]], first: int, words: int, last: int, where: str
) -> ConlluSentence:
    """A sentence that has ended; SennaError where a range goes beyond its words."""
    if last > words:
        raise SennaError(f"the sentence ends before word {last} of its range", where=where)
    if not words:
        raise SennaError("a sentence without words", where=where)
    return ConlluSentence(comments, rows, first)
