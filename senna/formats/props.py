"""Files of semantic roles: props, and words with predicates and one column of roles for each.

Props are verbs and their arguments as columns (the CoNLL-2005 shared task's format).

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

A file of roles has one token per line, a blank line after each sentence. After those that have
a name come the columns of roles, as many as the sentence has predicates: the k-th belongs to the
k-th word with a predicate. They are brackets as above, which do not nest. Two forms are known by
themselves::

    1  Anna   NNP  S-NP  -        -  (A0*)        Anna   -     (A0*)
    2  wants  VBZ  S-VP  want.01  v  (V*)         wants  want  (V*)
    3  tea    NN   S-NP  -        -  (A1*)        tea    -     (A1*)

left index, word, part of speech, PT0, predicate, its kind; right (CoNLL-2005) word and predicate.
Others are described by the names of their columns, for example ``word,-,pos,predicate``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from senna.annotation.predicates import NO_PREDICATE, VERB, Predicate, predicate_column
from senna.annotation.schemes import Phrase, TagError, convert, phrases_of, tags_of
from senna.errors import SennaError, counted
from senna.formats.columns import ColumnsSentence, read_columns

CONTINUES = "C-"
NAMES = ("word", "predicate", "pos", "pt0", "kind", "-")  # of columns before the roles
FULL = ("-", "word", "pos", "pt0", "predicate", "kind")
SHORT = ("word", "predicate")

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
        places = [place for place, verb in enumerate(verbs) if verb != NO_PREDICATE]
        propositions = []
        for k, place in enumerate(places):
            arguments = None
            if k < len(columns):
                lines = [self.line + i for i, row in enumerate(self.rows) if len(row) > k + 1]
                with in_column(k + 2, self.name, lines):
                    arguments = arguments_of(columns[k])
            propositions.append(Proposition(verbs[place], place, arguments))
        return propositions


class BracketError(TagError):
    """Brackets of a column that do not match."""

    def __init__(self, what: str, position: int) -> None:
        remedy = "Cells look like (A0*, *, *) or (A0*); every (ROLE needs one ) at or after it."
        super().__init__(what, position, remedy)


@contextmanager
def in_column(number: int, name: str, lines: Sequence[int]) -> Iterator[None]:
    """Errors of brackets get their line, of those of the tokens, and the number of the column."""
    try:
        yield
    except BracketError as error:
        what, where = f"{error.what} (column {number})", f"{name}:{lines[error.position]}"
        raise SennaError(what, where=where, remedy=error.remedy) from None


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
            what = f"{name}:{sentence.line + i}: {counted(len(row), 'column')}, expected {first}: "
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


# --------------------------------------------------------------------------- files of roles


class RolesSentence(NamedTuple):
    """A sentence of a file of roles; `kinds` has one entry per predicate, "" for none."""

    forms: list[str]
    predicates: list[Predicate]
    kinds: list[str]
    pos: list[str] | None
    pt0: list[str] | None
    line: int

    def of_kinds(self, kinds: Sequence[str]) -> list[Predicate]:
        """The predicates of some kinds (all, if none is requested or the file has none)."""
        pairs = zip(self.predicates, self.kinds, strict=True)
        return [predicate for predicate, kind in pairs if not kinds or not kind or kind in kinds]


def read_roles(lines: Iterable[str], *, name: str, names: str = "") -> Iterator[RolesSentence]:
    """The sentences of a file of roles; `names` are those of its columns, separated by commas.

    Raises SennaError, with the line, for brackets that overlap or do not match, and for sentences
    with more or fewer columns of roles than predicates.
    """
    chosen = _names_of(names, name) if names else ()
    for sentence in read_columns(lines, name=name):
        if not chosen:  # the full form numbers its tokens
            n, width = len(sentence.rows), len(sentence.rows[0])
            numbered = [row[0] for row in sentence.rows] == [str(i + 1) for i in range(n)]
            chosen = FULL if numbered and width >= len(FULL) else SHORT
        yield _with_roles(sentence, chosen, name)


def _names_of(text: str, where: str) -> tuple[str, ...]:
    names = tuple(part.strip() for part in text.split(","))
    unknown = [part for part in names if part not in NAMES]
    if unknown or not {"word", "predicate"} <= set(names):
        what = f"columns {text!r} do not name a word and a predicate"
        remedy = "Name the columns before the roles in order, for example word,pos,-,predicate."
        raise SennaError(what, where=where, remedy=remedy)
    return names


def _with_roles(sentence: ColumnsSentence, names: Sequence[str], where: str) -> RolesSentence:
    cells = list(zip(*sentence.rows, strict=True))
    if len(cells) < len(names):
        wanted = f"{len(names)} ({','.join(names)}) and the roles"
        what = f"{counted(len(cells), 'column')}, expected {wanted}"
        raise SennaError(what, where=f"{where}:{sentence.line}")
    named = {label: list(cells[i]) for i, label in enumerate(names)}
    places = [i for i, cell in enumerate(named["predicate"]) if cell != NO_PREDICATE]
    roles = cells[len(names) :]
    if len(roles) != len(places):
        what = f"{counted(len(places), 'predicate')}, but {counted(len(roles), 'column')} of roles"
        remedy = "Each word with a predicate (not -) has one column, in order."
        raise SennaError(what, where=f"{where}:{sentence.line}", remedy=remedy)
    predicates = []
    for k, (place, column) in enumerate(zip(places, roles, strict=True), start=1):
        with in_column(len(names) + k, where, range(sentence.line, sentence.line + len(column))):
            predicates.append(predicate_of(place, column))
    kinds = [named["kind"][place] for place in places] if "kind" in named else [""] * len(places)
    fields = named["word"], predicates, kinds, named.get("pos"), named.get("pt0"), sentence.line
    return RolesSentence(*fields)


def predicate_of(position: int, column: Sequence[str]) -> Predicate:
    """The predicate at `position`, of its column of brackets.

    V is made one word, the predicate's own; words of V after it are C-V. Raises BracketError for
    arguments that overlap or nest, and for a predicate within an argument of its own.
    """
    arguments = arguments_of(column)
    phrases = sorted(
        Phrase(*piece.span, argument.label if k == 0 else CONTINUES + argument.label)
        for argument in arguments
        for k, piece in enumerate(argument.pieces or [argument])
    )
    pieces: list[Phrase] = [Phrase(position, position + 1, VERB)]
    end_before = 0
    for start, end, label in phrases:
        if start < end_before:
            raise BracketError("arguments of one predicate overlap or nest", start)
        end_before = end
        if start <= position < end:
            if label not in (VERB, CONTINUES + VERB):
                raise BracketError(f"the predicate stands in its own {label}", position)
            if position + 1 < end:
                pieces.append(Phrase(position + 1, end, CONTINUES + VERB))
        elif label == VERB:  # beside the predicate, or a verb in two places
            pieces.append(Phrase(start, end, CONTINUES + VERB))
        else:
            pieces.append(Phrase(start, end, label))
    return Predicate(position, tags_of(pieces, len(column), "iobes"))


def props_of(forms: Sequence[str], predicates: Sequence[Predicate]) -> PropsSentence:
    """A sentence as a file of props has it."""
    ordered = sorted(predicates, key=lambda predicate: predicate.position)
    roles = [convert(predicate.tags, "iobes", "bracket") for predicate in ordered]
    cells = [predicate_column(forms, ordered), *roles]
    return PropsSentence([list(row) for row in zip(*cells, strict=True)])


def propositions_of(predicates: Iterable[Predicate]) -> list[Proposition]:
    """Predicates as the scorer of roles takes them, their verbs unnamed."""
    return [
        Proposition("", place, joined(Argument(*p) for p in phrases_of(tags, "iobes")))
        for place, tags in predicates
    ]
