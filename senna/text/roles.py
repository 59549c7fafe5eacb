"""Predicates and their roles: columns with roles read, written, and lists of predicates.

A file of roles has one token per line, a blank line after each sentence. After the columns that
have a name come the columns of roles, as many as the sentence has predicates: the k-th belongs to
the k-th word with a predicate. They are brackets as in `senna.text.props`. Two forms are known by
themselves::

    1  Anna   NNP  S-NP  -        -  (A0*)        Anna   -     (A0*)
    2  wants  VBZ  S-VP  want.01  v  (V*)         wants  want  (V*)
    3  tea    NN   S-NP  -        -  (A1*)        tea    -     (A1*)

left index, word, part of speech, PT0, predicate, its kind; right (CoNLL-2005) word and predicate.
Others are told by the names of their columns, as ``word,-,pos,predicate``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby
from typing import NamedTuple

from senna.errors import SennaError
from senna.text import columns, props, schemes
from senna.text.props import Argument, BracketError, Proposition, PropsSentence
from senna.text.schemes import Phrase

VERB = "V"
NO_PREDICATE = "-"  # where a word is no predicate
FULL = ("-", "word", "pos", "pt0", "predicate", "kind")
SHORT = ("word", "predicate")
NAMES = ("word", "predicate", "pos", "pt0", "kind", "-")


class Predicate(NamedTuple):
    """A predicate: its token, from 0, and the roles of all tokens, IOBES; S-V at its own."""

    position: int
    tags: list[str]

    @property
    def arguments(self) -> list[Phrase]:
        """Its arguments in order, V left out; C-X is a piece of the X before it."""
        phrases = schemes.phrases_of(self.tags, "iobes")
        return [phrase for phrase in phrases if phrase.label != VERB]


class RolesSentence(NamedTuple):
    """A sentence of a file of roles; `kinds` has one entry per predicate, "" where none is told."""

    forms: list[str]
    predicates: list[Predicate]
    kinds: list[str]
    pos: list[str] | None
    pt0: list[str] | None
    line: int

    def of_kinds(self, kinds: Sequence[str]) -> list[Predicate]:
        """The predicates of some kinds (all, where none is asked for or told)."""
        pairs = zip(self.predicates, self.kinds, strict=True)
        return [predicate for predicate, kind in pairs if not kinds or not kind or kind in kinds]


# --------------------------------------------------------------------------- columns


def read_roles(lines: Iterable[str], *, name: str, names: str = "") -> Iterator[RolesSentence]:
    """The sentences of a file of roles; `names` are those of its columns, parted by commas.

    Raises SennaError, with the line, for brackets that overlap or do not match, and for sentences
    with more or fewer columns of roles than predicates.
    """
    chosen = _names_of(names, name) if names else ()
    for sentence in columns.read_columns(lines, name=name):
        chosen = chosen or _form_of(sentence)
        yield _sentence(sentence, chosen, name)


def _names_of(text: str, where: str) -> tuple[str, ...]:
    names = tuple(part.strip() for part in text.split(","))
    unknown = [part for part in names if part not in NAMES]
    if unknown or not {"word", "predicate"} <= set(names):
        what = f"columns {text!r} do not name a word and a predicate"
        mend = "Name the columns before the roles in order, for example word,pos,-,predicate."
        raise SennaError(what, where=where, mend=mend)
    return names


def _form_of(sentence: columns.ColumnsSentence) -> tuple[str, ...]:
    """The full form numbers its tokens."""
    numbers = [str(i + 1) for i in range(len(sentence.rows))]
    full = len(sentence.rows[0]) >= len(FULL) and [row[0] for row in sentence.rows] == numbers
    return FULL if full else SHORT


def _sentence(sentence: columns.ColumnsSentence, names: Sequence[str], where: str) -> RolesSentence:
    cells = list(zip(*sentence.rows, strict=True))
    if len(cells) < len(names):
        what = f"{len(cells)} columns, expected {len(names)} ({','.join(names)}) and the roles"
        raise SennaError(what, where=f"{where}:{sentence.line}")
    named = {label: list(cells[i]) for i, label in enumerate(names)}
    places = [i for i, cell in enumerate(named["predicate"]) if cell != NO_PREDICATE]
    roles = cells[len(names) :]
    if len(roles) != len(places):
        what = f"{len(places)} predicates, but {len(roles)} columns of roles"
        mend = "Each word with a predicate (not -) has one column, in order."
        raise SennaError(what, where=f"{where}:{sentence.line}", mend=mend)
    predicates = []
    for k, (place, column) in enumerate(zip(places, roles, strict=True), start=1):
        try:
            predicates.append(predicate_of(place, column))
        except BracketError as error:
            line = sentence.line + error.position
            what = f"{error.what} (column {len(names) + k})"
            raise SennaError(what, where=f"{where}:{line}", mend=error.mend) from None
    kinds = [named["kind"][place] for place in places] if "kind" in named else [""] * len(places)
    fields = named["word"], predicates, kinds, named.get("pos"), named.get("pt0"), sentence.line
    return RolesSentence(*fields)


def predicate_of(position: int, column: Sequence[str]) -> Predicate:
    """The predicate at `position`, of its column of brackets.

    V is made one word, the predicate's own; words of V after it are C-V. Raises BracketError for
    arguments that overlap or nest, and for a predicate within an argument of its own.
    """
    arguments = props.arguments_of(column)
    phrases = sorted(
        Phrase(*piece.span, argument.label if k == 0 else props.CONTINUES + argument.label)
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
            if label not in (VERB, props.CONTINUES + VERB):
                raise BracketError(f"the predicate stands in its own {label}", position)
            if position + 1 < end:
                pieces.append(Phrase(position + 1, end, props.CONTINUES + VERB))
        elif label == VERB:  # beside the predicate, or a verb in two places
            pieces.append(Phrase(start, end, props.CONTINUES + VERB))
        else:
            pieces.append(Phrase(start, end, label))
    return Predicate(position, schemes.tags_of(pieces, len(column), "iobes"))


def regular(position: int, tags: list[str]) -> Predicate:
    """The predicate of a network's tags, which may break the rules: V stands at its place alone."""
    verb = "S-" + VERB
    if tags[position] == verb and tags.count(verb) == 1 and _is_valid(tags):
        return Predicate(position, tags)
    others = [tag if i != position and tag[2:] != VERB else "O" for i, tag in enumerate(tags)]
    phrases = schemes.phrases_of(others, "iobes")
    verbs = [Phrase(position, position + 1, VERB)]
    return Predicate(position, schemes.tags_of([*phrases, *verbs], len(tags), "iobes"))


