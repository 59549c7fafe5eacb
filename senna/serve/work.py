"""A request as it goes to a worker."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from senna.tasks import TAGGING, TASKS

ARCS = "dependencies"  # the kind of output that is drawn as arcs
SMALL = 12_288  # characters of a request that is tagged together with others, and in one part
TOGETHER = ("text", "html", "lines", "tokens")  # inputs of which several may be tagged together


class View(NamedTuple):
    """The views of the page: the name of each, and the tasks that are shown if a model has them."""

    called: str
    tasks: tuple[str, ...]


VIEWS = {
    "names": View("Names", tuple(task.name for task in TASKS.values() if task.names)),
    "roles": View("Roles", tuple(name for name in TASKS if TASKS[name].head == "roles")),
    "tree": View("Tree", tuple(name for name in TASKS if TASKS[name].head == "trees")),
    "arcs": View("Dependencies", tuple(name for name in TASKS if TASKS[name].output == ARCS)),
    "table": View("Table", tuple(TASKS)),
    "confidence": View("Confidence", TAGGING),
    "compare": View("Compare", tuple(TASKS)),
}


@dataclass(frozen=True)
class Work:
    """A request: texts, or the words of sentences, and options of tagging.

    `several`: the answer is one of a list of texts. `view`: drawings for the page in place of a
    format, `width` pixels wide; `other` is the model that is compared.
    """

    texts: list[str] = field(default_factory=list)
    tokens: list[list[str]] | None = None
    options: dict[str, Any] = field(default_factory=dict)
    several: bool = False
    view: str = ""
    width: float = 0
    other: str = ""

    @property
    def size(self) -> int:
        """About how many characters it has."""
        words = sum(sum(map(len, words)) + len(words) for words in self.tokens or ())
        return sum(map(len, self.texts)) + words


def is_small(work: Work) -> bool:
    """Whether a request may be tagged together with others."""
    return (
        work.view != "compare"
        and work.size <= SMALL
        and work.options.get("input", "text") in TOGETHER
    )
