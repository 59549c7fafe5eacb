"""Requests to heads for more than tags: their probabilities, and other taggings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from senna.annotation import schemes
from senna.annotation.schemes import Phrase


class Asked(NamedTuple):
    """Answers in addition to tags: probabilities, and `n_best` paths of each tagging."""

    scores: bool = False
    n_best: int = 1

    def __bool__(self) -> bool:
        return self.scores or self.n_best > 1


TAGS_ALONE = Asked()


class Request(NamedTuple):
    """A request to a head, in addition to the block that it reads.

    predicates: of each sentence, in order; fixed: phrases of each, which its tags must have.
    """

    asked: Asked = TAGS_ALONE
    predicates: Sequence[Sequence[int]] = ()
    fixed: Sequence[Sequence[Phrase]] = ()


PLAIN = Request()


TINY = 1e-9  # a probability that was written as 0
DIGITS = 3  # of probabilities that are printed or compared with a threshold


class Tagging(NamedTuple):
    """Tags of a whole sentence, and how probable it is that all of them are right."""

    score: float
    tags: list[str]


class Scored(list[str]):
    """The tags of a sentence's words, and their probabilities.

    `opens[i] + closes[k]`: the logarithm of the probability of the tags of words i to k together.
    Where they were asked for, `scores`: that of each word's tag; `paths`: the `n_best` best, these
    tags first, or fewer where there are no more.
    """

    def __init__(
        self,
        tags: Sequence[str] = (),
        scores: Sequence[float] = (),
        opens: Sequence[float] = (),
        closes: Sequence[float] = (),
        n_best: int = 1,
    ) -> None:
        super().__init__(tags)
        self.scores, self.opens, self.closes = list(scores), list(opens), list(closes)
        self.n_best = n_best
        self.paths: list[Tagging] = []

    def span(self, first: int, last: int) -> float:
        """The probability of the tags of words [first, last) together."""
        return min(1.0, math.exp(min(0.0, self.opens[first] + self.closes[last - 1])))

    @property
    def spans(self) -> list[float]:
        """The probability of each phrase, from its first word to its last and of its type."""
        return [self.span(start, end) for start, end, _ in schemes.phrases_of(self, "iobes")]

    def between(self, before: int, after: int) -> Scored:
        """The same between so many words that are O for certain."""
        logs = [0.0] * before, [0.0] * after
        ones = [1.0] * before, [1.0] * after
        return Scored(
            ["O"] * before + self + ["O"] * after,
            ones[0] + self.scores + ones[1] if self.scores else (),
            logs[0] + self.opens + logs[1],
            logs[0] + self.closes + logs[1],
        )


def rewritten(tags: list[str], phrases: Mapping[Phrase, float | None]) -> list[str]:
    """Tags with these phrases, IOBES, each with its probability, or with none where it stays."""
    new = schemes.tags_of(phrases, len(tags), "iobes")
    if not isinstance(tags, Scored):
        return new
    scored = Scored(new, tags.scores, tags.opens, tags.closes, tags.n_best)
    for (first, last, _), score in phrases.items():
        if score is not None:
            n = last - first
            scored.opens[first:last] = [math.log(max(score, TINY))] * n
            scored.closes[first:last] = [0.0] * n
            if scored.scores:
                scored.scores[first:last] = [score] * n
    return scored


def between(tags: list[str], before: int, after: int) -> list[str]:
    """Tags between so many words that are O."""
    if isinstance(tags, Scored):
        return tags.between(before, after)
    return ["O"] * before + tags + ["O"] * after


def joined(parts: Sequence[list[str]]) -> list[str]:
    """The tags of a sentence that was tagged in parts; of its paths only the best is kept."""
    tags = [tag for part in parts for tag in part]
    scored = [part for part in parts if isinstance(part, Scored)]
    if len(scored) < len(parts) or not parts:
        return tags
    names = "scores", "opens", "closes"
    values = {name: [v for part in scored for v in getattr(part, name)] for name in names}
    whole = Scored(tags, **values, n_best=scored[0].n_best)
    if whole.n_best > 1:
        whole.paths = [Tagging(math.prod(part.paths[0].score for part in scored), tags)]
    return whole
