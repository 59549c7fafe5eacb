"""The settings of a server, and a request as it goes to a worker."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from senna.tasks import TAGGING, TASKS

PACKAGE = "senna"  # the name under which the models of the package are published
ARCS = "dependencies"  # the kind of output that is drawn as arcs
JSON = "json"  # the format of an answer where none is asked for
SMALL = 12_288  # characters of a request that is tagged together with others, and in one part
USUAL = tuple(name for name in TASKS if not TASKS[name].hidden)
NAMES = tuple(name for name in TASKS if TASKS[name].names)
TOGETHER = ("text", "html", "lines", "tokens")  # inputs of which several may be tagged together


class View(NamedTuple):
    """A view of the page: its name, a line on it, the tasks that are shown if a model has them."""

    called: str
    about: str
    tasks: tuple[str, ...]
    usual: tuple[str, ...] = USUAL  # those of the package's models that are shown, if any of them


VIEWS = {
    "names": View("Names", "Names of people, places, organisations and others.", NAMES),
    "roles": View(
        "Roles",
        "Who did what to whom: the arguments of a verb. Choose another verb by a click.",
        tuple(name for name in TASKS if TASKS[name].head == "roles"),
    ),
    "tree": View(
        "Tree",
        "The phrases of each sentence, which consist of smaller ones; in rows if it is long.",
        tuple(name for name in TASKS if TASKS[name].head == "trees"),
    ),
    "arcs": View(
        "Dependencies",
        "An arrow from each word to those that depend on it, with the relation.",
        tuple(name for name in TASKS if TASKS[name].output == ARCS),
    ),
    "table": View(
        "Table",
        "A row per word: where it starts, its tags, and its role for each verb.",
        tuple(TASKS),
        (*USUAL, "lemma", "upos", "dep"),
    ),
    "confidence": View(
        "Confidence",
        "How probable each tag is: the darker, the more doubtful. Below it, the next best choice.",
        TAGGING,
    ),
    "compare": View(
        "Compare", "The tags of two models; those that differ are outlined.", tuple(TASKS)
    ),
}


@dataclass(frozen=True)
class Settings:
    """The settings of a server: see `senna serve --help`."""

    host: str = "127.0.0.1"
    port: int = 8080  # 0: any that is free
    models: Mapping[str, str] = field(default_factory=dict)  # by published name: a name or a folder
    jobs: int = 1  # processes
    max_bytes: int = 1_000_000  # of a request
    timeout: float = 30.0  # seconds for a request
    origins: tuple[str, ...] = ()  # of other sites whose pages may send requests
    quiet: bool = False  # without a log of requests


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

    @property
    def is_small(self) -> bool:
        """Whether it may be tagged together with others."""
        together = self.view != "compare" and self.options.get("input", "text") in TOGETHER
        return together and self.size <= SMALL


def answering(models: Mapping[str, str]) -> Callable[[Any], Any]:
    """The function that a worker calls with messages (see `senna.serve.workers`), loaded there."""
    if hasattr(os, "setsid"):  # Ctrl-C is for the server alone, which lets its processes finish
        os.setsid()
    from senna.serve.tagging import Tagger

    tagger = Tagger(models)
    tagger.answers([Work(["Ann met Bob."])])
    return tagger
