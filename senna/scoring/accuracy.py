"""Word accuracy, for parts of speech, apart for words that a model has never seen; of labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from senna.kinds.scores import Scores, percent, rounded
from senna.scoring import conlleval
from senna.scoring.conlleval import TaggedSentence


@dataclass(frozen=True)
class Accuracy(Scores):
    """Counts of tokens by their tag.

    `unknown` and `correct_unknown` are those of unknown words, None where no words were given.
    """

    UNIT: ClassVar[str] = "tokens"

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
        n = self.gold.total()
        text = f"processed {n} {self.UNIT}; correct: {self.correct.total()}.\n"
        if n:  # without any there is no percentage, as in conlleval
            text += f"accuracy: {self.accuracy:6.2f}%\n"
        return text + "".join(line + "\n" for line in self.details())

    def details(self) -> Iterator[str]:
        """The lines below the accuracy."""
        if self.unknown:
            share = f"({self.correct_unknown} of {self.unknown})"
            yield f"unknown words: {self.accuracy_unknown:6.2f}%  {share}"
        elif self.unknown == 0:
            yield "unknown words: none"

    def as_dict(self) -> dict[str, object]:
        n, correct = self.gold.total(), self.correct.total()
        figures = {self.UNIT: n, "correct": correct, "accuracy": rounded(self.accuracy)}
        if self.unknown is None or self.correct_unknown is None:
            return {**figures}
        figures |= {"unknown": self.unknown, "correct_unknown": self.correct_unknown}
        return {**figures, "accuracy_unknown": rounded(self.accuracy_unknown)}


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
class LabelScores(Accuracy):
    """Counts of sentences by their label; of trees with labels at nodes, of their nodes."""

    UNIT = "sentences"

    nodes: int = 0  # that have a label
    right_nodes: int = 0

    def details(self) -> Iterator[str]:
        """A line per label: its figures, and in how many sentences it is gold."""
        if self.nodes:
            share = percent(self.right_nodes, self.nodes)
            yield f"accuracy of {self.nodes} nodes: {share:6.2f}%"
        width = max(map(len, self.labels), default=0)
        for label, figures in self.types.items():
            shown = f"precision: {figures.precision:6.2f}%; recall: {figures.recall:6.2f}%; "
            yield f"{label:>{width}}: {shown}F1: {figures.f1:6.2f}  {self.gold[label]}"

    def as_dict(self) -> dict[str, object]:
        types = {
            label: {"gold": gold, "found": predicted, "correct": correct, **figures.as_dict()}
            for label, figures in self.types.items()
            for gold, predicted, correct in [self.counts(label)]
        }
        nodes = {"nodes": self.nodes, "correct_nodes": self.right_nodes} if self.nodes else {}
        return {**super().as_dict(), **nodes, "types": types}


def score_labels(sentences: Sequence[TaggedSentence]) -> LabelScores:
    """Count sentences, each given as one word whose tag is the label."""
    counts, nodes = score(sentences), Counter[bool]()
    for sentence in sentences:
        of_nodes = (getattr(tags[0], "nodes", ()) for tags in (sentence.gold, sentence.predicted))
        nodes.update(a == b for a, b in zip(*of_nodes, strict=False) if a)
    of_all = counts.gold, counts.predicted, counts.correct
    return LabelScores(*of_all, nodes=nodes.total(), right_nodes=nodes[True])
