"""Props: verbs and their arguments as columns (the CoNLL-2005 shared task's format).

The first column holds the verb or ``-``, then comes one column for each verb, in the order of the
verbs. Cells stand apart by any blanks, a sentence ends at a blank line::

    -      (A0*   (A0*
    -         *)     *
    wants  (V*)      *
    -     (A1*       *)
    leave     *)   (V*)

A cell is any number of ``(ROLE``, a star, any number of ``)``; a closing bracket may name its role
(``*A0)``). ``C-X`` goes on with the last argument ``X`` of its column and is a piece of it; where
none has come before, it is an ``X`` itself. Brackets may nest. Where two of them span the same
tokens, only the inner one is an argument; one with others in it has those as its pieces. All this
is as the shared task's scorer, srl-eval.pl, reads it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from senna.errors import SennaError
from senna.text.schemes import TagError

NO_VERB = "-"
CONTINUES = "C-"

# Not str.split(): it takes no-break spaces and some control characters for blanks too.
_cells = re.compile(r"[^ \t\n\v\f\r]+").findall
# A role holds no ( and no star, save one behind a backslash.
_OPENING = re.compile(r"\(((?:\\\*|[^*(])+)")
_CLOSING = re.compile(r"([^)]*)\)")

Warn = Callable[[str], None]


@dataclass(slots=True, eq=False)
class Argument:
    """Tokens `start` to `end` (not included) in the role `label`.

    `pieces` is empty for an argument in one piece. An argument that others continue has its pieces
    in order, the first one included, and runs to the end of its last; one with others nested in it
    has those.
    """

    start: int
    end: int
    label: str
    pieces: list[Argument] = field(default_factory=list)

    @property
    def span(self) -> tuple[int, int]:
        """Where it starts and ends."""
        return self.start, self.end


class Proposition(NamedTuple):
    """A verb, its token, and its arguments in order; None where it has no column."""

    verb: str
    position: int
    arguments: list[Argument] | None


class PropsSentence(NamedTuple):
    """A sentence of a props file: the cells of each token, its first line from 1, the file's name.

    Lines may differ in their number of cells: see `columns`.
    """

    rows: list[list[str]]
    line: int = 1
    name: str = "props"

    @property
    def columns(self) -> list[Sequence[str]]:
        """The cells column by column; where a line is short, those below move up, as srl-eval's."""
        if _is_ragged(self.rows):
            width = max(map(len, self.rows))
            return [[row[k] for row in self.rows if len(row) > k] for k in range(width)]
        return list(zip(*self.rows, strict=True))

    def propositions(self) -> list[Proposition]:
        """The sentence's propositions; columns beyond the last verb's are not read.

        Raises SennaError, with the line, for brackets that do not match.
        """
        verbs, *columns = self.columns
        places = [place for place, verb in enumerate(verbs) if verb != NO_VERB]
        propositions = []
        for k, place in enumerate(places):
            arguments = None
            if k < len(columns):
                try:
                    arguments = arguments_of(columns[k])
                except BracketError as error:
                    lines = [self.line + i for i, row in enumerate(self.rows) if len(row) > k + 1]
                    where = f"{self.name}:{lines[error.position]}"
                    what = f"{error.what} (column {k + 2})"
                    raise SennaError(what, where=where, mend=error.mend) from None
            propositions.append(Proposition(verbs[place], place, arguments))
        return propositions


class BracketError(TagError):
    """Brackets of a column that do not match."""

    def __init__(self, what: str, position: int) -> None:
        mend = "Cells look like (A0*, *, *) or (A0*); every (ROLE needs one ) at or after it."
        super().__init__(what, position, mend)


