"""Scores that forgive: the four measures of SemEval 2013, task 9, as nervaluate counts them.

Each predicted phrase takes a gold one that overlaps it and that none before has taken: one that is
right by the measure, or else the first. `strict` asks for its place and type, `exact` and `partial`
for its place, and `type` for its type, where the nearest is taken. What is taken without being
right is incorrect, or half right (`partial`); other predicted phrases are spurious, other gold ones
missed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass

from senna.annotation.schemes import Phrase
from senna.kinds.figures import Figures
from senna.scoring.conlleval import phrases_as_read
from senna.scoring.tagged import TaggedSentence

MEASURES: dict[str, Callable[[Phrase, Phrase], bool]] = {
    "strict": lambda gold, predicted: gold == predicted,
    "exact": lambda gold, predicted: gold[:2] == predicted[:2],
    "partial": lambda gold, predicted: gold[:2] == predicted[:2],
    "type": lambda gold, predicted: gold.label == predicted.label,
}


@dataclass
class Counts:
    """The phrases of one measure."""

    correct: int = 0
    incorrect: int = 0
    partial: int = 0
    missed: int = 0
    spurious: int = 0

    @property
    def figures(self) -> Figures:
        """Precision, recall and F1; a partial match is half a correct one."""
        taken = self.correct + self.incorrect + self.partial
        right = self.correct + 0.5 * self.partial
        return Figures.of(taken + self.missed, taken + self.spurious, right)


def score(sentences: Iterable[TaggedSentence]) -> dict[str, Counts]:
    """The counts of each measure; tags are read as conlleval reads them."""
    counts = {measure: Counts() for measure in MEASURES}
    for sentence in sentences:
        gold, predicted = map(phrases_as_read, (sentence.gold, sentence.predicted))
        for measure, own in counts.items():
            _count(gold, predicted, measure, own)
    return counts


def _count(
    gold: Sequence[Phrase], predicted: Sequence[Phrase], measure: str, counts: Counts
) -> None:
    """Add the phrases of a sentence."""
    free = list(gold)
    for phrase in predicted:
        near = [own for own in free if own.start < phrase.end and phrase.start < own.end]
        right = [own for own in near if MEASURES[measure](own, phrase)]
        counts.correct += bool(right)
        counts.partial += bool(near and not right and measure == "partial")
        counts.incorrect += bool(near and not right and measure != "partial")
        counts.spurious += not near
        if near:
            free.remove(min(right, key=lambda own: _distance(own, phrase)) if right else near[0])
    counts.missed += len(free)


def _distance(one: Phrase, other: Phrase) -> int:
    return abs(one.start - other.start) + abs(one.end - other.end)


def entries(counts: dict[str, Counts]) -> dict[str, dict[str, float]]:
    """The counts and figures for JSON."""
    return {measure: asdict(own) | own.figures.as_dict() for measure, own in counts.items()}


def table(counts: dict[str, Counts]) -> str:
    """The counts and figures as text."""
    rows = entries(counts)
    names = list(rows["strict"])
    lines = ["".join([" " * 8, *(f"{name:>11}" for name in names)])]
    for measure, row in rows.items():
        cells = (
            f"{row[name]:.2f}" if name in vars(Figures(0, 0, 0)) else row[name] for name in names
        )
        lines.append("".join([f"{measure:8}", *(f"{cell:>11}" for cell in cells)]))
    return "\n".join(lines) + "\n"
