"""Phrases that cover a sentence without gaps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from senna.answers.base import Gold, GoldOptions
from senna.answers.phrases import LEFT_OUT, PhraseOutput


class SegmentOutput(PhraseOutput):
    """The lowest constituents of trees (section 6.5), those of PT0's 25 types."""

    def read(self, lines: Iterable[str], name: str, how: GoldOptions) -> Iterator[Gold]:
        for gold in super().read(lines, name, how):
            yield gold._replace(answer=self.regular(gold.answer))

    def learnable(self, gold: list[Gold], name: str) -> list[Gold]:
        sentences = super().learnable(gold, name)
        return [sentence._replace(answer=self.regular(sentence.answer)) for sentence in sentences]

    def regular(self, tags: list[str]) -> list[str]:
        return ["O" if tag[2:] in LEFT_OUT else tag for tag in tags]


OUTPUT = SegmentOutput()