def _is_valid(tags: Sequence[str]) -> bool:
    """Whether every phrase begins with B or S and ends with E or S."""
    open_label = ""
    for tag in tags:
        prefix, label = tag[0], tag[2:]
        if (prefix in "IE") != bool(open_label) or (open_label and label != open_label):
            return False
        open_label = label if prefix in "BI" else ""
    return not open_label


def column_of(predicate: Predicate, scheme: str = "bracket") -> list[str]:
    """The roles of a predicate as a column in a tag scheme."""
    if scheme == "iobes":
        return predicate.tags
    return schemes.convert(predicate.tags, "iobes", scheme)


def predicate_column(forms: Sequence[str], predicates: Sequence[Predicate]) -> list[str]:
    """The word where it is a predicate, else a hyphen."""
    cells = [NO_PREDICATE] * len(forms)
    for predicate in predicates:
        # A hyphen that is a predicate must not look like none.
        form = forms[predicate.position]
        cells[predicate.position] = form if form != NO_PREDICATE else "--"
    return cells


def props_of(forms: Sequence[str], predicates: Sequence[Predicate]) -> PropsSentence:
    """A sentence as a file of props has it."""
    ordered = sorted(predicates, key=lambda predicate: predicate.position)
    cells = [predicate_column(forms, ordered), *map(column_of, ordered)]
    return PropsSentence([list(row) for row in zip(*cells, strict=True)])


