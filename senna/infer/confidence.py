"""Tags with what is thought of them: probabilities, and other paths through the same words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from senna.errors import SennaError
from senna.infer.paths import Dense, Floats, Ints, Paths
from senna.text import schemes

DIGITS = 3  # of probabilities that are printed or compared with a threshold
MOST = 100  # paths that may be asked for


@dataclass(frozen=True)
class Asked:
    """What is wanted beside tags.

    `scores`: probabilities. `n_best`: so many paths of each task that gives tags. `least`: phrases
    and arguments less probable than it are left out.
    """

    scores: bool = False
    n_best: int = 1
    least: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.least <= 1:
            raise SennaError(f"{self.least} is no probability", mend="It lies between 0 and 1.")
        if not 1 <= self.n_best <= MOST:
            raise SennaError(f"{self.n_best} best paths", mend=f"Ask for 1 to {MOST}.")
        if self.n_best > 1 and self.least > 0:
            what = "the best paths, or what is certain of the best: not both"
            raise SennaError(what, where="--nbest, --min-confidence")

    def __bool__(self) -> bool:
        return self.scores or self.n_best > 1 or self.least > 0


TAGS_ALONE = Asked()


class Path(NamedTuple):
    """Tags of a whole sentence, and how probable it is that all of them are right."""

    score: float
    tags: list[str]


class Scored(list[str]):
    """The tags of a sentence's words, and the probability of each, `scores`.

    `opens[i] + closes[k]` is the logarithm of that of the tags of words i to k together; `outside`
    the probability of O at each word and `paths` the best ones, where they were asked for.
    """

    def __init__(
        self,
        tags: Sequence[str],
        scores: Sequence[float],
        opens: Sequence[float],
        closes: Sequence[float],
        outside: Sequence[float] = (),
        paths: Sequence[Path] = (),
    ) -> None:
        super().__init__(tags)
        self.scores, self.opens, self.closes = list(scores), list(opens), list(closes)
        self.outside, self.paths = list(outside), list(paths)

    def span(self, first: int, last: int) -> float:
        """The probability of the tags of words [first, last) together."""
        return min(1.0, math.exp(min(0.0, self.opens[first] + self.closes[last - 1])))

    @property
    def spans(self) -> list[float]:
        """The probability of each phrase, from its first word to its last and of its type."""
        return [self.span(own.start, own.end) for own in schemes.phrases_of(self, "iobes")]

    def between(self, before: int, after: int) -> Scored:
        """The same between so many words that are O for certain."""
        own = [0.0] * before, [0.0] * after
        one = [1.0] * before, [1.0] * after
        return Scored(
            ["O"] * before + self + ["O"] * after,
            one[0] + self.scores + one[1],
            own[0] + self.opens + own[1],
            own[0] + self.closes + own[1],
            one[0] + self.outside + one[1],
        )

    def certain(self, least: float, kept: str = "") -> Scored:
        """The same with O in place of the phrases less probable than `least`, but for one label."""
        made = Scored(self, self.scores, self.opens, self.closes, self.outside)
        for first, last, label in schemes.phrases_of(self, "iobes"):
            if label != kept and round(self.span(first, last), DIGITS) < least:
                made[first:last] = ["O"] * (last - first)
                made.scores[first:last] = self.outside[first:last]
        return made


def joined(parts: Sequence[list[str]]) -> list[str]:
    """The tags of a sentence that was tagged in parts; of its paths the best alone is left."""
    tags = [tag for part in parts for tag in part]
    scored = [part for part in parts if isinstance(part, Scored)]
    if len(scored) < len(parts) or not parts:
        return tags
    names = "scores", "opens", "closes", "outside"
    made = Scored(tags, *([v for p in scored for v in getattr(p, name)] for name in names))
    if all(part.paths for part in scored):
        made.paths = [Path(math.prod(part.paths[0].score for part in scored), tags)]
    return made


def scored(
    names: Sequence[str],
    paths: Dense | None,
    scores: Floats,
    lengths: Ints,
    path: Paths,
    asked: Asked,
    temperature: float,
) -> list[Scored]:
    """The tags of a path through sentences that lie end to end, and what is thought of them.

    scores (n_words, n_tags), tags as in `names` and `paths.order`; path (n_words,). Without `paths`
    words are tagged each by itself.
    """
    from senna.infer.marginals import chances

    n = len(names)
    moves = paths or Dense(np.zeros((n, n), np.float32), np.zeros(n, np.float32))
    others = _others(moves, scores, lengths, path, asked.n_best)
    tried = [path, *(np.maximum(own, 0) for own in others)]
    if asked.least:
        tried.append(np.full_like(path, names.index("O")) if "O" in names else path)
    found = chances(moves, scores, lengths, tried, temperature)
    columns = [own.tolist() for own in found[0]]
    columns.append(found[-1].words.tolist() if asked.least else [])
    made = []
    for end, length in zip(np.cumsum(lengths).tolist(), lengths.tolist(), strict=True):
        own = slice(end - length, end)
        made.append(Scored([names[i] for i in path[own].tolist()], *(c[own] for c in columns)))
        for k, other in enumerate([path, *others] if asked.n_best > 1 and length else ()):
            if other[end - 1] >= 0:
                score = min(0.0, float(found[k].opens[end - length] + found[k].closes[end - 1]))
                made[-1].paths.append(Path(math.exp(score), [names[i] for i in other[own].tolist()]))
    return made


def _others(moves: Dense, scores: Floats, lengths: Ints, path: Paths, n: int) -> list[Paths]:
    """The best paths but one: -1 where a sentence has no such path."""
    if n == 1:
        return []
    from senna.infer.nbest import best_paths

    return list(best_paths(moves, scores, lengths, n)[1:])
