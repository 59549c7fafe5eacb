"""CoNLL-2012 (OntoNotes): parts of speech, trees, roles and names of a word on one line.

The columns are document, part, number of the word, word, part of speech, cell of the tree,
predicate, frameset, sense, speaker, name, then roles, one column per predicate, and coreference::

    #begin document (letter); part 000
    letter 0 0 Ann   NNP (TOP(S(NP*) -    -       - - (PERSON) (ARG0*) -
    letter 0 1 ran   VBD (VP*))      run  run.02  - - *        (V*)    -

    #end document

What is not known is `-`, or `*` where there may be brackets. Roles are written as PropBank has
them: ARG0 for A0, ARGM-TMP for AM-TMP.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from senna.errors import SennaError
from senna.text.headings import CONLL2012
from senna.text.props import BracketError
from senna.text.role_files import predicate_of
from senna.text.roles import VERB, Predicate
from senna.text.trees import Tree, tree_of_columns

END = "#end document"
WORD, POS, PARSE, NAME, ROLES = 3, 4, 5, 10, 11
UNKNOWN, NONE = "-", "*"

_cells = re.compile(r"[^ \t\r\n]+").findall
_LONG = re.compile(r"(?<=\()([CR]-)?ARG(?=[0-9AM])")
_SHORT = re.compile(r"(?<=\()([CR]-)?A(?=[0-5AM][-*])")


class Conll2012Sentence(NamedTuple):
    """A sentence: the cells of each word, its first line, the file's name.

    Its parts raise SennaError, with the line, for brackets that do not match.
    """

    rows: list[list[str]]
    line: int
    name: str
    opens_document: bool = False

    def column(self, place: int) -> list[str]:
        """The cells of a column."""
        return [row[place] for row in self.rows]

    @property
    def forms(self) -> list[str]:
        """Its words."""
        return self.column(WORD)

    @property
    def pos(self) -> list[str]:
        """Its parts of speech; none where they are not known."""
        tags = self.column(POS)
        return [] if set(tags) == {UNKNOWN} else tags

    @property
    def names(self) -> list[str]:
        """Its names as cells in brackets; (PERSON) is (PERSON*)."""
        return [c if NONE in c else f"{c[:-1]}{NONE}{c[-1:]}" for c in self.column(NAME)]

    @property
    def tree(self) -> Tree:
        """Its tree."""
        try:
            return tree_of_columns(self.column(POS), self.column(PARSE), self.forms)
        except SennaError as error:
            raise SennaError(error.what, where=f"{self.name}:{self.line}") from None

    @property
    def predicates(self) -> list[Predicate]:
        """Its predicates with their roles; each stands where its column has V."""
        predicates = []
        for place in range(ROLES, len(self.rows[0]) - 1):
            cells = [_LONG.sub(r"\1A", cell) for cell in self.column(place)]
            verbs = [i for i, cell in enumerate(cells) if f"({VERB}*" in cell]
            if not verbs:
                what, where = f"no (V*) in column {place + 1}", f"{self.name}:{self.line}"
                raise SennaError(what, where=where, mend="A column of roles has its predicate.")
            try:
                predicates.append(predicate_of(verbs[0], cells))
            except BracketError as error:
                where = f"{self.name}:{self.line + error.position}"
                what = f"{error.what} (column {place + 1})"
                raise SennaError(what, where=where, mend=error.mend) from None
        return sorted(predicates)


def read_conll2012(
    lines: Iterable[str], *, name: str, start: int = 1
) -> Iterator[Conll2012Sentence]:
    """The sentences of a CoNLL-2012 file, one at a time.

    `name` is the file's, for messages, `start` the number of the first line. Raises SennaError,
    with the line, for one that has other columns than its sentence, or too few.
    """
    rows: list[list[str]] = []
    first, opens = start, False
    for number, line in enumerate(lines, start):
        line = line.removeprefix("\ufeff") if number == 1 else line
        cells = [] if line.startswith((CONLL2012, END)) else _cells(line)
        if cells and rows and len(cells) != len(rows[0]):
            what = f"{len(cells)} columns, expected {len(rows[0])}"
            mend = "Every line of a sentence needs as many columns as the first."
            raise SennaError(what, where=f"{name}:{number}", mend=mend)
        if cells and len(cells) <= ROLES:
            what = f"{len(cells)} columns, expected at least {ROLES + 1}"
            raise SennaError(what, where=f"{name}:{number}", mend="CoNLL-2012 has as many.")
        if not cells and rows:
            yield Conll2012Sentence(rows, first, name, opens)
            rows, opens = [], False
        if cells:
            first = first if rows else number
            rows.append(cells)
        opens = opens or line.startswith(CONLL2012)
    if rows:
        yield Conll2012Sentence(rows, first, name, opens)


def long_role(cell: str) -> str:
    """A cell of roles in brackets, with PropBank's own names: (A0* is (ARG0*."""
    return _SHORT.sub(r"\1ARG", cell)


def short_name(cell: str) -> str:
    """A cell of a name in brackets; one of a single word has no star: (PERSON*) is (PERSON)."""
    return cell.replace(NONE, "") if cell.startswith("(") and cell.endswith(")") else cell
