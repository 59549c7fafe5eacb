"""Precision, recall and F1 of phrases, with the figures and the layout of conlleval.

conlleval is the scorer of the CoNLL-2000 and CoNLL-2003 shared tasks. Its rules:

A tag is a prefix and a type, split at the first hyphen; without one it is a prefix of empty type,
and the type ``0`` is empty too. A phrase begins at, and ends before, a token by the two tables
below, and wherever the type changes. Prefixes that the tables lack go on with the phrase of their
type. So IOB1, IOB2, IOE1 and IOE2 are read without a scheme, but IOBES and BILOU are not:
a B or S after E or S of one type begins nothing, and L and U have no rule. A phrase is correct when
it begins and ends in both columns at once, with one type; a token when prefix and type agree.

Its input are columns, one token per line, the gold and the predicted tag in the last two. The
delimiter is a regular expression; empty columns at the end of a line count for nothing; a line
without columns ends a sentence, as does one whose first column is ``-X-``; ``-DOCSTART-`` is a
token like any other; a carriage return belongs to the last column; all other lines have as many
columns as the first.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from senna.annotation.scheme_detection import marked_scheme
from senna.annotation.schemes import Phrase, TagError, phrases_of
from senna.errors import SennaError, counted
from senna.kinds.scores import Figures, Scores, as_bytes, percent, rounded

BOUNDARY = "-X-"

_Split = Callable[[str], list[Any]]


class TaggedSentence(NamedTuple):
    """Words with their gold and predicted tags; token i stands on line `line + i` of `name`.

    `words` are the first columns, empty strings where the file has two columns only. `closed` is
    whether a sentence boundary follows; the last sentence of a file may go without.
    """

    words: list[str]
    gold: list[str]
    predicted: list[str]
    name: str = ""
    line: int = 0
    closed: bool = True


class ColumnsError(SennaError):
    """A line with the wrong number of columns.

    `reference_message` and `reference_status` are what conlleval says of it and exits with.
    """

    def __init__(self, text: str, n_columns: int, expected: int | None, where: str) -> None:
        what = f"{counted(n_columns, 'column')}, expected {expected or '2 or more'}"
        if expected is None:
            self.reference_status = 255
            self.reference_message = f"conlleval: unexpected number of features in line {text}"
            remedy = "The last two are gold and predicted; --delimiter sets the separator."
        else:
            self.reference_status = 1
            self.reference_message = f"unexpected number of features: {n_columns} ({expected})"
            remedy = "Every line needs as many columns as the first."
            remedy += " Give the file Unix line ends." if text.endswith("\r") else ""
        super().__init__(what, where=where, remedy=remedy)


def read_tagged(
    lines: Iterable[str],
    *,
    name: str,
    delimiter: str | None = None,
    raw: bool = False,
    outside: str = "O",
) -> Iterator[TaggedSentence]:
    """The sentences of a column file that hold tokens, one at a time.

    `lines` end at line feeds alone; `name` is the file's, for messages. `delimiter` is a regular
    expression of Python, whose classes (``\\s``, ``\\w``) hold ASCII alone; without it a tab parts
    columns if the first line that is not blank has one, else a single space. `raw`: tags are bare
    types, each token outside neither ``O`` nor `outside` a phrase of its own. Raises ColumnsError,
    and SennaError for a delimiter that is not a regular expression.
    """
    split: _Split | None = None
    width = -1
    first, words, gold, predicted = 0, list[str](), list[str](), list[str]()
    for number, line in enumerate(lines, start=1):
        line = line.removesuffix("\n")
        if split is None:
            if delimiter is None and not line.strip(_BLANKS):
                continue
            split = _splitter(delimiter, line)
        columns = [column or "" for column in split(line)]
        while columns and not columns[-1]:
            columns.pop()
        count = len(columns)
        if count != width and count:
            if width >= 0:
                raise ColumnsError(line, count, width, f"{name}:{number}")
            width = count
        if not count or columns[0] == BOUNDARY:
            if words:
                yield TaggedSentence(words, gold, predicted, name, first)
                words, gold, predicted = [], [], []
            continue
        if count < 2:
            raise ColumnsError(line, count, None, f"{name}:{number}")
        if not words:
            first = number
        tags = list(map(sys.intern, columns[-2:]))  # one string a tag, however often it occurs
        if raw:
            tags = ["O" if tag in ("O", outside) else f"B-{tag}" for tag in tags]
        words.append(columns[0] if count > 2 else "")
        gold.append(tags[0])
        predicted.append(tags[1])
    if words:
        yield TaggedSentence(words, gold, predicted, name, first, closed=False)


_BLANKS = " \t\n\v\f\r"


def _splitter(delimiter: str | None, line: str) -> _Split:
    """The function that splits lines at `delimiter`, which for None depends on the first `line`."""
    if delimiter is None:
        separator = "\t" if "\t" in line else " "
        return lambda line: line.split(separator)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", FutureWarning)  # of Perl's [[:space:]]
            return re.compile(delimiter, re.ASCII).split
    except (re.error, OverflowError, RecursionError, FutureWarning) as error:
        what = f'the delimiter "{delimiter}" is not a regular expression: {error}'
        remedy = r"Write \ before a character that stands for itself, as in '\|'."
        raise SennaError(what, remedy=remedy) from None


# --------------------------------------------------------------------------- phrases

# Prefixes of two tokens in a row between which a phrase ends, and those where one begins.
_ENDS = {"BB", "BO", "IB", "IO", "EE", "EI", "EO"}
_BEGINS = {"BB", "IB", "OB", "OI", "EE", "EI", "OE"}
_SINGLE = ("[", "]")  # prefixes of phrases of one token
_OUTSIDE = ("O", ".")  # prefixes whose types count for nothing


class Tag(NamedTuple):
    """A tag's prefix and type."""

    prefix: str
    label: str


