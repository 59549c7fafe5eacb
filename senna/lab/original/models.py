"""The original's networks by task, each loaded when it is asked for, and an inventory of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

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

    def network(self, task: str) -> Any:
        """The network of a task."""
        if task not in self._loaded:
            self._loaded[task] = _NETWORKS[task](self._folder.weights(task))
        return self._loaded[task]

    def labels(self, name: str) -> list[str]:
        """The labels of a network's classes; of psg its `psg-left` and `psg-right`."""
        labels = self._folder.entries(name)
        if self.network(name.partition("-")[0]).n_classes > len(labels):
            raise FatalError("hash index out of bounds")
        return labels

    def inventory(self) -> Iterator[str]:
        """Load everything, in the original's order, and report the sizes of the networks."""
        for name in (*SEARCHED, *NAMES, *LABELS):
            self._folder.entries(name)
        for task in _NETWORKS:
            self.network(task)
        for task in _NETWORKS:
            yield from _sizes(task, self.network(task))
        yield "ready"


_TABLES = {
    "pos": ("word", "caps", "suffix"),
    "ner": ("word", "caps", "loc", "misc", "other", "loc"),
    "srl": ("word", "caps", "verb position", "word position"),
    "psg": ("word", "caps", "pos", "psg"),
}


def _sizes(task: str, network: Any) -> Iterator[str]:
    tables = list(network.input.tables)
    if task == "srl":
        tables[2:] = network.to_verb, network.to_word
        window = f"window size: {network.size}"
        hidden = [
            f" (convolution): {len(network.bias)}",
            f" (hidden layer): {len(network.hidden.bias)}",
        ]
    elif task == "psg":
        window = f"max window size: {len(network.by_distance)}"
        hidden = [f": {len(network.first.bias)} [1]", f": {len(network.hidden.bias)} [2]"]
    else:
        tables[5:] = tables[2:3] * (task == "ner")  # the original tells of its first list twice
        window = f"window size: {network.size}"
        hidden = [f": {len(network.first.bias)}"]
    yield f"{task}: {window}"
    for name, table in zip(_TABLES.get(task, ("word", "caps", "pos")), tables, strict=True):
        yield f"{task}: vector size in {name} lookup table: {table.shape[1]}"
        yield f"{task}: {name} lookup table size: {len(table)}"
    for units in hidden:
        yield f"{task}: number of hidden units{units}"
    yield f"{task}: number of classes: {network.n_classes}"
