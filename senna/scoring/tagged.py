"""Tagged columns: one token per line, its gold and its predicted tag in the last two columns; and
the accuracy of tags.

This is the input of conlleval, read as conlleval reads it. The delimiter is a regular expression;
empty columns at the end of a line count for nothing; a line without columns ends a sentence, as
does one whose first column is ``-X-``; ``-DOCSTART-`` is a token like any other; a carriage return
belongs to the last column; all other lines have as many columns as the first.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from senna.errors import SennaError, counted
from senna.kinds.scores import Figures, Scores, percent, rounded
from senna.scoring import conlleval

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


@dataclass(frozen=True)
class Accuracy(Scores):
    """Counts of tokens by their tag.

    `unknown` and `correct_unknown` are those of unknown words, None where no words were given.
    """

    unknown: int | None = None
    correct_unknown: int | None = None

    @property
    def accuracy(self) -> float:
        """Tokens with the right tag, in percent; 0 without tokens."""
        return percent(self.correct.total(), self.gold.total())

    @property
    def accuracy_unknown(self) -> float:
        """Unknown words with the right tag, in percent; 0 without unknown words."""
        return percent(self.correct_unknown or 0, self.unknown or 0)

    def report(self, *, latex: bool = False) -> str:
        if latex:
            return conlleval.latex_table(self)
        tokens = self.gold.total()
        text = f"processed {tokens} tokens; correct: {self.correct.total()}.\n"
        if tokens:  # without any there is no percentage, as in conlleval
            text += f"accuracy: {self.accuracy:6.2f}%\n"
        if self.unknown:
            share = f"({self.correct_unknown} of {self.unknown})"
            text += f"unknown words: {self.accuracy_unknown:6.2f}%  {share}\n"
        elif self.unknown == 0:
            text += "unknown words: none\n"
        return text

    def as_dict(self) -> dict[str, object]:
        figures: dict[str, object] = {
            "tokens": self.gold.total(),
            "correct": self.correct.total(),
            "accuracy": rounded(self.accuracy),
        }
        if self.unknown is not None:
            figures["unknown"] = self.unknown
            figures["correct_unknown"] = self.correct_unknown
            figures["accuracy_unknown"] = rounded(self.accuracy_unknown)
        return figures


def score(
    sentences: Iterable[TaggedSentence],
    known: frozenset[str] | None = None,
    form: Callable[[str], str] = str,
) -> Accuracy:
    """Count the tokens whose predicted tag is the gold tag, letter by letter.

    A word is unknown when `form(word)`, say its lower-case form, is not in `known`.
    """
    gold, predicted, correct = Counter[str](), Counter[str](), Counter[str]()
    unknown = correct_unknown = 0
    for sentence in sentences:
        pairs = list(zip(sentence.gold, sentence.predicted, strict=True))
        gold.update(sentence.gold)
        predicted.update(sentence.predicted)
        correct.update(one for one, other in pairs if one == other)
        if known is not None:
            words = zip(sentence.words, pairs, strict=True)
            new = [one == other for word, (one, other) in words if form(word) not in known]
            unknown += len(new)
            correct_unknown += sum(new)
    if known is None:
        return Accuracy(gold, predicted, correct)
    return Accuracy(gold, predicted, correct, unknown, correct_unknown)


@dataclass(frozen=True)
class LabelScores(Scores):
    """Counts of sentences by their label; of trees with labels at nodes, of their nodes."""

    nodes: int = 0  # that have a label
    right_nodes: int = 0

    @property
    def accuracy(self) -> float:
        """Sentences with the right label, in percent; 0 without sentences."""
        return percent(self.correct.total(), self.gold.total())

    def report(self, *, latex: bool = False) -> str:
        """A line for all, then one per label: its figures, and in how many sentences it is gold."""
        if latex:
            return conlleval.latex_table(self)
        n, width = self.gold.total(), max(map(len, self.labels), default=0)
        text = f"processed {n} sentences; correct: {self.correct.total()}.\n"
        if n:
            text += f"accuracy: {self.accuracy:6.2f}%\n"
        if self.nodes:
            share = percent(self.right_nodes, self.nodes)
            text += f"accuracy of {self.nodes} nodes: {share:6.2f}%\n"
        for label, figures in self.types.items():
            shown = f"precision: {figures.precision:6.2f}%; recall: {figures.recall:6.2f}%; "
            text += f"{label:>{width}}: {shown}F1: {figures.f1:6.2f}  {self.gold[label]}\n"
        return text

    def as_dict(self) -> dict[str, object]:
        types = {
            label: {"gold": gold, "found": predicted, "correct": correct, **figures.as_dict()}
            for label in self.labels
            for gold, predicted, correct in [self.counts(label)]
            for figures in [Figures.of(gold, predicted, correct)]
        }
        return {
            "sentences": self.gold.total(),
            "correct": self.correct.total(),
            "accuracy": rounded(self.accuracy),
            **({"nodes": self.nodes, "correct_nodes": self.right_nodes} if self.nodes else {}),
            "types": types,
        }


def score_labels(sentences: Iterable[TaggedSentence]) -> LabelScores:
    """Count sentences, each given as one word whose tag is the label."""
    gold, predicted, correct = Counter[str](), Counter[str](), Counter[str]()
    nodes = Counter[bool]()
    for sentence in sentences:
        [label], [guess] = map(str, sentence.gold), map(str, sentence.predicted)
        gold[label] += 1
        predicted[guess] += 1
        correct[label] += label == guess
        of_nodes = (getattr(s[0], "nodes", ()) for s in (sentence.gold, sentence.predicted))
        nodes.update(a == b for a, b in zip(*of_nodes, strict=False) if a)
    return LabelScores(gold, predicted, correct, nodes.total(), nodes[True])
