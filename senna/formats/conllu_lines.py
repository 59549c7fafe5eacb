"""Lines of CoNLL-U and CoNLL-U Plus as sentences."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

from senna.annotation.conllu import (
    ADDED,
    EMPTY,
    FIELDS,
    FORM,
    ID,
    MISC,
    NAMES,
    OUTSIDE,
    RANGE,
    ConlluSentence,
    escaped,
)
from senna.errors import SennaError

PLUS = "# global.columns ="


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
