"""The original's networks by task, each loaded when it is asked for, and an inventory of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

from senna.classic.options import FatalError
from senna.lab.original.folder import Folder, Weights
from senna.lab.original.networks import RolesNetwork, WindowNetwork
from senna.lab.original.parse import ParseNetwork

# The lists in the order in which the original loads them; those of names have marks beside them.
SEARCHED = ("words", "caps", "suffix", "gazetteer")
NAMES = ("ner.loc", "ner.msc", "ner.org", "ner.per")
LABELS = ("pos", "chk", "pt0", "ner", "vbs", "srl", "psg-left", "psg-right")

_NETWORKS: dict[str, Callable[[Weights], Any]] = {
    "pos": lambda file: WindowNetwork(file, 3),
    "chk": lambda file: WindowNetwork(file, 3),
    "pt0": lambda file: WindowNetwork(file, 3),
    "ner": lambda file: WindowNetwork(file, 6),
    "vbs": lambda file: WindowNetwork(file, 3, paths=False),
    "srl": RolesNetwork,
    "psg": ParseNetwork,
}


class Models:
    """Networks, and the labels of their classes."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._loaded: dict[str, Any] = {}

    def windows(self, task: str) -> WindowNetwork:
        """A network of windows: pos, chk, pt0, ner or vbs."""
        return cast(WindowNetwork, self._of(task))

    @property
    def roles(self) -> RolesNetwork:
        """The network of srl."""
        return cast(RolesNetwork, self._of("srl"))

    @property
    def parses(self) -> ParseNetwork:
        """The network of psg."""
        return cast(ParseNetwork, self._of("psg"))

    def labels(self, name: str) -> list[str]:
        """The labels of a network's classes; of psg its `psg-left` and `psg-right`."""
        labels = self._folder.entries(name)
        if self._of(name.partition("-")[0]).n_classes > len(labels):
            raise FatalError("hash index out of bounds")
        return labels

    def _of(self, task: str) -> Any:
        if task not in self._loaded:
            self._loaded[task] = _NETWORKS[task](self._folder.weights(task))
        return self._loaded[task]

    def inventory(self) -> Iterator[str]:
        """Load everything, in the original's order, and report the sizes of the networks."""
        for name in (*SEARCHED, *NAMES, *LABELS):
            self._folder.entries(name)
        for task in _NETWORKS:
            self._of(task)
        for task in ("pos", "chk", "pt0", "ner", "vbs"):
            yield from _of_windows(task, self.windows(task))
        yield from _of_roles(self.roles)
        yield from _of_parses(self.parses)
        yield "ready"


_THIRD = {
    "pos": ("suffix",),
    "ner": ("loc", "misc", "other", "loc"),  # the original tells of the first list of names twice
}  # fmt: skip


def _table(task: str, name: str, table: Any) -> Iterator[str]:
    yield f"{task}: vector size in {name} lookup table: {table.shape[1]}"
    yield f"{task}: {name} lookup table size: {len(table)}"


def _of_windows(task: str, network: WindowNetwork) -> Iterator[str]:
    tables = network.input.tables
    names = ("word", "caps", *_THIRD.get(task, ("pos",)))
    if task == "ner":
        tables = [*tables[:5], tables[2]]
    yield f"{task}: window size: {network.size}"
    for name, table in zip(names, tables, strict=True):
        yield from _table(task, name, table)
    yield f"{task}: number of hidden units: {len(network.first.bias)}"
    yield f"{task}: number of classes: {network.n_classes}"


def _of_roles(network: RolesNetwork) -> Iterator[str]:
    yield f"srl: window size: {network.size}"
    tables = (*network.input.tables[:2], network.to_verb, network.to_word)
    names = ("word", "caps", "verb position", "word position")
    for name, table in zip(names, tables, strict=True):
        yield from _table("srl", name, table)
    yield f"srl: number of hidden units (convolution): {len(network.bias)}"
    yield f"srl: number of hidden units (hidden layer): {len(network.hidden.bias)}"
    yield f"srl: number of classes: {network.n_classes}"


def _of_parses(network: ParseNetwork) -> Iterator[str]:
    yield f"psg: max window size: {len(network.by_distance)}"
    for name, table in zip(("word", "caps", "pos", "psg"), network.input.tables, strict=True):
        yield from _table("psg", name, table)
    yield f"psg: number of hidden units: {len(network.first.bias)} [1]"
    yield f"psg: number of hidden units: {len(network.hidden.bias)} [2]"
    yield f"psg: number of classes: {network.n_classes}"
