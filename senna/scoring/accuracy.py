"""Word accuracy, for part-of-speech tags; apart for words that a model has never seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from senna.scoring.conlleval import rounded
from senna.scoring.tagged import TaggedSentence


@dataclass(frozen=True)
class Accuracy:
    """Counts of tokens and of those with the right tag.

    `unknown` and `correct_unknown` are the same for unknown words, None where no words were given.
    """

    tokens: int
    correct: int
    unknown: int | None = None
    correct_unknown: int | None = None

    @property
    def percent(self) -> float:
        """Tokens with the right tag, in percent; 0 without tokens."""
        return 100 * self.correct / self.tokens if self.tokens else 0.0

    @property
    def percent_unknown(self) -> float:
        """Unknown words with the right tag, in percent; 0 without unknown words."""
        if not self.unknown or self.correct_unknown is None:
            return 0.0
        return 100 * self.correct_unknown / self.unknown


def score_words(
    sentences: Iterable[TaggedSentence],
    known: frozenset[str] | None = None,
    form: Callable[[str], str] = str,
) -> Accuracy:
    """Count the tokens whose predicted tag is the gold tag, letter by letter.

    A word is unknown when `form(word)`, say its lower-case form, is not in `known`.
    """
    tokens = correct = unknown = correct_unknown = 0
    for words, gold, predicted, *_ in sentences:
        right = [one == other for one, other in zip(gold, predicted, strict=True)]
        tokens += len(right)
        correct += sum(right)
        if known is not None:
            new = [hit for hit, word in zip(right, words, strict=True) if form(word) not in known]
            unknown += len(new)
            correct_unknown += sum(new)
    if known is None:
        return Accuracy(tokens, correct)
    return Accuracy(tokens, correct, unknown, correct_unknown)


def report(accuracy: Accuracy) -> str:
    """The figures as lines of text; without tokens there is no percentage, as in conlleval."""
    lines = [f"processed {accuracy.tokens} tokens; correct: {accuracy.correct}.\n"]
    if accuracy.tokens:
        lines.append(f"accuracy: {accuracy.percent:6.2f}%\n")
    if accuracy.unknown:
        lines.append(
            f"unknown words: {accuracy.percent_unknown:6.2f}%  "
            f"({accuracy.correct_unknown} of {accuracy.unknown})\n"
        )
    elif accuracy.unknown == 0:
        lines.append("unknown words: none\n")
    return "".join(lines)


def as_dict(accuracy: Accuracy) -> dict[str, object]:
    """The report's figures under their names, percentages with two decimals as printed."""
    figures: dict[str, object] = {
        "tokens": accuracy.tokens,
        "correct": accuracy.correct,
        "accuracy": rounded(accuracy.percent),
    }
    if accuracy.unknown is not None:
        figures["unknown"] = accuracy.unknown
        figures["correct_unknown"] = accuracy.correct_unknown
        figures["accuracy_unknown"] = rounded(accuracy.percent_unknown)
    return figures
