"""Tagged columns: one token per line, its gold and its predicted tag in the last two columns.

This is the input of conlleval, read as conlleval reads it. The delimiter is a regular expression;
empty columns at the end of a line count for nothing; a line without columns ends a sentence, as
does one whose first column is ``-X-``; ``-DOCSTART-`` is a token like any other; a carriage return
belongs to the last column; all other lines have as many columns as the first.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from senna.errors import SennaError, counted

BOUNDARY = "-X-"

_Split = Callable[[str], list[Any]]


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

    def __init__(self, text: str, n_columns: int, expected: int | None, where: str) -> None:
        what = f"{counted(n_columns, 'column')}, expected {expected or '2 or more'}"
        if expected is None:
            self.reference_status = 255
            self.reference_message = f"conlleval: unexpected number of features in line {text}"
            remedy = "The last two are gold and predicted; --delimiter sets the separator."
        else:
            self.reference_status = 1
            self.reference_message = f"unexpected number of features: {n_columns} ({expected})"
            remedy = "Every line needs as many columns as the first."
            remedy += " Give the file Unix line ends." if text.endswith("\r") else ""
        super().__init__(what, where=where, remedy=remedy)


def read_tagged(
    lines: Iterable[str],
    *,
    name: str,
    delimiter: str | None = None,
    raw: bool = False,
    outside: str = "O",
) -> Iterator[TaggedSentence]:
    """The sentences of a column file that hold tokens, one at a time.

    `lines` end at line feeds alone; `name` is the file's, for messages. `delimiter` is a regular
    expression of Python, whose classes (``\\s``, ``\\w``) hold ASCII alone; without it a tab parts
    columns if the first line that is not blank has one, else a single space. `raw`: tags are bare
    types, each token outside neither ``O`` nor `outside` a phrase of its own. Raises ColumnsError,
    and SennaError for a delimiter that is not a regular expression.
    """
    split: _Split | None = None
    width = -1
    first, words, gold, predicted = 0, list[str](), list[str](), list[str]()
    for number, line in enumerate(lines, start=1):
        line = line.removesuffix("\n")
        if split is None:
            if delimiter is None and not line.strip(_BLANKS):
                continue
            split = _splitter(delimiter, line)
        columns = [column or "" for column in split(line)]
        while columns and not columns[-1]:
            columns.pop()
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
        tags = list(map(sys.intern, columns[-2:]))  # one string a tag, however often it occurs
        if raw:
            tags = ["O" if tag in ("O", outside) else f"B-{tag}" for tag in tags]
        words.append(columns[0] if count > 2 else "")
        gold.append(tags[0])
        predicted.append(tags[1])
    if words:
        yield TaggedSentence(words, gold, predicted, name, first, closed=False)


_BLANKS = " \t\n\v\f\r"


def _splitter(delimiter: str | None, line: str) -> _Split:
    """The function that splits lines at `delimiter`, which for None depends on the first `line`."""
    if delimiter is None:
        separator = "\t" if "\t" in line else " "
        return lambda line: line.split(separator)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", FutureWarning)  # of Perl's [[:space:]]
            return re.compile(delimiter, re.ASCII).split
    except (re.error, OverflowError, RecursionError, FutureWarning) as error:
        what = f'the delimiter "{delimiter}" is not a regular expression: {error}'
        remedy = r"Write \ before a character that stands for itself, as in '\|'."
        raise SennaError(what, remedy=remedy) from None
