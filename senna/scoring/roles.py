"""Precision, recall and F1 of semantic roles, as srl-eval.pl counts them.

srl-eval.pl is the scorer of the CoNLL-2004 and CoNLL-2005 shared tasks. Its rules:

Propositions are matched by the position of their verb and by the verb itself. All arguments of a
gold proposition that is not found so are missed; a predicted proposition that gold does not have
counts for nothing. An argument is correct when role, span and the spans of all its pieces are those
of a gold argument; a gold argument is found once at most, and of two that span the same tokens only
the later one counts. The verb's own argument ``V`` is left out of "Overall" and of the perfect
propositions, those without a missed or an excess argument. How columns become arguments is told in
`senna.text.props`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from senna.errors import SennaError
from senna.scoring.conlleval import Figures
from senna.text.props import Argument, Proposition, PropsSentence, Warn

VERB = "V"
NONE = "-NONE-"  # srl-eval's name for no argument, in a confusion matrix

# How often a gold role, or NONE, stands against a predicted role, or NONE, by spans alone.
Confusion = Counter[tuple[str, str]]


class Comparison(NamedTuple):
    """Arguments of a proposition: pairs of gold and predicted that agree, and what is left over."""

    correct: list[tuple[Argument, Argument]]
    excess: list[Argument]
    missed: list[Argument]


@dataclass(frozen=True)
class RoleScores:
    """Counts of sentences, of gold propositions and the perfect ones, and of arguments by role.

    `confusion` is there where it was asked for.
    """

    sentences: int
    propositions: int
    perfect: int
    correct: Mapping[str, int]
    excess: Mapping[str, int]
    missed: Mapping[str, int]
    confusion: Confusion | None = None

    @property
    def percent_perfect(self) -> float:
        """Propositions without a missed or excess argument, in percent; 0 without any."""
        return 100 * self.perfect / self.propositions if self.propositions else 0.0

    @property
    def labels(self) -> list[str]:
        """All roles but V, in the order of their bytes."""
        return ordered(self._all_labels - {VERB})

    @property
    def verb_labels(self) -> list[str]:
        """V, or nothing where no V was seen."""
        return sorted(self._all_labels & {VERB})

    @property
    def _all_labels(self) -> set[str]:
        return {*self.correct, *self.excess, *self.missed}

    def counts(self, *labels: str) -> tuple[int, int, int]:
        """Correct, excess and missed arguments of some roles."""
        sides = (self.correct, self.excess, self.missed)
        correct, excess, missed = (sum(side.get(x, 0) for x in labels) for side in sides)
        return correct, excess, missed

    @property
    def overall(self) -> Figures:
        """The figures of all roles but V together."""
        return figures(*self.counts(*self.labels))

    def of_role(self, label: str) -> Figures:
        """The figures of one role."""
        return figures(*self.counts(label))


def figures(correct: int, excess: int, missed: int) -> Figures:
    """Precision, recall and F1 for so many arguments."""
    return Figures.of(correct + missed, correct + excess, correct)


@dataclass
class _Tally:
    """The counts of the propositions so far."""

    propositions: int = 0
    perfect: int = 0
    correct: Counter[str] = field(default_factory=Counter)
    excess: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    confusion: Confusion | None = None

    def add(self, gold: Sequence[Argument], predicted: Sequence[Argument]) -> None:
        """Count a proposition's arguments."""
        compared = compare(gold, predicted)
        self.propositions += 1
        self.correct.update(argument.label for argument, _ in compared.correct)
        self.excess.update(argument.label for argument in compared.excess)
        self.missed.update(argument.label for argument in compared.missed)
        wrong = (*compared.excess, *compared.missed)
        self.perfect += all(argument.label == VERB for argument in wrong)
        if self.confusion is not None:
            spans = compare(gold, predicted, labelled=False)
            self.confusion.update((one.label, other.label) for one, other in spans.correct)
            self.confusion.update((NONE, argument.label) for argument in spans.excess)
            self.confusion.update((argument.label, NONE) for argument in spans.missed)