def read_props(
    lines: Iterable[str], *, name: str, warn: Warn | None = None
) -> Iterator[PropsSentence]:
    """The sentences of a props file, one at a time; `name` is the file's, for messages.

    An empty sentence (a second blank line, or one at the start) ends the reading, as in srl-eval.
    `warn` gets text after it, and the first line with more or fewer cells than its
    sentence's first.
    """
    numbered = enumerate(lines, start=1)
    told = False
    while True:
        rows: list[list[str]] = []
        number = 0
        for number, line in numbered:
            row = _cells(line if number > 1 else line.removeprefix("\ufeff"))  # byte order mark
            if not row:
                break
            rows.append(row)
        else:
            number += 1  # the end of the file stands for a blank line
        if not rows:
            break
        sentence = PropsSentence(rows, number - len(rows), name)
        if warn and not told and _is_ragged(rows):
            first = len(rows[0])
            i, row = next((i, row) for i, row in enumerate(rows) if len(row) != first)
            what = f"{name}:{sentence.line + i}: {len(row)} columns, expected {first}: "
            warn(what + "columns with missing cells are read as if these were their last")
            told = True
        yield sentence
    rest = next((number for number, line in numbered if _cells(line)), None)
    if warn and rest:
        warn(f"{name}:{rest}: not read from here on: an empty sentence ends the file")


def _is_ragged(rows: list[list[str]]) -> bool:
    return len(set(map(len, rows))) > 1


def arguments_of(tags: Sequence[str]) -> list[Argument]:
    """The arguments of a column, by their first token, outer ones first.

    Raises BracketError for brackets that do not match.
    """
    return joined(_phrases(tags))


def joined(phrases: Iterable[Argument]) -> list[Argument]:
    """The arguments of phrases in order, each C-X with the X that it continues."""
    arguments: list[Argument] = []
    heads: dict[str, Argument] = {}  # the last argument of each role
    for phrase in phrases:
        if phrase.label.startswith(CONTINUES):
            role = phrase.label.removeprefix(CONTINUES)
            head = heads.get(role)
            if head is not None:
                if not head.pieces:
                    head.pieces.append(Argument(*head.span, role))
                head.pieces.append(phrase)
                head.end = phrase.end
                continue
            phrase.label = role
        arguments.append(phrase)
        heads[phrase.label] = phrase
    return arguments


def _phrases(tags: Sequence[str]) -> list[Argument]:
    """The brackets of a column, each with those right within it as pieces."""
    arguments: list[Argument] = []
    open_ones: list[Argument] = []
    nested = False
    for position, tag in enumerate(tags):
        if tag == "*":
            continue
        opened, closed = _parts(tag, position)
        for role in opened:
            nested = nested or bool(open_ones)
            open_ones.append(Argument(position, position, role))
            arguments.append(open_ones[-1])
        for role in closed:
            if not open_ones:
                raise BracketError(f'tag "{tag}" closes what is not open', position)
            phrase = open_ones.pop()
            if role and role != phrase.label:
                what = f'tag "{tag}" closes {role} where {phrase.label} is open: '
                raise BracketError(what + "overlapping or misnamed", position)
            phrase.end = position + 1
            if open_ones:
                open_ones[-1].pieces.append(phrase)
    if open_ones:
        start = open_ones[-1].start
        raise BracketError(f'tag "{tags[start]}" is never closed', start)
    if not nested:
        return arguments
    by_span = {phrase.span: phrase for phrase in arguments}  # the inner one of two comes later
    return [by_span[span] for span in sorted(by_span, key=lambda span: (span[0], -span[1]))]


def _parts(tag: str, position: int) -> tuple[Sequence[str], Sequence[str]]:
    """The roles that a cell opens and closes; a closing bracket without role is the empty one."""
    if tag == "*)":  # most of all cells with brackets
        return (), ("",)
    opened, closed = [], []
    at = 0
    while not tag.startswith("*", at):
        match = _OPENING.match(tag, at)
        if match is None:
            raise BracketError(f'tag "{tag}" is not a cell of props', position)
        opened.append(match[1])
        at = match.end()
    at += 1
    while at < len(tag):
        match = _CLOSING.match(tag, at)
        if match is None:
            raise BracketError(f'tag "{tag}" is not a cell of props', position)
        closed.append("" if match[1] == "0" else match[1])  # "0" is false in Perl
        at = match.end()
    return opened, closed
