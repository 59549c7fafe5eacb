"""Confusions: a table of gold by predicted types, and the commonest errors with their words.

Each gold phrase is set against the predicted phrase of the same bounds or, failing that, against
the one that overlaps it most, no predicted phrase being used twice; what is left over on either
side stands against no phrase, shown as ``O``. So the rows of the table add up to the gold phrases
and its columns to the found ones. A phrase of the right type with other bounds is an error too: it
is counted under ``bounds`` and not on the diagonal, which holds the correct phrases.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from senna.annotation.schemes import Phrase
from senna.scoring.conlleval import phrases_as_read
from senna.scoring.tagged import TaggedSentence

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
