"""Files of semantic roles: words and predicates, with one column of roles for each predicate.

A file of roles has one token per line, a blank line after each sentence. After those that have
a name come the columns of roles, as many as the sentence has predicates: the k-th belongs to the
k-th word with a predicate. They are brackets as in `senna.text.props`. Two forms are known by
themselves::

    1  Anna   NNP  S-NP  -        -  (A0*)        Anna   -     (A0*)
    2  wants  VBZ  S-VP  want.01  v  (V*)         wants  want  (V*)
    3  tea    NN   S-NP  -        -  (A1*)        tea    -     (A1*)

left index, word, part of speech, PT0, predicate, its kind; right (CoNLL-2005) word and predicate.
Others are described by the names of their columns, for example ``word,-,pos,predicate``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from senna.errors import SennaError
from senna.text import columns, props, schemes
from senna.text.props import Argument, BracketError, Proposition, PropsSentence
from senna.text.roles import NO_PREDICATE, VERB, Predicate, column_of, predicate_column
from senna.text.schemes import Phrase

FULL = ("-", "word", "pos", "pt0", "predicate", "kind")


SHORT = ("word", "predicate")


NAMES = ("word", "predicate", "pos", "pt0", "kind", "-")


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
