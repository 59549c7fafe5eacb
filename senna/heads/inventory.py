"""The core roles of verbs: no predicate has one that no sense of its verb has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from senna.text.iobes import FORBIDDEN

CORE = ("A0", "A1", "A2", "A3", "A4", "A5", "AA")
ENDINGS = (
    *(("s", ""), ("es", ""), ("ies", "y"), ("d", ""), ("ed", ""), ("ied", "y")),
    *(("ing", ""), ("ing", "e"), ("ying", "ie")),
)


class Inventory:
    """Penalties, by predicate, for tags that are no roles of its verb."""

    def __init__(self, lines: Iterable[str], names: Sequence[str]) -> None:
        """lines: some core roles, a tab, and the words that may have these alone; names: tags."""
        self.roles: dict[str, frozenset[str]] = {}
        for line in lines:
            roles, _, words = line.partition("\t")
            self.roles |= dict.fromkeys(words.split(" "), frozenset(roles.split(" ")))
        self.labels = [name[2:].removeprefix("C-").removeprefix("R-") for name in names]
        self.costs: dict[frozenset[str], NDArray[np.float32]] = {}

    def of(self, form: str) -> NDArray[np.float32]:
        """The cost of each tag for a predicate, (n_tags,): none for a word that is not known."""
        known = [self.roles[word] for word in bases(form.lower()) if word in self.roles]
        roles = frozenset(CORE) if not known else frozenset[str]().union(*known)
        if roles not in self.costs:
            barred = [label in CORE and label not in roles for label in self.labels]
            self.costs[roles] = np.array(barred, np.float32) * np.float32(FORBIDDEN)
        return self.costs[roles]


def bases(form: str) -> Iterator[str]:
    """The words of which a form may be a regular inflection, itself among them.

    >>> list(bases("stopping"))
    ['stopping', 'stopp', 'stoppe', 'stop']
    """
    yield form
    for ending, base in ENDINGS:
        if form.endswith(ending):
            yield form.removesuffix(ending) + base
    for ending in ("ed", "ing"):
        stem = form.removesuffix(ending)
        if stem != form and stem[-1:] == stem[-2:-1]:
            yield stem[:-1]
