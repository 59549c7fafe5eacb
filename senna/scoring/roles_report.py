"""The figures of semantic roles in the layouts of srl-eval.pl: table, LaTeX, confusion matrix.

The confusion matrix sets arguments against each other by their spans alone, role against role. Its
first table scores spans without roles, V left out, and the label accuracy ("lAcc"): right roles
among right spans. Where no span but V's is right, that accuracy is undefined, and srl-eval.pl stops
there with a division by zero.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from senna.errors import SennaError
from senna.scoring.conlleval import Figures, rounded
from senna.scoring.roles import NONE, VERB, Confusion, RoleScores, figures, ordered

_RULE = "-" * 60 + "\n"
_WIDE_RULE = "-" * 68 + "\n"
_HEADING = f"{'':10}    corr.  excess  missed    prec.    rec.      F1"


@dataclass(frozen=True)
class Spans:
    """Counts of spans, their roles aside, and of the correct ones that also have the right role."""

    correct: int
    excess: int
    missed: int
    right_role: int

    @classmethod
    def of(cls, confusion: Confusion) -> Spans:
        """The spans of a confusion matrix; those with V in gold or prediction count for nothing."""
        correct = excess = missed = right_role = 0
        for (gold, predicted), count in confusion.items():
            if VERB in (gold, predicted):
                continue
            if gold == NONE:
                excess += count * (predicted != NONE)
            elif predicted == NONE:
                missed += count
            else:
                correct += count
                right_role += count * (gold == predicted)
        return cls(correct, excess, missed, right_role)

    @property
    def label_accuracy(self) -> float | None:
        """Right roles among the correct spans, in percent; None without any."""
        return 100 * self.right_role / self.correct if self.correct else None


def as_text(scores: RoleScores, *, latex: bool = False) -> str:
    """srl-eval's report, to the byte, with its confusion matrix where that was counted.

    The roles keep the bytes they had (surrogateescape). See `check_confusion`.
    """
    text = _latex(scores) if latex else _report(scores)
    return text if scores.confusion is None else text + _confusion(scores.confusion)


def check_confusion(scores: RoleScores) -> None:
    """Raise SennaError where srl-eval stops in the middle of its confusion matrix."""
    if scores.confusion is not None and Spans.of(scores.confusion).label_accuracy is None:
        raise SennaError(
            "no span of an argument is right: no label accuracy, no confusion matrix",
            mend="Score without --confusion.",
        )


def _report(scores: RoleScores) -> str:
    return "".join(
        (
            f"Number of Sentences    :      {scores.sentences:6}\n",
            f"Number of Propositions :      {scores.propositions:6}\n",
            f"Percentage of perfect props : {scores.percent_perfect:6.2f}\n",
            f"\n{_HEADING}\n",
            _RULE,
            _line("Overall", scores.counts(*scores.labels)) + "\n",
            "----------\n",
            *(_line(label, scores.counts(label)) + "\n" for label in scores.labels),
            _RULE,
            *(_line(label, scores.counts(label)) + "\n" for label in scores.verb_labels),
            _RULE,
        )
    )


def _line(label: str, counts: tuple[int, int, int]) -> str:
    found = figures(*counts)
    numbers = "  ".join(f"{count:6}" for count in counts)
    percentages = f"{found.precision:6.2f}  {found.recall:6.2f}  {found.f1:6.2f}"
    return f"{_padding(label, 10)}{label}   {numbers}   {percentages}"


def _latex(scores: RoleScores) -> str:
    def line(label: str, found: Figures) -> str:
        cells = rf"{found.precision:6.2f}\% & {found.recall:6.2f}\% & {found.f1:6.2f}\\"
        return f"{label}{_padding(label, 10)} & {cells}\n"

    rule = "\\hline\n"
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
            *(line(label, scores.of_role(label)) for label in scores.labels),
            rule,
            rule,
            *(line(label, scores.of_role(label)) for label in scores.verb_labels),
            rule,
            "\\end{tabular}\n",
            "\\end{table}\n",
        )
    )


def _confusion(confusion: Confusion) -> str:
    """The table of spans and the matrix; the table's heading alone where srl-eval stops."""
    text = f"{_WIDE_RULE}{_HEADING}    lAcc\n"
    spans = Spans.of(confusion)
    if spans.label_accuracy is None:
        return text
    line = _line("Unlabeled", (spans.correct, spans.excess, spans.missed))
    return f"{text}{line}  {spans.label_accuracy:6.2f}\n{_WIDE_RULE}\n{_matrix(confusion)}"


def _matrix(confusion: Confusion) -> str:
    """A row a gold role, a column a predicted role, numbered from -1: the first is NONE."""
    labels = ordered({NONE, *(label for pair in confusion for label in pair)})
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
    return " " * (width - len(label.encode("utf-8", "surrogateescape")))


def as_json(scores: RoleScores) -> str:
    """The same figures as one JSON object, percentages as printed, ended by a line feed."""
    return json.dumps(_entries(scores), indent=2, ensure_ascii=False) + "\n"


def _entries(scores: RoleScores) -> dict[str, object]:
    result: dict[str, object] = {
        "task": "srl",
        "sentences": scores.sentences,
        "propositions": scores.propositions,
        "perfect": scores.perfect,
        "percent_perfect": rounded(scores.percent_perfect),
        **_named(scores.counts(*scores.labels)),
        "types": {
            label: _named(scores.counts(label)) for label in (*scores.labels, *scores.verb_labels)
        },
    }
    if scores.confusion is not None:
        spans = Spans.of(scores.confusion)
        accuracy = spans.label_accuracy
        result["unlabelled"] = {
            **_named((spans.correct, spans.excess, spans.missed)),
            "label_accuracy": None if accuracy is None else rounded(accuracy),
        }
        result["confusion"] = [
            {"gold": _or_null(gold), "predicted": _or_null(predicted), "count": count}
            for (gold, predicted), count in sorted(scores.confusion.items())
        ]
    return result


def _named(counts: tuple[int, int, int]) -> dict[str, object]:
    correct, excess, missed = counts
    found = figures(*counts)
    return {
        "correct": correct,
        "excess": excess,
        "missed": missed,
        "precision": rounded(found.precision),
        "recall": rounded(found.recall),
        "f1": rounded(found.f1),
    }


def _or_null(label: str) -> str | None:
    return None if label == NONE else label
