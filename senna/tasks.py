"""The table of tasks: what each finds, and the names of the parts that serve it.

A task is one record. `output` names its kind of output in `senna.kinds`, `head` what a network
has above its last layer. The tasks are listed in the order in which they are run and printed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from senna.errors import SennaError


class Task(NamedTuple):
    """One task."""

    name: str
    about: str  # for help
    output: str  # its kind of output: see `senna.kinds`
    head: str = "tags"  # what a network has above its last layer; "rules": it needs no model
    needs: tuple[str, ...] = ()  # tasks whose answers help to find, or complete, its own
    helped_by: tuple[str, ...] = ()  # tasks of the same model whose answers help to find its own
    hidden: bool = False  # input of other tasks; printed only on request
    corpora_of: str = ""  # the task whose corpora it learns from, if it has none of its own
    names: bool = False  # its phrases are names: a user may list them, a document repeats them
    about_predicates: bool = False  # its answers are about predicates, which are found or given
    may_be_input_column: bool = False  # the input may have a column of its tags
    independent: bool = False  # each word's tag is found by itself, whatever its neighbours have
    fields: tuple[str, ...] = ()  # of CoNLL-U that its answers fill; other answers go into MISC

    @property
    def is_tagging(self) -> bool:
        """Whether it gives each word one tag."""
        return self.head == "tags"


_TABLE = (
    Task("pos", "parts of speech", "tags", may_be_input_column=True, fields=("XPOS",)),
    Task(
        "lemma",
        "lemmas",
        "lemmas",
        head="lemmas",
        needs=("pos",),
        hidden=True,
        corpora_of="ud",
        independent=True,
        fields=("LEMMA",),
    ),
    Task(
        "upos",
        "universal parts of speech",
        "tags",
        needs=("pos",),
        hidden=True,
        corpora_of="ud",
        independent=True,
        fields=("UPOS",),
    ),
    Task(
        "feats",
        "morphological features",
        "tags",
        needs=("pos",),
        helped_by=("upos",),
        hidden=True,
        corpora_of="ud",
        independent=True,
        fields=("FEATS",),
    ),
    Task("pt0", "lowest constituents of the parse tree", "segments", hidden=True),
    Task("chunk", "phrases without nesting", "phrases"),
    Task("ner", "names", "phrases", names=True),
    Task("predicates", "words that are predicates", "marks", hidden=True, corpora_of="srl"),
    Task("srl", "roles of predicates", "roles", head="roles", about_predicates=True),
    Task(
        "psg", "parse trees", "trees", head="trees", needs=("pos",), hidden=True, corpora_of="trees"
    ),
    Task(
        "dep",
        "dependency trees",
        "dependencies",
        head="dependencies",
        helped_by=("upos", "feats", "psg"),
        hidden=True,
        corpora_of="ud",
        fields=("HEAD", "DEPREL"),
    ),
    Task("label", "labels of sentences", "labels", head="labels", hidden=True),
    Task("value", "dates, times, money and numbers", "values", head="rules", hidden=True),
)
TASKS = {task.name: task for task in _TABLE}
PARSER = next(task.name for task in _TABLE if task.head == "trees")  # its trees can be a feature
NAMES = next(task.name for task in _TABLE if task.names)
ROLES = next(task.name for task in _TABLE if task.about_predicates)
TAGGING = tuple(task.name for task in _TABLE if task.is_tagging)  # their tags can be features

RULED = tuple(task.name for task in _TABLE if task.head == "rules")  # by rules, only if named
LEARNT = tuple(task.name for task in _TABLE if task.head != "rules")

# Levels of parse trees can be features too: PT0 and four levels above it (the paper, figure 6).
N_LEVELS = 5
TREE_LEVELS = tuple(f"level-{i}" for i in range(N_LEVELS))


def task_of(name: str, where: str = "") -> Task:
    """The task of a name; SennaError for one that is not known."""
    if name not in TASKS:
        raise SennaError(
            f"unknown task {name!r}", where=where, remedy=f"Known: {', '.join(TASKS)}."
        )
    return TASKS[name]


def in_task_order(names: Iterable[str]) -> list[str]:
    """Names of tasks in the order of the table, each once."""
    chosen = set(names)
    return [name for name in TASKS if name in chosen]
