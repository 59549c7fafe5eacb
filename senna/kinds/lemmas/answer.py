"""One lemma per word; models learn the rules that make lemmas of forms."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from senna.annotation.schemes import Phrase
from senna.kinds.answer import Gold, Measure
from senna.kinds.tags.answer import TagOutput
from senna.text.lemmas import Lemma, Rule, apply_rule, is_rule


class LemmaOutput(TagOutput):
    """Answers are lists of lemmas, in gold `Lemma`; in training a model predicts their rules."""

    kind = "lemmas"

    def learnable(self, gold: list[Gold], name: str) -> list[Gold]:
        """Lemmas that know their forms, whatever the file was."""
        return [
            sentence._replace(answer=list(map(Lemma.of, sentence.forms, sentence.answer)))
            for sentence in gold
        ]

    def targets(
        self, answer: list[str], n: int, tree: Sequence[Phrase] | None = None
    ) -> tuple[list[list[str]], None]:
        return [list(map(_rule, answer))], None

    def vocabulary(self, seen: Collection[str]) -> list[str]:
        return sorted(filter(is_rule, seen))

    def measure(self, gold: Sequence[list[str]], predicted: Sequence[list[str]]) -> Measure:
        """The share of right lemmas; any is right where gold is open."""
        pairs = zip(gold, predicted, strict=True)
        return super().measure(gold, [list(map(compared, *pair)) for pair in pairs])


def _rule(lemma: str) -> str:
    assert isinstance(lemma, Lemma)
    return lemma.rule


def compared(gold: str, predicted: str) -> str:
    """A predicted lemma, as it is compared with gold."""
    assert isinstance(gold, Lemma)
    if gold.is_open:
        return gold
    return apply_rule(predicted, gold.form) if isinstance(predicted, Rule) else predicted


OUTPUTS = {"lemmas": LemmaOutput()}