def propositions_of(predicates: Iterable[Predicate]) -> list[Proposition]:
    """Predicates as the scorer of roles takes them, their verbs unnamed."""
    return [
        Proposition(
            "", place, props.joined(Argument(*p) for p in schemes.phrases_of(tags, "iobes"))
        )
        for place, tags in predicates
    ]


def marks_of(n: int, predicates: Sequence[Predicate]) -> list[str]:
    """The tags of the task "predicates": S-V for a predicate, O for the `n` tokens' others."""
    places = {predicate.position for predicate in predicates}
    return ["S-V" if i in places else "O" for i in range(n)]


# --------------------------------------------------------------------------- lists of predicates


class Listed(NamedTuple):
    """The predicates of a sentence as a user gives them: tokens from 0, in order.

    `length` is the sentence's number of tokens, where the list tells it; `where` it stands, as
    file:line.
    """

    places: list[int]
    length: int | None
    where: str

    def of(self, forms: Sequence[str]) -> list[int]:
        """The predicates, if they fit a sentence; else SennaError."""
        n = len(forms)
        mend = f'The sentence begins "{" ".join(forms[:6])}".'
        if self.length not in (None, n):
            what = f"{self.length} tokens, but the sentence of the input has {n}"
            raise SennaError(what, where=self.where, mend=mend)
        if self.places and self.places[-1] >= n:
            what = f"predicate {self.places[-1] + 1}, but the sentence of the input has {n} tokens"
            raise SennaError(what, where=self.where, mend=mend)
        return self.places


def read_predicates(lines: Iterable[str], *, name: str) -> Iterator[Listed]:
    """The predicates of sentences, from a list or a column.

    A list has one line per sentence: the numbers of its predicates, from 1, parted by blanks; an
    empty line is a sentence without any. A column has one token per line, a hyphen where it is no
    predicate, and a blank line after each sentence; further columns are not read, so a file of
    props serves too. What the first line with anything in it begins with tells which it is.
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
            mend = "A line holds the numbers of a sentence's predicates, from 1."
            raise SennaError(f"{cell[:40]!r} is no number of a token", where=where, mend=mend)
        places.append(int(cell) - 1)
    return Listed(sorted(set(places)), None, where)


# --------------------------------------------------------------------------- predicates by tags

_BE = frozenset("be am is are was were been being 's 're 'm ’s ’re ’m s re m r ai".split())
_HAVE = frozenset("have has had having 've 'd ’ve ’d ve d".split())
_DO = frozenset("do does did".split())
_TO_FOLLOWS = frozenset("have has had having 've ’ve going gon used".split())
_BETWEEN = ("RB", "RBR", "RBS", "PRP", "EX")  # what may stand between an auxiliary and its verb


def verbal(forms: Sequence[str], pos: Sequence[str]) -> list[int]:
    """The predicates that parts of speech alone tell: tags VB*, without *be* and auxiliaries.

    Left out are all forms of *be*; *have* before a participle (VBN) and *do* before a base form
    (VB), where only adverbs and pronouns stand between; and *have*, *going*, *used* before *to* and
    a base form.
    """
    places = []
    for i, (form, tag) in enumerate(zip(forms, pos, strict=True)):
        word = form.lower()
        if tag.startswith("VB") and word not in _BE and not _is_auxiliary(word, pos, i):
            places.append(i)
    return places


def _is_auxiliary(word: str, pos: Sequence[str], i: int) -> bool:
    n = len(pos)
    k = i + 1
    while k < n and pos[k] in _BETWEEN:
        k += 1
    if word in _HAVE and k < n and pos[k] == "VBN":
        return True
    if word in _DO and k < n and pos[k] == "VB":
        return True
    return word in _TO_FOLLOWS and k + 1 < n and pos[k] == "TO" and pos[k + 1] == "VB"
