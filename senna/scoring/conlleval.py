"""Precision, recall and F1 of phrases, with the figures and the layout of conlleval.

conlleval is the scorer of the CoNLL-2000 and CoNLL-2003 shared tasks. Its rules:

A tag is a prefix and a type, split at the first hyphen; without one it is a prefix of empty type,
and the type ``0`` is empty too. A phrase begins at, and ends before, a token by the two tables
below, and wherever the type changes. Prefixes that the tables lack go on with the phrase of their
type. So IOB1, IOB2, IOE1 and IOE2 are read without being told which, but IOBES is not: a B or S
after E or S of one type begins nothing. A phrase is correct when it begins and ends in both columns
at once, with one type; a token when prefix and type agree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from senna.errors import SennaError
from senna.scoring.tagged import TaggedSentence
from senna.text.schemes import Phrase, phrases_of

# Prefixes of two tokens in a row between which a phrase ends, and those where one begins.
_ENDS = {"BB", "BO", "IB", "IO", "EE", "EI", "EO"}
_BEGINS = {"BB", "IB", "OB", "OI", "EE", "EI", "OE"}
_SINGLE = ("[", "]")  # prefixes of phrases of one token
_OUTSIDE = ("O", ".")  # prefixes whose types count for nothing


class Tag(NamedTuple):
    """A tag's prefix and type."""

    prefix: str
    label: str


class _Step(NamedTuple):
    """What happens in one column between two tokens."""

    ends: bool
    begins: bool


@dataclass(frozen=True)
class Figures:
    """Precision, recall and their harmonic mean, in percent; 0 where undefined."""

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, gold: int, found: int, correct: int) -> Figures:
        """The figures for so many gold phrases, found phrases, and phrases in both."""
        # In conlleval's order of operations: the last digit printed depends on it.
        precision = 100 * correct / found if found else 0.0
        recall = 100 * correct / gold if gold else 0.0
        total = precision + recall
        return cls(precision, recall, 2 * precision * recall / total if total else 0.0)


@dataclass(frozen=True)
class Scores:
    """Counts of tokens, and of phrases by their type: in gold, found (predicted), and in both."""

    tokens: int
    correct_tokens: int
    gold: Mapping[str, int]
    found: Mapping[str, int]
    correct: Mapping[str, int]

    @property
    def accuracy(self) -> float:
        """Tokens with the right tag, in percent; 0 without tokens."""
        return 100 * self.correct_tokens / self.tokens if self.tokens else 0.0

    @property
    def overall(self) -> Figures:
        """The figures of all types together."""
        counts = (sum(side.values()) for side in (self.gold, self.found, self.correct))
        return Figures.of(*counts)

    @property
    def labels(self) -> list[str]:
        """All types, in the order of their bytes."""
        return sorted({*self.gold, *self.found}, key=_bytes)

    def of_type(self, label: str) -> Figures:
        """The figures of one type."""
        counts = (side.get(label, 0) for side in (self.gold, self.found, self.correct))
        return Figures.of(*counts)


def score(sentences: Iterable[TaggedSentence]) -> Scores:
    """Score sentences by conlleval's reading of their tags, in one pass.

    Bring IOBES columns to IOB2 first: see `bring_to_iob2`.
    """
    tags, steps = _Tags(), _Steps()
    outside = Tag("O", "")
    gold, found = outside, outside
    totals: tuple[Counter[str], Counter[str], Counter[str]] = (Counter(), Counter(), Counter())
    in_gold, in_found, in_both = totals
    tokens = correct_tokens = 0
    matching = False  # the open phrases of both columns began together and agree so far
    for pair in _pairs(sentences):
        last_gold, last_found = gold, found
        if pair is None:
            gold = found = outside
        else:
            gold, found = tags[pair[0]], tags[pair[1]]
            tokens += 1
            correct_tokens += gold == found
        gold_ends, gold_begins = steps[last_gold, gold]
        found_ends, found_begins = steps[last_found, found]
        if matching:
            if gold_ends and found_ends and last_gold.label == last_found.label:
                in_both[last_gold.label] += 1
                matching = False
            elif gold_ends != found_ends or gold.label != found.label:
                matching = False
        if gold_begins:
            in_gold[gold.label] += 1
            if found_begins and gold.label == found.label:
                matching = True
        if found_begins:
            in_found[found.label] += 1
    if matching:
        in_both[gold.label] += 1
    return Scores(tokens, correct_tokens, *totals)


