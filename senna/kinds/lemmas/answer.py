"""One lemma per word; models learn the rules that make lemmas of forms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from senna.kinds.answer import NOTHING, Gold, Lists
from senna.kinds.tags.answer import TagOutput
from senna.text.lemmas import Lemma, LemmaTable, Rule, apply_rule, is_rule

if TYPE_CHECKING:
    from senna.kinds.answer import Example

TABLE_FILE = "table.txt"  # of a model's file, behind the name of the task


class LemmaOutput(TagOutput):
    """Answers are lists of lemmas, in gold `Lemma`; in training a model predicts their rules."""

    gives = "lemmas"
    suffix = "conllu"

    def learnable(self, gold: list[Gold], name: str) -> list[Gold]:
        """Lemmas that know their forms, whatever the file was."""
        return [
            sentence._replace(answer=list(map(Lemma.of, sentence.forms, sentence.answer)))
            for sentence in gold
        ]

    def rows(self, answer: list[str]) -> list[list[str]]:
        return [list(map(_rule, answer))]

    def vocabulary(self, answers: Iterable[list[str]]) -> list[str]:
        return sorted({_rule(lemma) for answer in answers for lemma in answer})

    def lists(
        self, train: Iterable[Example], needs: Sequence[str], before: Lists = NOTHING
    ) -> dict[str, list[str]]:
        """The table of forms with their parts of speech, if the corpus has these.

        What was known before stays; forms of the corpus are as it has them.
        """
        words = [
            word
            for sentence in train
            if "pos" in sentence.tags
            for word in zip(sentence.forms, sentence.tags["pos"], sentence.gold, strict=True)
            if not word[2].is_open
        ]
        known = LemmaTable.of_lines(before.get(TABLE_FILE, ()))
        lines = LemmaTable.learn(words).compact().over(known).lines()
        return {TABLE_FILE: lines} if lines else {}

    def accepts(self, tags: Sequence[str]) -> bool:
        return all(map(is_rule, tags))

    def percent(self, gold: Sequence[list[str]], predicted: Sequence[list[str]]) -> float:
        """The share of right lemmas; any is right where gold is open."""
        pairs = zip(gold, predicted, strict=True)
        return super().percent(gold, [list(map(compared, *pair)) for pair in pairs])


def _rule(lemma: str) -> str:
    """The rule of a gold lemma."""
    assert isinstance(lemma, Lemma)
    return lemma.rule


def compared(gold: str, predicted: str) -> str:
    """A predicted lemma, as it is compared with gold."""
    assert isinstance(gold, Lemma)
    if gold.is_open:
        return gold
    return apply_rule(predicted, gold.form) if isinstance(predicted, Rule) else predicted


OUTPUTS = {"lemmas": LemmaOutput()}
