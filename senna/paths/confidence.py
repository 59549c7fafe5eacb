"""Requests to heads for more than tags: probabilities, and other taggings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from senna.errors import SennaError
from senna.text.schemes import Phrase

MOST = 100  # paths that may be asked for


@dataclass(frozen=True)
class Asked:
    """Options for more than tags.

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
    """A request to a head, without the block that it reads.

    predicates: of each sentence, in order; fixed: phrases of each, which its tags must have.
    """

    asked: Asked = TAGS_ALONE
    predicates: Sequence[Sequence[int]] = ()
    fixed: Sequence[Sequence[Phrase]] = ()


PLAIN = Request()
