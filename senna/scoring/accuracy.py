"""Word accuracy, for part-of-speech tags; apart for words that a model has never seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from senna.scoring.conlleval import latex_table
from senna.scoring.figures import Scores, percent, rounded
from senna.scoring.tagged import TaggedSentence


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
            return latex_table(self)
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
