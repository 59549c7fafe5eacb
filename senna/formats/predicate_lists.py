"""Lists of predicates: a file that says which words of the input's sentences are predicates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby
from typing import NamedTuple

from senna.annotation.predicates import NO_PREDICATE
from senna.errors import SennaError
from senna.files import open_text


class Listed(NamedTuple):
    """The predicates of a sentence as a user gives them: tokens from 0, in order.

    `length` is the sentence's number of tokens, if the list has it; `where` is file:line.
    """

    places: list[int]
    length: int | None
    where: str

    def of(self, forms: Sequence[str]) -> list[int]:
        """The predicates, if they fit a sentence; else SennaError."""
        n = len(forms)
        remedy = f'The sentence begins "{" ".join(forms[:6])}".'
        if self.length not in (None, n):
            what = f"{self.length} tokens, but the sentence of the input has {n}"
            raise SennaError(what, where=self.where, remedy=remedy)
        if self.places and self.places[-1] >= n:
            what = f"predicate {self.places[-1] + 1}, but the sentence of the input has {n} tokens"
            raise SennaError(what, where=self.where, remedy=remedy)
        return self.places


def read_predicates(lines: Iterable[str], *, name: str) -> Iterator[Listed]:
    """The predicates of sentences, from a list or a column.

    A list has one line per sentence: the numbers of its predicates, from 1, separated by blanks; an
    empty line is a sentence without any. A column has one token per line, a hyphen where it is no
    predicate, and a blank line after each sentence; further columns are not read, so a file of
    props serves too. What the first line with anything in it begins with shows which it is.
    """
    rows = enumerate((line.removeprefix("\ufeff").split() for line in lines), start=1)
    before = []  # up to the first line with anything in it
    for row in rows:
        before.append(row)
        if row[1]:
            break
    every = chain(before, rows)
    if all(_is_number(cells[0]) for _, cells in before if cells):
        yield from (_listed(cells, f"{name}:{number}") for number, cells in every)
        return
    for filled, group in groupby(every, key=lambda row: bool(row[1])):
        if filled:
            numbers, tokens = zip(*group, strict=True)
            places = [i for i, cells in enumerate(tokens) if cells[0] != NO_PREDICATE]
            yield Listed(places, len(tokens), f"{name}:{numbers[0]}")


def _is_number(cell: str) -> bool:
    return cell.isascii() and cell.isdigit()


def _listed(cells: Sequence[str], where: str) -> Listed:
    places = []
    for cell in cells:
        # Python refuses to read a number of thousands of digits.
        if not _is_number(cell) or len(cell) > 9 or cell.strip("0") == "":
            remedy = "A line holds the numbers of a sentence's predicates, from 1."
            raise SennaError(
                f"{cell[:40]!r} is not the number of a token", where=where, remedy=remedy
            )
        places.append(int(cell) - 1)
    return Listed(sorted(set(places)), None, where)


def listed_predicates(file: str) -> Iterator[Listed]:
    """The predicates that a file lists, sentence by sentence."""
    with open_text(file) as lines:
        yield from read_predicates(lines, name=file)
