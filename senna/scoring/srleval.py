"""Precision, recall and F1 of semantic roles, with the figures and the layouts of srl-eval.pl.

srl-eval.pl is the scorer of the CoNLL-2004 and CoNLL-2005 shared tasks. Its rules:

Propositions are matched by the position of their verb and by the verb itself. All arguments of a
gold proposition that is not found so are missed; a predicted proposition that gold does not have
counts for nothing (`RoleScores.with_excess` counts it). An argument is correct when role, span and
the spans of all its pieces are those of a gold argument; a gold argument is found once at most, and
of two that span the same tokens only the later one counts. The verb's own argument ``V`` is left
out of "Overall" and of the perfect propositions, those without a missed or an excess argument. How
columns become arguments is explained in `senna.formats.props`.

The confusion matrix sets arguments against each other by their spans alone, role against role. Its
first table scores spans without roles, V left out, and the label accuracy ("lAcc"): right roles
among right spans. Where no span but V's is right, that accuracy is undefined, and srl-eval.pl stops
there with a division by zero.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import starmap
from typing import NamedTuple

from senna.annotation.predicates import VERB, Predicate
from senna.errors import SennaError
from senna.formats.props import Argument, Proposition, PropsSentence, Warn, propositions_of
from senna.kinds.scores import Figures, Scores, as_bytes, percent, rounded

NONE = "-NONE-"  # srl-eval's name for no argument, in a confusion matrix

# How often a gold role, or NONE, stands against a predicted role, or NONE, by spans alone.
LabelPairs = Counter[tuple[str, str]]


class RolePair(NamedTuple):
    """Gold and predicted propositions of a sentence."""

    gold: Sequence[Proposition]
    predicted: Sequence[Proposition]
    others: frozenset[int] = frozenset()  # gold predicates of kinds that are not scored


# --------------------------------------------------------------------------- counting


@dataclass(frozen=True)
class RoleScores(Scores):
    """Counts of arguments by role, of sentences, of gold propositions and the perfect ones.

    `predicates` are the words that are predicates: in gold, found, and in both. `excess` are the
    arguments of predicted propositions that gold does not have, first those of words that are no
    predicate at all, then those of predicates of kinds that are not scored; `predicted` is without
    them. `confusion` is there where it was asked for.
    """

    sentences: int
    propositions: int
    perfect: int
    predicates: tuple[int, int, int]
    excess: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    confusion: LabelPairs | None = None

    def with_excess(self, *, of_other_kinds: bool = True) -> RoleScores:
        """The same with arguments of excess predicates counted as found."""
        counter = sum(self.excess[: 1 + of_other_kinds], Counter[str]())
        confusion = self.confusion
        if confusion is not None:
            confusion = confusion + Counter({(NONE, label): n for label, n in counter.items()})
        return replace(self, predicted=self.predicted + counter, confusion=confusion)

    @property
    def percent_perfect(self) -> float:
        """Propositions without a missed or excess argument, in percent; 0 without any."""
        return percent(self.perfect, self.propositions)

    @property
    def labels(self) -> list[str]:
        """All roles but V, in the order of their bytes."""
        return [label for label in super().labels if label != VERB]

    @property
    def types(self) -> dict[str, Figures]:
        """The figures of each role, V last."""
        verbs = [VERB] * (VERB in super().labels)
        return {label: Figures.of(*self.counts(label)) for label in [*self.labels, *verbs]}

    @property
    def stop(self) -> str:
        if self.confusion is None or _spans(self.confusion)[2]:
            return ""
        return "no span of an argument is right: no label accuracy, no confusion matrix"

    def report(self, *, latex: bool = False) -> str:
        text = _latex(self) if latex else _report(self)
        return text if self.confusion is None else text + _confusion(self.confusion)

    def as_dict(self) -> dict[str, object]:
        result: dict[str, object] = {
            "sentences": self.sentences,
            "propositions": self.propositions,
            "perfect": self.perfect,
            "percent_perfect": rounded(self.percent_perfect),
            **_named(*self.counts(*self.labels)),
            "types": {label: _named(*self.counts(label)) for label in self.types},
        }
        if self.confusion is not None:
            *counts, right = _spans(self.confusion)
            accuracy = rounded(100 * right / counts[2]) if counts[2] else None
            result["unlabelled"] = {**_named(*counts), "label_accuracy": accuracy}
            null = {NONE: None}
            result["confusion"] = [
                {
                    "gold": null.get(gold, gold),
                    "predicted": null.get(predicted, predicted),
                    "count": count,
                }
                for (gold, predicted), count in sorted(self.confusion.items())
            ]
        return result


def score(
    pairs: Iterable[RolePair], *, warn: Warn | None = None, with_confusion: bool = False
) -> RoleScores:
    """Score predicted propositions against gold ones, sentence by sentence, in one pass.

    `warn` gets, in srl-eval's words, the propositions that do not match.
    """
    gold, predicted, correct = Counter[str](), Counter[str](), Counter[str]()
    confusion: LabelPairs | None = Counter() if with_confusion else None
    warn = warn or (lambda message: None)
    sentences = propositions = perfect = 0
    places, excess = [0, 0, 0], (Counter[str](), Counter[str]())
    for pair in pairs:
        ones, others = ({prop.position: prop for prop in side} for side in pair[:2])
        for place in others.keys() - ones.keys():
            of_word = others[place].arguments or ()
            excess[place in pair.others].update(argument.label for argument in of_word)
        for i, side in enumerate((ones, others, ones.keys() & others)):
            places[i] += len(side)
        for one, arguments in _matched(ones, others, sentences, warn):
            right, wrong, missed = compare(one.arguments or (), arguments)
            correct.update(argument.label for argument, _ in right)
            predicted.update(argument.label for argument in arguments)
            gold.update(argument.label for argument in (*(one for one, _ in right), *missed))
            perfect += all(argument.label == VERB for argument in (*wrong, *missed))
            propositions += 1
            if confusion is not None:
                same, wrong, missed = compare(one.arguments or (), arguments, labelled=False)
                confusion.update((argument.label, other.label) for argument, other in same)
                confusion.update((NONE, argument.label) for argument in wrong)
                confusion.update((argument.label, NONE) for argument in missed)
        sentences += 1
    predicates = places[0], places[1], places[2]
    counts = sentences, propositions, perfect, predicates
    return RoleScores(gold, predicted, correct, *counts, excess, confusion)


def f1(gold: Iterable[Sequence[Predicate]], predicted: Iterable[Sequence[Predicate]]) -> float:
    """F1 of the arguments of some sentences."""
    pairs = zip(map(propositions_of, gold), map(propositions_of, predicted), strict=True)
    return score(starmap(RolePair, pairs)).overall.f1


def _matched(
    gold: Mapping[int, Proposition], predicted: Mapping[int, Proposition], number: int, warn: Warn
) -> Iterator[tuple[Proposition, Sequence[Argument]]]:
    """Each gold proposition with the arguments predicted for it."""
    last = max(gold, default=-1)
    for position in sorted({*gold, *(place for place in predicted if place < last)}):
        one, other = gold.get(position), predicted.get(position)
        place = f"at position {position}"
        if other is None:
            assert one is not None
            fault = f"verb {one.verb} {place} : missing predicted prop! Counting all arguments"
            fault += " as missed!"
        elif one is None:
            fault = f"verb {other.verb} {place} : found predicted prop without its gold reference!"
            fault += " Skipping prop!"
        elif one.verb != other.verb:
            fault = (
                f"props do not match : expecting {one.verb} {place}, found {other.verb} {place}!"
            )
            fault += " Counting all gold arguments as missed!"
        else:
            fault = ""
        if fault:
            warn(f"WARNING : sentence {number} : {fault}")
        if one is not None:
            yield one, () if fault or other is None else other.arguments or ()


def compare(
    gold: Iterable[Argument], predicted: Iterable[Argument], *, labelled: bool = True
) -> tuple[list[tuple[Argument, Argument]], list[Argument], list[Argument]]:
    """Set a proposition's predicted arguments against its gold ones; roles count if `labelled`.

    Returns pairs of those that agree, what is predicted in excess, and what is missed of gold.
    """
    left = {argument.span: argument for argument in gold}
    correct, excess = [], []
    for argument in predicted:
        other = left.get(argument.span)
        if (
            other is not None
            and (not labelled or other.label == argument.label)
            and _same_pieces(other, argument)
        ):
            correct.append((other, argument))
            del left[argument.span]
        else:
            excess.append(argument)
    return correct, excess, list(left.values())


def _same_pieces(gold: Argument, predicted: Argument) -> bool:
    if not gold.pieces and not predicted.pieces:
        return True
    # A piece can be there twice where arguments nest: srl-eval takes each gold one only once.
    spans = {piece.span for piece in gold.pieces}
    return len(predicted.pieces) == len(spans) and spans == {p.span for p in predicted.pieces}


# --------------------------------------------------------------------------- two files


def pairs_of(
    gold: Iterable[PropsSentence], predicted: Iterable[PropsSentence], warn: Warn
) -> Iterator[RolePair]:
    """The propositions of two files of props, sentence by sentence; gold says where they end.

    `warn` gets propositions without a column, and of predicted sentences that are left over. Raises
    SennaError, with the line, for brackets that do not match and for sentences of different length.
    """
    others = iter(predicted)
    for number, sentence in enumerate(gold):
        other = next(others, None)
        golden = _propositions(sentence, number, warn)
        place = f"{sentence.name}:{sentence.line}"
        remedy = "Gold and predicted sentences must be the same, token by token."
        if other is None:
            raise SennaError("no predicted sentence for this one", where=place, remedy=remedy)
        n, m = len(sentence.rows), len(other.rows)
        if n != m:
            what = f"a sentence of {m} tokens, in gold ({place}) of {n}"
            raise SennaError(what, where=f"{other.name}:{other.line}", remedy=remedy)
        yield RolePair(golden, _propositions(other, number, warn))
    rest = next(others, None)
    if rest is not None:
        warn(f"{rest.name}:{rest.line}: not looked at from here on: gold has ended")


def _propositions(sentence: PropsSentence, number: int, warn: Warn) -> list[Proposition]:
    propositions = sentence.propositions()
    for verb, _, arguments in propositions:
        if arguments is None:
            warn(f"WARNING : sentence {number} : can't find column of args for prop {verb}!")
    return propositions


# --------------------------------------------------------------------------- printing

_RULE = "-" * 60 + "\n"
_WIDE_RULE = "-" * 68 + "\n"
_HEADING = f"{'':10}    corr.  excess  missed    prec.    rec.      F1"


def _report(scores: RoleScores) -> str:
    return "".join(
        (
            f"Number of Sentences    :      {scores.sentences:6}\n",
            f"Number of Propositions :      {scores.propositions:6}\n",
            f"Percentage of perfect props : {scores.percent_perfect:6.2f}\n",
            f"\n{_HEADING}\n",
            _RULE,
            _line("Overall", *scores.counts(*scores.labels)) + "\n",
            "----------\n",
            *(_line(label, *scores.counts(label)) + "\n" for label in scores.labels),
            _RULE,
            *(_line(VERB, *scores.counts(VERB)) + "\n" for label in scores.types if label == VERB),
            _RULE,
        )
    )


def _line(label: str, gold: int, predicted: int, correct: int) -> str:
    figures = Figures.of(gold, predicted, correct)
    numbers = f"{correct:6}  {predicted - correct:6}  {gold - correct:6}"
    percentages = f"{figures.precision:6.2f}  {figures.recall:6.2f}  {figures.f1:6.2f}"
    return f"{_padding(label, 10)}{label}   {numbers}   {percentages}"


def _latex(scores: RoleScores) -> str:
    def line(label: str, figures: Figures) -> str:
        cells = rf"{figures.precision:6.2f}\% & {figures.recall:6.2f}\% & {figures.f1:6.2f}\\"
        return f"{label}{_padding(label, 10)} & {cells}\n"

    rule, types = "\\hline\n", scores.types
    return "".join(
        (
            "\\begin{table}[t]\n",
            "\\centering\n",
            "\\begin{tabular}{|l|r|r|r|}\\cline{2-4}\n",
            "\\multicolumn{1}{l|}{}\n",
            "           & Precision & Recall & F$_{\\beta=1}$\\\\\n",
            rule,
            line("Overall", scores.overall),
            rule,
            *(line(label, types[label]) for label in scores.labels),
            rule,
            rule,
            *(line(label, types[label]) for label in types if label == VERB),
            rule,
            "\\end{tabular}\n",
            "\\end{table}\n",
        )
    )


def _spans(confusion: LabelPairs) -> tuple[int, int, int, int]:
    """Gold, found and correct spans, V left out, and the correct ones that have the right role."""
    pairs = [(one, other, n) for (one, other), n in confusion.items() if VERB not in (one, other)]
    return (
        sum(n for gold, _, n in pairs if gold != NONE),
        sum(n for _, predicted, n in pairs if predicted != NONE),
        sum(n for gold, predicted, n in pairs if NONE not in (gold, predicted)),
        sum(n for gold, predicted, n in pairs if gold == predicted != NONE),
    )


def _confusion(confusion: LabelPairs) -> str:
    """The table of spans and the matrix; the table's heading alone where srl-eval stops."""
    text = f"{_WIDE_RULE}{_HEADING}    lAcc\n"
    *counts, right = _spans(confusion)
    if not counts[2]:
        return text
    line = f"{_line('Unlabeled', *counts)}  {100 * right / counts[2]:6.2f}\n"
    return f"{text}{line}{_WIDE_RULE}\n{_matrix(confusion)}"


def _matrix(confusion: LabelPairs) -> str:
    """A row a gold role, a column a predicted role, numbered from -1: the first is NONE."""
    labels = sorted({NONE, *(label for pair in confusion for label in pair)}, key=as_bytes)
    lines = [
        "---- Confusion Matrix: "
        "(one row for each correct role, with the distribution of predictions)",
        " " * 13 + "".join(f"{number:4} " for number in range(-1, len(labels) - 1)),
    ]
    for number, gold in enumerate(labels, start=-1):
        cells = "".join(f"{confusion[gold, label]:4} " for label in labels)
        lines.append(f"{number:2}: {gold}{_padding(gold, 8)} {cells}")
    return "\n".join(lines) + "\n"


def _padding(label: str, width: int) -> str:
    """Blanks up to a number of bytes."""
    return " " * (width - len(as_bytes(label)))


def _named(gold: int, predicted: int, correct: int) -> dict[str, object]:
    counts = {"correct": correct, "excess": predicted - correct, "missed": gold - correct}
    return {**counts, **Figures.of(gold, predicted, correct).as_dict()}
