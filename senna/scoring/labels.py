"""Accuracy of one label per sentence, and precision, recall and F1 of each label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from senna.scoring.conlleval import latex_table
from senna.scoring.figures import Figures, Scores, percent, rounded
from senna.scoring.tagged import TaggedSentence


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
            return latex_table(self)
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


def score(sentences: Iterable[TaggedSentence]) -> LabelScores:
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