@dataclass(frozen=True)
class PhraseScores(Scores):
    """Counts of phrases by their type, and of tokens.

    `read_as` names the columns ("gold", "predicted") that were not read as conlleval reads them,
    and their schemes.
    """

    tokens: int
    correct_tokens: int
    read_as: Mapping[str, str]

    @property
    def accuracy(self) -> float:
        """Tokens with the right tag, in percent; 0 without tokens."""
        return percent(self.correct_tokens, self.tokens)

    def report(self, *, latex: bool = False) -> str:
        return latex_table(self) if latex else _report(self)

    def as_dict(self) -> dict[str, object]:
        def entry(*labels: str) -> dict[str, object]:
            gold, predicted, correct = counts = self.counts(*labels)
            numbers = {"phrases": gold, "found": predicted, "correct": correct}
            return {**numbers, **Figures.of(*counts).as_dict()}

        columns: dict[str, list[str]] = {}
        for column, scheme in self.read_as.items():
            columns.setdefault(f"read_as_{scheme}", []).append(column)
        return {
            "tokens": self.tokens,
            "accuracy": rounded(self.accuracy),
            **entry(*self.labels),
            "types": {label: entry(label) for label in self.labels},
            **columns,
        }


def score(
    sentences: Iterable[TaggedSentence], read_as: Mapping[str, str] = MappingProxyType({})
) -> PhraseScores:
    """Score sentences by conlleval's reading of their tags, in one pass.

    IOBES, BILOU and brackets must be IOB2 by then, see `in_iob2`; `read_as` names their scheme.
    """
    tags, steps = _Tags(), _Steps()
    outside = Tag("O", "")
    gold, predicted = outside, outside
    totals: tuple[Counter[str], Counter[str], Counter[str]] = (Counter(), Counter(), Counter())
    in_gold, in_predicted, in_both = totals
    tokens = correct_tokens = 0
    matching = False  # the open phrases of both columns began together and agree so far
    for pair in _pairs(sentences):
        last_gold, last_predicted = gold, predicted
        if pair is None:
            gold = predicted = outside
        else:
            gold, predicted = tags[pair[0]], tags[pair[1]]
            tokens += 1
            correct_tokens += gold == predicted
        gold_ends, gold_begins = steps[last_gold, gold]
        predicted_ends, predicted_begins = steps[last_predicted, predicted]
        if matching:
            if gold_ends and predicted_ends and last_gold.label == last_predicted.label:
                in_both[last_gold.label] += 1
                matching = False
            elif gold_ends != predicted_ends or gold.label != predicted.label:
                matching = False
        if gold_begins:
            in_gold[gold.label] += 1
            if predicted_begins and gold.label == predicted.label:
                matching = True
        if predicted_begins:
            in_predicted[predicted.label] += 1
    if matching:
        in_both[gold.label] += 1
    return PhraseScores(*totals, tokens, correct_tokens, read_as)


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