def _pairs(sentences: Iterable[TaggedSentence]) -> Iterator[tuple[str, str] | None]:
    """Gold and predicted tag of each token, and None at sentence boundaries."""
    for sentence in sentences:
        yield from zip(sentence.gold, sentence.predicted, strict=True)
        if sentence.closed:  # no boundary at the end of a file: odd prefixes tell the difference
            yield None


class _Tags(dict[str, Tag]):
    """Tags taken apart, each once."""

    def __missing__(self, text: str) -> Tag:
        prefix, hyphen, label = text.partition("-")
        tag = Tag(prefix, "" if label == "0" else label) if hyphen else Tag(text, "")
        self[text] = tag
        return tag


class _Steps(dict[tuple[Tag, Tag], _Step]):
    """What happens between two tags in a row, worked out once a pair."""

    def __missing__(self, pair: tuple[Tag, Tag]) -> _Step:
        last, tag = pair
        prefixes = last.prefix + tag.prefix if len(last.prefix) == len(tag.prefix) == 1 else ""
        other_type = last.label != tag.label
        step = _Step(
            ends=prefixes in _ENDS
            or (other_type and last.prefix not in _OUTSIDE)
            or last.prefix in _SINGLE,
            begins=prefixes in _BEGINS
            or (other_type and tag.prefix not in _OUTSIDE)
            or tag.prefix in _SINGLE,
        )
        self[pair] = step
        return step


def phrases_as_read(tags: Sequence[str]) -> list[Phrase]:
    """The phrases that conlleval reads from one sentence's tags, from left to right."""
    known, steps = _Tags(), _Steps()
    phrases: list[Phrase] = []
    last = Tag("O", "")
    start = -1  # of the open phrase; -1: none is open
    for position, tag in enumerate(map(known.__getitem__, tags)):
        ends, begins = steps[last, tag]
        if start >= 0 and (ends or begins):
            phrases.append(Phrase(start, position, last.label))
            start = -1
        if begins:
            start = position
        last = tag
    if start >= 0:
        phrases.append(Phrase(start, len(tags), last.label))
    return phrases


# IOBES, which conlleval misreads.


def iobes_columns(sentences: Iterable[TaggedSentence]) -> tuple[str, ...]:
    """Which of the columns ("gold", "predicted") are in IOBES: with an S-, or E- beside B-."""
    gold: set[str] = set()
    predicted: set[str] = set()
    for sentence in sentences:
        gold.update(sentence.gold)
        predicted.update(sentence.predicted)
    columns = {"gold": gold, "predicted": predicted}
    return tuple(name for name, tags in columns.items() if _is_iobes(tags))


def _is_iobes(tags: set[str]) -> bool:
    prefixes = {tag[:2] for tag in tags if len(tag) > 2}
    return "S-" in prefixes or {"B-", "E-"} <= prefixes


def bring_to_iob2(
    sentences: Iterable[TaggedSentence], iobes: Sequence[str]
) -> Iterator[TaggedSentence]:
    """The same phrases with all tags in IOB2, so that accuracy compares like with like.

    The columns named in `iobes` are read as IOBES (see senna.text.schemes), the others as conlleval
    reads them. Raises SennaError for a tag that IOBES does not have.
    """
    for sentence in sentences:
        gold, predicted = (
            _iobes_phrases(sentence, tags) if name in iobes else phrases_as_read(tags)
            for name, tags in (("gold", sentence.gold), ("predicted", sentence.predicted))
        )
        n = len(sentence.gold)
        yield sentence._replace(gold=_iob2(gold, n), predicted=_iob2(predicted, n))


