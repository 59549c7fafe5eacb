"""Tags with what is thought of them: probabilities, and other paths through the same words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from senna.errors import SennaError
from senna.infer.decode.paths import Dense, Floats, Ints, Paths
from senna.text import schemes
from senna.text.roles import VERB, Predicate

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
    """The tags of a sentence's words, and what is thought of them.

    `opens[i] + closes[k]`: the logarithm of the probability of the tags of words i to k together.
    Where they were asked for, `scores`: that of each word's tag; `outside`: that of O in its place;
    `paths`: the `n_best` best, these tags first, or fewer where there are no more.
    """

    def __init__(
        self,
        tags: Sequence[str] = (),
        scores: Sequence[float] = (),
        opens: Sequence[float] = (),
        closes: Sequence[float] = (),
        outside: Sequence[float] = (),
        n_best: int = 1,
    ) -> None:
        super().__init__(tags)
        self.scores, self.opens, self.closes = list(scores), list(opens), list(closes)
        self.outside, self.n_best = list(outside), n_best
        self.paths: list[Path] = []

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
            one[0] + self.scores + one[1] if self.scores else (),
            own[0] + self.opens + own[1],
            own[0] + self.closes + own[1],
            one[0] + self.outside + one[1] if self.outside else (),
        )

    def certain(self, least: float, kept: str = "") -> Scored:
        """The same with O in place of the phrases less probable than `least`, but for one label."""
        made = Scored(self, self.scores, self.opens, self.closes, self.outside)
        for first, last, label in schemes.phrases_of(self, "iobes"):
            if label != kept and round(self.span(first, last), DIGITS) < least:
                made[first:last] = ["O"] * (last - first)
                if self.scores:
                    made.scores[first:last] = self.outside[first:last]
        return made


def joined(parts: Sequence[list[str]]) -> list[str]:
    """The tags of a sentence that was tagged in parts; of its paths the best alone is left."""
    tags = [tag for part in parts for tag in part]
    scored = [part for part in parts if isinstance(part, Scored)]
    if len(scored) < len(parts) or not parts:
        return tags
    names = "scores", "opens", "closes", "outside"
    values = {name: [v for part in scored for v in getattr(part, name)] for name in names}
    made = Scored(tags, **values, n_best=scored[0].n_best)
    if made.n_best > 1:
        made.paths = [Path(math.prod(part.paths[0].score for part in scored), tags)]
    return made


def certain(found: Any, least: float) -> Any:
    """What a task finds in a sentence without the phrases, or arguments, that are doubtful."""
    if isinstance(found, Scored):
        return found.certain(least) if found.outside else found
    if not isinstance(found, list):
        return found
    return [
        own._replace(tags=own.tags.certain(least, VERB))
        if isinstance(own, Predicate) and isinstance(own.tags, Scored)
        else own
        for own in found
    ]


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
    from senna.infer.decode.marginals import chances

    n = len(names)
    moves = paths or Dense(np.zeros((n, n), np.float32), np.zeros(n, np.float32))
    others = _others(moves, scores, lengths, path, asked.n_best)
    tried = [path, *(np.maximum(own, 0) for own in others)]
    with_outside = asked.least > 0 and "O" in names
    if with_outside:
        tried.append(np.full_like(path, names.index("O")))
    found = chances(moves, scores, lengths, tried, temperature)
    words, opens, closes = (own.tolist() for own in found[0])
    words = words if asked.scores else []
    outside = found[-1].words.tolist() if with_outside else []
    made = []
    for end, length in zip(np.cumsum(lengths).tolist(), lengths.tolist(), strict=True):
        own = slice(end - length, end)
        tags = [names[i] for i in path[own].tolist()]
        sides = words[own], opens[own], closes[own], outside[own]
        made.append(Scored(tags, *sides, n_best=asked.n_best))
        for told, other in zip(found, [path, *others], strict=False) if others and length else ():
            if other[end - 1] >= 0:
                score = min(0.0, float(told.opens[end - length] + told.closes[end - 1]))
                tags = [names[i] for i in other[own].tolist()]
                made[-1].paths.append(Path(math.exp(score), tags))
    return made


def _others(moves: Dense, scores: Floats, lengths: Ints, path: Paths, n: int) -> list[Paths]:
    """The best paths but one: -1 where a sentence has no such path."""
    if n == 1:
        return []
    from senna.infer.decode.nbest import best_paths

    return list(best_paths(moves, scores, lengths, n)[1:])
