"""Sentences that are too long to be tagged in one go: cut into parts, and joined again."""

from __future__ import annotations

from collections.abc import Sequence

from senna.text.roles import Predicate
from senna.text.schemes import Phrase

LONGEST = 2_048  # words of a sentence that are tagged together


class Parts:
    """Sentences, those of more than `LONGEST` words in parts, so that memory stays bounded."""

    def __init__(self, sentences: Sequence[Sequence[str]]) -> None:
        self.lengths = [len(forms) for forms in sentences]
        self.whole = max(self.lengths, default=0) <= LONGEST
        self.sentences = self.cut(sentences)

    def cut(self, rows: Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
        """Rows of one entry a word, cut as the sentences are."""
        if self.whole:
            return rows
        return [row[start : start + LONGEST] for row in rows for start in _starts(len(row))]

    def cut_places(self, places: Sequence[Sequence[int]]) -> Sequence[Sequence[int]]:
        """Places of words in sentences as places in the parts."""
        if self.whole:
            return places
        return [
            [place - start for place in own if start <= place < start + LONGEST]
            for own, n in zip(places, self.lengths, strict=True)
            for start in _starts(n)
        ]

    def join_tags(self, found: list[list[str]]) -> list[list[str]]:
        """The tags of parts as those of sentences."""
        if self.whole:
            return found
        parts = iter(found)
        return [[tag for _ in _starts(n) for tag in next(parts)] for n in self.lengths]

    def join_phrases(self, found: list[list[Phrase]]) -> list[list[Phrase]]:
        """The phrases of parts as those of sentences."""
        if self.whole:
            return found
        parts = iter(found)
        return [
            [
                Phrase(a + start, b + start, label)
                for start in _starts(n)
                for a, b, label in next(parts)
            ]
            for n in self.lengths
        ]

    def join_roles(self, found: list[list[Predicate]], given: bool) -> list[list[Predicate]]:
        """The predicates of parts as those of sentences, none of a cut one if not `given`."""
        if self.whole:
            return found
        parts, made = iter(found), []
        for n in self.lengths:
            own = [(start, predicate) for start in _starts(n) for predicate in next(parts)]
            kept = own if given or n <= LONGEST else []
            made.append([_moved(predicate, start, n) for start, predicate in kept])
        return made


def _starts(n: int) -> range:
    return range(0, max(n, 1), LONGEST)


def _moved(predicate: Predicate, start: int, n: int) -> Predicate:
    before, after = ["O"] * start, ["O"] * (n - start - len(predicate.tags))
    return Predicate(predicate.position + start, [*before, *predicate.tags, *after])