def _iobes_phrases(sentence: TaggedSentence, tags: Sequence[str]) -> list[Phrase]:
    try:
        return phrases_of(tags, "iobes")
    except SennaError:
        for position, tag in enumerate(tags):
            if tag != "O" and (tag[:2] not in ("B-", "I-", "E-", "S-") or len(tag) < 3):
                raise SennaError(
                    f'tag "{tag}" in a column of IOBES tags: mixed schemes',
                    where=f"{sentence.name}:{sentence.line + position}",
                    mend="Bring the column to one scheme; --as-is reads it as conlleval does.",
                ) from None
        raise


def _iob2(phrases: Iterable[Phrase], n: int) -> list[str]:
    tags = ["O"] * n  # not schemes.tags_of: it refuses the empty type, which conlleval counts
    for start, end, label in phrases:
        tags[start:end] = [f"I-{label}"] * (end - start)
        tags[start] = f"B-{label}"
    return tags


# Printing.


def report(scores: Scores) -> str:
    """conlleval's report. The types keep the bytes they had (surrogateescape)."""
    gold, found, correct = (sum(x.values()) for x in (scores.gold, scores.found, scores.correct))
    lines = [
        f"processed {scores.tokens} tokens with {gold} phrases; "
        f"found: {found} phrases; correct: {correct}.\n"
    ]
    if scores.tokens:
        lines.append(f"accuracy: {scores.accuracy:6.2f}%; {_text(scores.overall)}\n")
    for label in _printed_labels(scores):
        figures = _text(scores.of_type(label))
        padding = " " * (17 - len(_bytes(label)))
        lines.append(f"{padding}{label}: {figures}  {scores.found.get(label, 0)}\n")
    return "".join(lines)


def latex(scores: Scores) -> str:
    """conlleval's LaTeX table; its heading lacks a closing dollar sign, as conlleval's does."""
    rows = [r"        & Precision &  Recall  & F$_{\beta=1} \\\hline"]
    for label in _printed_labels(scores):
        padding = " " * (7 - len(_bytes(label)))
        rows.append(f"\n{label}{padding} & {_cells(scores.of_type(label))}")
    return "".join(rows) + "\\hline\n" + f"Overall & {_cells(scores.overall)}\\hline\n"


def as_dict(scores: Scores) -> dict[str, object]:
    """The report's figures under their names, percentages with two decimals as printed."""

    def entry(gold: int, found: int, correct: int) -> dict[str, object]:
        figures = Figures.of(gold, found, correct)
        return {
            "phrases": gold,
            "found": found,
            "correct": correct,
            "precision": rounded(figures.precision),
            "recall": rounded(figures.recall),
            "f1": rounded(figures.f1),
        }

    sides = (scores.gold, scores.found, scores.correct)
    return {
        "tokens": scores.tokens,
        "accuracy": rounded(scores.accuracy),
        **entry(*(sum(side.values()) for side in sides)),
        "types": {label: entry(*(x.get(label, 0) for x in sides)) for label in scores.labels},
    }


def rounded(percentage: float) -> float:
    """A percentage as printed with two decimals."""
    return float(f"{percentage:.2f}")


def _printed_labels(scores: Scores) -> list[str]:
    """The types in order; conlleval prints an empty type once for each side that has it."""
    twice = "" in scores.gold and "" in scores.found
    return ["", *scores.labels] if twice else scores.labels


def _text(figures: Figures) -> str:
    return (
        f"precision: {figures.precision:6.2f}%; recall: {figures.recall:6.2f}%; "
        f"FB1: {figures.f1:6.2f}"
    )


def _cells(figures: Figures) -> str:
    percentages = rf" {figures.precision:6.2f}\% & {figures.recall:6.2f}\%"
    return rf"{percentages} & {figures.f1:6.2f} \\"


def _bytes(label: str) -> bytes:
    return label.encode("utf-8", "surrogateescape")
