"""Confusions: a table of gold by predicted types, and the commonest errors with their words.

Each gold phrase is set against the predicted phrase of the same bounds or, failing that, against
the one that overlaps it most, no predicted phrase being used twice; what is left over on either
side stands against no phrase, shown as ``O``. So the rows of the table add up to the gold phrases
and its columns to the found ones. A phrase of the right type with other bounds is an error too: it
is counted under ``bounds`` and not on the diagonal, which holds the correct phrases.

Relaxed scores are the four measures of SemEval 2013, task 9, as nervaluate counts them. Each
predicted phrase takes a gold one that overlaps it and that none before has taken: one that is right
by the measure, or else the first. `strict` asks for its place and type, `exact` and `partial` for
its place, and `type` for its type, where the nearest is taken. What is taken without being right is
incorrect, or half right (`partial`); other predicted phrases are spurious, other gold ones missed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

from senna.annotation.schemes import Phrase
from senna.kinds.scores import Figures
from senna.scoring.conlleval import TaggedSentence, phrases_as_read

_NONE = "O"  # how no phrase is shown
_BOUNDS = "bounds"


class PhrasePair(NamedTuple):
    """A gold phrase and the predicted one that stands for it; None is no phrase, on one side."""

    gold: Phrase | None
    predicted: Phrase | None


class Kind(NamedTuple):
    """A cell of the table: the two types, None for no phrase, and whether the bounds agree."""

    gold: str | None
    predicted: str | None
    same_bounds: bool


class Error(NamedTuple):
    """Phrases as their words and types, the type None where the words are no phrase."""

    gold_text: str
    gold: str | None
    predicted_text: str
    predicted: str | None


class Confusion(NamedTuple):
    """How often each kind of pair and each error occurs."""

    kinds: Counter[Kind]
    errors: Counter[Error]


PhrasePairs = Callable[[TaggedSentence], Iterator[PhrasePair]]


def confusion(sentences: Iterable[TaggedSentence], pairs: PhrasePairs | None = None) -> Confusion:
    """Count the pairs of all sentences: by `phrase_pairs` if nothing else is given."""
    pairs = pairs or phrase_pairs
    kinds: Counter[Kind] = Counter()
    errors: Counter[Error] = Counter()
    for sentence in sentences:
        for gold, predicted in pairs(sentence):
            label, other = gold and gold.label, predicted and predicted.label
            same_bounds = gold is not None and predicted is not None and gold[:2] == predicted[:2]
            kinds[Kind(label, other, same_bounds)] += 1
            if label != other or not same_bounds:
                places = [gold or predicted, predicted or gold]
                text, other_text = (" ".join(sentence.words[p.start : p.end]) for p in places if p)
                errors[Error(text, label, other_text, other)] += 1
    return Confusion(kinds, errors)


def phrase_pairs(sentence: TaggedSentence) -> Iterator[PhrasePair]:
    """The pairs of a sentence's phrases, as conlleval reads them; IOBES must be IOB2 by then."""
    gold = phrases_as_read(sentence.gold)
    predicted = phrases_as_read(sentence.predicted)
    used: set[int] = set()
    first = 0  # the predicted phrases before it end before the gold phrase begins
    for phrase in gold:
        while first < len(predicted) and predicted[first].end <= phrase.start:
            first += 1
        best, most = -1, 0
        other = first
        while other < len(predicted) and predicted[other].start < phrase.end:
            common = min(phrase.end, predicted[other].end) - max(
                phrase.start, predicted[other].start
            )
            if common > most and other not in used:
                best, most = other, common
            other += 1
        if best >= 0:
            used.add(best)
        yield PhrasePair(phrase, predicted[best] if best >= 0 else None)
    for index, phrase in enumerate(predicted):
        if index not in used:
            yield PhrasePair(None, phrase)


def tag_pairs(sentence: TaggedSentence) -> Iterator[PhrasePair]:
    """The pairs of a sentence's tags, each token being a phrase: for part-of-speech tags."""
    tags = zip(sentence.gold, sentence.predicted, strict=True)
    for position, (gold, predicted) in enumerate(tags):
        bounds = position, position + 1
        yield PhrasePair(Phrase(*bounds, gold), Phrase(*bounds, predicted))


def table(counts: Confusion) -> str:
    """The table as text: one row per gold type, one column per predicted type, ``O`` for none."""
    cells: Counter[tuple[str, str]] = Counter()
    for kind, count in counts.kinds.items():
        gold, predicted = _shown(kind.gold), _shown(kind.predicted)
        other_bounds = gold == predicted and not kind.same_bounds
        cells[gold, _BOUNDS if other_bounds else predicted] += count
    rows = _ordered({gold for gold, _ in cells})
    columns = _ordered({predicted for _, predicted in cells})
    shown = [[row, *(str(cells[row, column] or ".") for column in columns)] for row in rows]
    shown.insert(0, ["gold", *columns])
    width, *widths = (max(map(len, column)) for column in zip(*shown, strict=True))
    lines = []
    for row, *numbers in shown:
        line = "".join(number.rjust(w + 2) for number, w in zip(numbers, widths, strict=True))
        lines.append(f"{row:<{width}}{line}\n")
    return "".join(lines)


def commonest(counts: Confusion, n: int) -> list[tuple[Error, int]]:
    """The `n` commonest errors, the more frequent first, then by their text."""

    def order(item: tuple[Error, int]) -> tuple[int, list[str]]:
        return -item[1], [part or "" for part in item[0]]

    return sorted(counts.errors.items(), key=order)[:n]


def error_list(counts: Confusion, n: int) -> str:
    """The `n` commonest errors as lines: how often, the gold phrase, the predicted one."""
    return "".join(
        f"{count:7}  {error.gold_text}/{_shown(error.gold)}"
        f" -> {error.predicted_text}/{_shown(error.predicted)}\n"
        for error, count in commonest(counts, n)
    )


def table_entries(counts: Confusion) -> list[dict[str, object]]:
    """The table for JSON: one entry per cell; null is no phrase."""
    kinds = sorted(counts.kinds.items(), key=lambda item: [str(part) for part in item[0]])
    return [{**kind._asdict(), "count": count} for kind, count in kinds]


def error_entries(counts: Confusion, n: int) -> list[dict[str, object]]:
    """The `n` commonest errors for JSON."""
    return [{**error._asdict(), "count": count} for error, count in commonest(counts, n)]


def _shown(label: str | None) -> str:
    return _NONE if label is None else label


def _ordered(names: set[str]) -> list[str]:
    """Types by their letters, then O and bounds."""
    last = [name for name in (_NONE, _BOUNDS) if name in names]
    return sorted(names.difference(last)) + last


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


def relaxed_scores(sentences: Iterable[TaggedSentence]) -> dict[str, Counts]:
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


def relaxed_entries(counts: dict[str, Counts]) -> dict[str, dict[str, float]]:
    """The counts and figures for JSON."""
    return {measure: asdict(own) | own.figures.as_dict() for measure, own in counts.items()}


def relaxed_table(counts: dict[str, Counts]) -> str:
    """The counts and figures as text."""
    rows = relaxed_entries(counts)
    names = list(rows["strict"])
    lines = ["".join([" " * 8, *(f"{name:>11}" for name in names)])]
    for measure, row in rows.items():
        cells = (
            f"{row[name]:.2f}" if name in vars(Figures(0, 0, 0)) else row[name] for name in names
        )
        lines.append("".join([f"{measure:8}", *(f"{cell:>11}" for cell in cells)]))
    return "\n".join(lines) + "\n"
