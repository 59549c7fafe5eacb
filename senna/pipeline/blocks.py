"""Sentences that are tagged together: blocks of some; very long ones are cut and joined again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from senna.kinds import output_of

BLOCK_WORDS = 4_096  # words tagged together
BLOCK_SENTENCES = 512
LONGEST = 2_048  # words of a sentence that are tagged together


class LongSentences:
    """Sentences, cut after every `LONGEST` words, so that memory stays bounded."""

    def __init__(self, sentences: Sequence[Sequence[str]]) -> None:
        self.lengths = [len(forms) for forms in sentences]
        self.whole = max(self.lengths, default=0) <= LONGEST
        self.sentences = self.cut(sentences)

    def cut(self, rows: Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
        """Rows of one entry per word, cut as the sentences are."""
        if self.whole:
            return rows
        return [row[start : start + LONGEST] for row in rows for start in _starts(len(row))]

    def cut_places(self, places: Sequence[Sequence[int]]) -> Sequence[Sequence[int]]:
        """Places of words in sentences as places in their parts."""
        if self.whole:
            return places
        return [
            [place - start for place in row if start <= place < start + LONGEST]
            for row, n in zip(places, self.lengths, strict=True)
            for start in _starts(n)
        ]

    def join(self, task: str, answers: list[Any], given: bool = False) -> list[Any]:
        """The answers of a task for parts as those for sentences; see `Output.join`."""
        if self.whole:
            return answers
        output, parts = output_of(task), iter(answers)
        return [
            output.join([next(parts) for _ in _starts(n)], _starts(n), n, given)
            for n in self.lengths
        ]


def _starts(n: int) -> range:
    return range(0, max(n, 1), LONGEST)


def blocks(sentences: Sequence[Sequence[str]]) -> Iterator[slice]:
    """Slices of some thousand words each; a longer sentence is a block of its own."""
    start = words = 0
    for i, forms in enumerate(sentences):
        full = words + len(forms) > BLOCK_WORDS or i - start >= BLOCK_SENTENCES
        if full and i > start:
            yield slice(start, i)
            start, words = i, 0
        words += len(forms)
    if start < len(sentences):
        yield slice(start, len(sentences))
