"""One label per sentence, such as an opinion or a topic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, ClassVar

from senna.annotation.schemes import Phrase
from senna.decoding.requests import DIGITS
from senna.errors import SennaError
from senna.kinds.answer import (
    TASK,
    Columns,
    Line,
    Measure,
    Output,
    Record,
    add_scores,
    label,
    probability,
)
from senna.registry import LABELLED_TREES

if TYPE_CHECKING:
    from senna.text.tokens import Tokens

REST = "_"  # in columns, for the words after the first
Pairs = Sequence[Sequence[str]]  # of a pattern of labels and their name: `DataConfig.labels`


class Label(str):
    """The label of a sentence; `scores` has the probability of each label, where asked for.

    `nodes` are the labels of the nodes of a binary tree, each before its parts, where there is one;
    of gold that has none for a node, "".
    """

    scores: Mapping[str, float]
    nodes: Sequence[str]

    def __new__(
        cls, name: str, scores: Mapping[str, float] | None = None, nodes: Sequence[str] = ()
    ) -> Label:
        label = super().__new__(cls, name)
        label.scores, label.nodes = scores or {}, nodes
        return label

    @property
    def score(self) -> float | None:
        """How probable it is, where scores were asked for."""
        return self.scores.get(self)


def commonest(labels: Sequence[Label]) -> Label:
    """The label that most of some sentences have, the first of equals; "" of none.

    Its probabilities are the means over the sentences that have it.
    """
    counts = Counter(labels)
    name = max(counts, key=counts.__getitem__, default="")
    return Label(name, means([label for label in labels if label == name]))


def means(labels: Sequence[Label]) -> dict[str, float]:
    """The mean probability of each label over the sentences that have some."""
    names = dict.fromkeys(name for label in labels for name in label.scores)
    return {
        name: sum(label.scores.get(name, 0) for label in labels) / len(labels) for name in names
    }


def named(label: str, pairs: Pairs) -> str:
    """The name of a label, "" of one that is left out; SennaError for one without a pair."""
    for pattern, name in pairs:
        if fnmatchcase(label, pattern.strip()):
            return name.strip()
    if pairs:
        remedy = f"It knows {', '.join(pattern.strip() for pattern, _ in pairs)}."
        raise SennaError(f"label {label!r:.60} has no name in data.label.labels", remedy=remedy)
    return label


class LabelOutput(Output):
    """Answers are texts, those of models `Label`."""

    fields: ClassVar[Record] = {TASK: str, "scores": {TASK: float}}
    kind = "labels"

    def targets(
        self, answer: Label, n: int, tree: Sequence[Phrase] | None = None
    ) -> tuple[list[list[str]], list[Phrase]]:
        """A span around the sentence, then those of the other nodes of its tree; "" is no label."""
        if tree is None:
            return [], [Phrase(0, n, answer)]
        spans: list[Phrase] = LABELLED_TREES["nodes"].nodes_over(tree, n)
        names = answer.nodes or [answer] + [""] * (len(spans) - 1)
        return [], [Phrase(*span[:2], name) for span, name in zip(spans, names, strict=True)]

    def vocabulary(self, seen: Collection[str]) -> list[str]:
        return sorted({*map(str, seen)} - {""})

    def measure(self, gold: Sequence[str], predicted: Sequence[str]) -> Measure:
        right = sum(map(str.__eq__, gold, predicted))
        return Measure("accuracy", 100 * right / max(len(gold), 1))

    def join(self, parts: Sequence[Label], starts: Sequence[int], n: int, given: bool) -> Label:
        """The label that most parts have."""
        return commonest(parts)

    def columns(self, words: Sequence[str], answer: Label, scheme: str) -> Columns:
        """The label at the first word, then its probability where scores were asked for."""
        values = [str(answer)]
        if answer.score is not None:
            values.append(f"{answer.score:.{DIGITS}f}")
        return [[value, *[REST] * (len(words) - 1)][: len(words)] for value in values]

    def cells(self, words: Sequence[str], answer: Label, scheme: str) -> list[str]:
        return [""] * len(words)

    def write(self, record: Record, task: str, line: Line, answer: Label, scheme: str) -> None:
        record[task] = answer
        if answer.score is not None:
            add_scores(record, task, answer.score)

    def parse(self, record: Record, task: str, tokens: Tokens) -> Label:
        score = record.get("scores", {}).get(task)
        name = label(record[task])
        return Label(name, {} if score is None else {name: probability(score)})


OUTPUTS = {"labels": LabelOutput()}
