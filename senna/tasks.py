"""The table of tasks: what each gives, and the names of the parts that serve it.

A task is one record. It names parts as strings, and each layer maps the names to its own functions:
`gold` in `senna.training.data` and `senna.evaluation`, `scorer` in the latter, `head` in the
networks, `output` in `senna.writing.output`. The tasks stand in the order in which they are run and
printed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from senna.errors import SennaError


@dataclass(frozen=True)
class Task:
    """One task."""

    name: str
    about: str  # for help
    # a tag a word; IOBES phrases; roles a predicate; a tree a sentence
    output: Literal["tags", "phrases", "roles", "trees"]
    gold: Literal["columns", "segments", "predicates", "roles", "trees"] = (
        "columns"  # how it is read
    )
    head: Literal["tags", "roles", "trees"] = "tags"  # what a network has above its last layer
    scorer: Literal["accuracy", "phrases", "roles", "trees"] = "phrases"
    needs: tuple[str, ...] = ()  # tasks that must be done before it
    aside: bool = False  # it serves other tasks, and is printed only where asked for by name

    @property
    def is_tagging(self) -> bool:
        """Whether it gives each word one tag."""
        return self.output in ("tags", "phrases")


_TABLE = (
    Task("pos", "parts of speech", "tags", scorer="accuracy"),
    Task("pt0", "lowest constituents of the parse tree", "phrases", gold="segments", aside=True),
    Task("chunk", "phrases without nesting", "phrases"),
    Task("ner", "names", "phrases"),
    Task("predicates", "words that are predicates", "phrases", gold="predicates", aside=True),
    Task(
        "srl",
        "roles of predicates",
        "roles",
        gold="roles",
        head="roles",
        scorer="roles",
        needs=("predicates",),
    ),
    Task(
        "psg",
        "parse trees",
        "trees",
        gold="trees",
        head="trees",
        scorer="trees",
        needs=("pos",),
        aside=True,
    ),
)
TASKS = {task.name: task for task in _TABLE}
TAGGING = tuple(task.name for task in _TABLE if task.is_tagging)  # their tags can be features


def task_of(name: str, where: str = "") -> Task:
    """The task of a name; SennaError for one that is not known."""
    if name not in TASKS:
        raise SennaError(f"unknown task {name!r}", where=where, mend=f"Known: {', '.join(TASKS)}.")
    return TASKS[name]


def in_order(names: Iterable[str]) -> list[str]:
    """Names of tasks in the order of the table, each once."""
    chosen = set(names)
    return [name for name in TASKS if name in chosen]