def score(
    gold: Iterable[PropsSentence],
    predicted: Iterable[PropsSentence],
    *,
    warn: Warn | None = None,
    with_confusion: bool = False,
) -> RoleScores:
    """Score predicted propositions against gold ones, sentence by sentence, in one pass.

    Gold says where the run ends. `warn` is told, in srl-eval's words, of propositions that do not
    match, and of predicted sentences that are left over. Raises SennaError, with the line, for
    brackets that do not match and for sentences of different length.
    """
    warn = warn or _ignore
    tally = _Tally(confusion=Counter() if with_confusion else None)
    others = iter(predicted)
    sentences = 0
    for sentence in gold:
        other = next(others, None)
        golden = _propositions(sentence, sentences, warn)
        _check_length(sentence, other)
        assert other is not None
        found = _propositions(other, sentences, warn)
        for one, arguments in _matched(golden, found, sentences, warn):
            tally.add(one.arguments or (), arguments)
        sentences += 1
    rest = next(others, None)
    if rest is not None:
        warn(f"{rest.name}:{rest.line}: not looked at from here on: gold has ended")
    return RoleScores(sentences, **vars(tally))


def _ignore(message: str) -> None:
    """Warn nobody."""


def _check_length(gold: PropsSentence, predicted: PropsSentence | None) -> None:
    place = f"{gold.name}:{gold.line}"
    mend = "Gold and predicted sentences must be the same, token by token."
    if predicted is None:
        raise SennaError("no predicted sentence for this one", where=place, mend=mend)
    if len(predicted.rows) != len(gold.rows):
        raise SennaError(
            f"a sentence of {len(predicted.rows)} tokens, in gold ({place}) of {len(gold.rows)}",
            where=f"{predicted.name}:{predicted.line}",
            mend=mend,
        )


def _propositions(sentence: PropsSentence, number: int, warn: Warn) -> dict[int, Proposition]:
    """The propositions by position."""
    found = {proposition.position: proposition for proposition in sentence.propositions()}
    for verb, _, arguments in found.values():
        if arguments is None:
            warn(f"WARNING : sentence {number} : can't find column of args for prop {verb}!")
    return found


def _matched(
    gold: Mapping[int, Proposition], predicted: Mapping[int, Proposition], number: int, warn: Warn
) -> Iterator[tuple[Proposition, Sequence[Argument]]]:
    """Each gold proposition with the arguments predicted for it."""
    last = max(gold, default=-1)
    for position in sorted({*gold, *(place for place in predicted if place < last)}):
        one, other = gold.get(position), predicted.get(position)
        start = f"WARNING : sentence {number} : "
        if one is None:
            assert other is not None
            place = f"verb {other.verb} at position {position} : "
            message = "found predicted prop without its gold reference! Skipping prop!"
            warn(start + place + message)
        elif other is None:
            place = f"verb {one.verb} at position {position} : "
            warn(start + place + "missing predicted prop! Counting all arguments as missed!")
            yield one, ()
        elif one.verb != other.verb:
            message = (
                f"props do not match : expecting {one.verb} at position {position}, "
                f"found {other.verb} at position {position}! "
                "Counting all gold arguments as missed!"
            )
            warn(start + message)
            yield one, ()
        else:
            yield one, other.arguments or ()


def compare(
    gold: Iterable[Argument], predicted: Iterable[Argument], *, labelled: bool = True
) -> Comparison:
    """Set a proposition's predicted arguments against its gold ones; roles count if `labelled`."""
    left = {argument.span: argument for argument in gold}
    compared = Comparison([], [], [])
    for argument in predicted:
        other = left.get(argument.span)
        if (
            other is not None
            and (not labelled or other.label == argument.label)
            and _same_pieces(other, argument)
        ):
            compared.correct.append((other, argument))
            del left[argument.span]
        else:
            compared.excess.append(argument)
    compared.missed.extend(left.values())
    return compared


def _same_pieces(gold: Argument, predicted: Argument) -> bool:
    if not gold.pieces and not predicted.pieces:
        return True
    # A piece can be there twice where arguments nest: srl-eval takes each gold one only once.
    spans = {piece.span for piece in gold.pieces}
    return len(predicted.pieces) == len(spans) and spans == {p.span for p in predicted.pieces}


def ordered(labels: Iterable[str]) -> list[str]:
    """Roles in the order of their bytes."""
    return sorted(labels, key=lambda label: label.encode("utf-8", "surrogateescape"))