class _Steps(dict[tuple[Tag, Tag], tuple[bool, bool]]):
    """Whether a phrase ends, and one begins, between two tags in a row; worked out once a pair."""

    def __missing__(self, pair: tuple[Tag, Tag]) -> tuple[bool, bool]:
        last, tag = pair
        prefixes = last.prefix + tag.prefix if len(last.prefix) == len(tag.prefix) == 1 else ""
        other_type = last.label != tag.label
        ends = prefixes in _ENDS or (other_type and last.prefix not in _OUTSIDE)
        begins = prefixes in _BEGINS or (other_type and tag.prefix not in _OUTSIDE)
        step = (ends or last.prefix in _SINGLE, begins or tag.prefix in _SINGLE)
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


# IOBES, BILOU and brackets, which conlleval misreads.


def schemes_of(sentences: Iterable[TaggedSentence]) -> dict[str, str]:
    """Which columns, "gold" and "predicted", conlleval misreads: their schemes (see schemes.py)."""
    seen: dict[str, set[str]] = {"gold": set(), "predicted": set()}
    for sentence in sentences:
        seen["gold"].update(sentence.gold)
        seen["predicted"].update(sentence.predicted)
    schemes = {name: marked_scheme(tags) for name, tags in seen.items()}
    return {name: scheme for name, scheme in schemes.items() if scheme}


def in_iob2(
    sentences: Iterable[TaggedSentence], schemes: Mapping[str, str]
) -> Iterator[TaggedSentence]:
    """The same phrases with all tags in IOB2, so that accuracy compares like with like.

    Columns are read in their schemes (see `schemes_of` and senna.annotation.schemes), others as
    conlleval reads them. Raises SennaError, with the line, for a tag that the scheme does not have.
    """
    for sentence in sentences:
        gold, predicted = (
            _iob2(_phrases(sentence, tags, schemes.get(name)), len(tags))
            for name, tags in (("gold", sentence.gold), ("predicted", sentence.predicted))
        )
        yield sentence._replace(gold=gold, predicted=predicted)


def _phrases(sentence: TaggedSentence, tags: Sequence[str], scheme: str | None) -> list[Phrase]:
    if scheme is None:
        return phrases_as_read(tags)
    try:
        return phrases_of(tags, scheme)
    except TagError as error:
        where = f"{sentence.name}:{sentence.line + error.position}"
        remedy = "Convert the column to one scheme; --as-is reads it as conlleval does."
        raise SennaError(error.what, where=where, remedy=remedy) from None


def _iob2(phrases: Iterable[Phrase], n: int) -> list[str]:
    tags = ["O"] * n  # not schemes.tags_of: it refuses the empty type, which conlleval counts
    for start, end, label in phrases:
        tags[start:end] = [f"I-{label}"] * (end - start)
        tags[start] = f"B-{label}"
    return tags


# Printing.


def _report(scores: PhraseScores) -> str:
    gold, predicted, correct = counts = scores.counts(*scores.labels)
    text = (
        f"processed {scores.tokens} tokens with {gold} phrases; "
        f"found: {predicted} phrases; correct: {correct}.\n"
    )
    if scores.tokens:
        text += f"accuracy: {scores.accuracy:6.2f}%; {_text(Figures.of(*counts))}\n"
    for label in _printed_labels(scores):
        padding = " " * (17 - len(as_bytes(label)))
        _, predicted, _ = counts = scores.counts(label)
        text += f"{padding}{label}: {_text(Figures.of(*counts))}  {predicted}\n"
    return text


def latex_table(scores: Scores) -> str:
    """conlleval's LaTeX table; its heading lacks a closing dollar sign, as conlleval's does."""
    rows = [r"        & Precision &  Recall  & F$_{\beta=1} \\\hline"]
    for label in _printed_labels(scores):
        padding = " " * (7 - len(as_bytes(label)))
        rows.append(f"\n{label}{padding} & {_cells(Figures.of(*scores.counts(label)))}")
    return "".join(rows) + "\\hline\n" + f"Overall & {_cells(scores.overall)}\\hline\n"


def _printed_labels(scores: Scores) -> list[str]:
    """The types in order; conlleval prints an empty type once for each side that has it."""
    twice = "" in scores.gold and "" in scores.predicted
    return ["", *scores.labels] if twice else scores.labels


def _text(figures: Figures) -> str:
    return (
        f"precision: {figures.precision:6.2f}%; recall: {figures.recall:6.2f}%; "
        f"FB1: {figures.f1:6.2f}"
    )


def _cells(figures: Figures) -> str:
    percentages = rf" {figures.precision:6.2f}\% & {figures.recall:6.2f}\%"
    return rf"{percentages} & {figures.f1:6.2f} \\"
