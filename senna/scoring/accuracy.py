"""Word accuracy, for part-of-speech tags; apart for words that a model has never seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from senna.kinds.scores import Figures, Scores, percent, rounded
from senna.scoring import conlleval
from senna.scoring.conlleval import TaggedSentence


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
