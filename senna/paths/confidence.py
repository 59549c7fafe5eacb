"""Requests to heads for more than tags: their probabilities, and other taggings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from senna.errors import SennaError
from senna.text.schemes import Phrase

MOST = 100  # paths that may be asked for


@dataclass(frozen=True)
class Asked:
    """Answers in addition to tags: probabilities, and `n_best` paths of each tagging."""

    scores: bool = False
    n_best: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.n_best <= MOST:
            raise SennaError(f"n_best = {self.n_best}", mend=f"Ask for 1 to {MOST}.")

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
