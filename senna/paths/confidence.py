"""What heads are asked for, and the probabilities of the tags that they find."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from senna.errors import SennaError
from senna.paths.scored import Scored, Tagging
from senna.paths.viterbi import Dense, Floats, Ints, Paths
from senna.text.schemes import Phrase

MOST = 100  # paths that may be asked for


@dataclass(frozen=True)
class Asked:
    """What is wanted in addition to tags.

    `scores`: probabilities. `n_best`: so many paths of each task that gives tags. `least`: phrases
    and arguments less probable than it are left out.
    """

    scores: bool = False
    n_best: int = 1
    least: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.least <= 1:
            raise SennaError(
                f"{self.least} is not a probability", mend="A probability is between 0 and 1."
            )
        if not 1 <= self.n_best <= MOST:
            raise SennaError(f"n_best = {self.n_best}", mend=f"Ask for 1 to {MOST}.")
        if self.n_best > 1 and self.least > 0:
            what = "n_best and min_confidence cannot be combined"
            raise SennaError(what, where="--nbest, --min-confidence")

    def __bool__(self) -> bool:
        return self.scores or self.n_best > 1 or self.least > 0


TAGS_ALONE = Asked()


class Request(NamedTuple):
    """What a head is asked for, beside what it reads of a block.

    predicates: of each sentence, in order; fixed: phrases of each, which its tags must have.
    """

    asked: Asked = TAGS_ALONE
    predicates: Sequence[Sequence[int]] = ()
    fixed: Sequence[Sequence[Phrase]] = ()


PLAIN = Request()


def scored(
    names: Sequence[str],
    paths: Dense | None,
    scores: Floats,
    lengths: Ints,
    path: Paths,
    asked: Asked,
    temperature: float,
) -> list[Scored]:
    """The tags of a path through sentences that lie end to end, with their probabilities.

    scores (n_words, n_tags), tags as in `names` and `paths.order`; path (n_words,). Without `paths`
    words are tagged each by itself.
    """
    from senna.paths.marginals import chances

    n = len(names)
    moves = paths or Dense(np.zeros((n, n), np.float32), np.zeros(n, np.float32))
    others = _others(moves, scores, lengths, path, asked.n_best)
    tried = [path, *(np.maximum(other, 0) for other in others)]
    with_outside = asked.least > 0 and "O" in names
    if with_outside:
        tried.append(np.full_like(path, names.index("O")))
    probable = chances(moves, scores, lengths, tried, temperature)
    words, opens, closes = (array.tolist() for array in probable[0])
    words = words if asked.scores else []
    outside = probable[-1].words.tolist() if with_outside else []
    sentences = []
    for end, length in zip(np.cumsum(lengths).tolist(), lengths.tolist(), strict=True):
        here = slice(end - length, end)
        tags = [names[i] for i in path[here].tolist()]
        sides = words[here], opens[here], closes[here], outside[here]
        sentence = Scored(tags, *sides, n_best=asked.n_best)
        sentences.append(sentence)
        if not (others and length):
            continue
        for chance, other in zip(probable, [path, *others], strict=False):
            if other[end - 1] >= 0:
                score = min(0.0, float(chance.opens[end - length] + chance.closes[end - 1]))
                tags = [names[i] for i in other[here].tolist()]
                sentence.paths.append(Tagging(math.exp(score), tags))
    return sentences


def _others(moves: Dense, scores: Floats, lengths: Ints, path: Paths, n: int) -> list[Paths]:
    """The best paths but one: -1 where a sentence has no such path."""
    if n == 1:
        return []
    from senna.paths.nbest import best_paths

    return list(best_paths(moves, scores, lengths, n)[1:])
