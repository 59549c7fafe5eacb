"""The window network at tagging time (eqs. 1 to 5): see `senna.training.networks.window`."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from senna.inference.exact import LEVELS, Floats, Weights
from senna.inference.lookup import WordTable
from senna.inference.networks.base import Network
from senna.inference.networks.settings import WindowConfig
from senna.inference.workspace import Block, Ints, Workspace, places_of
from senna.kinds.head import read_tags
from senna.kinds.labels.head import LabelHead
from senna.kinds.roles.head import Pairs, RoleHead
from senna.kinds.tags.head import TagHead
from senna.model.folder import ModelFolder
from senna.model.schema import damaged

CHUNK = 1_024  # words per step


class HiddenLayer:
    """A later hidden layer: a linear layer over a window of words, and HardTanh.

    What goes in and out is whole numbers: `LEVELS` times values from -1 to 1.
    """

    def __init__(self, folder: ModelFolder, settings: WindowConfig, task: str, place: int) -> None:
        """Layer `place` of the network, shared by all tasks or (`task`) of one."""
        size, units = settings.hidden[place - 1 : place + 1]
        self.width = settings.widths[place]
        name = f"{task}.layer-{place}" if task else f"layer-{place}"
        self.weights = Weights.of(folder.array(f"{name}.weight", self.width * size, units))
        self.bias = folder.array(f"{name}.bias", units) * np.float32(LEVELS)

    def __call__(self, x: Floats, lengths: Ints) -> Floats:
        """(n_words, size) to (n_words, units); zeros stand beyond sentence ends."""
        if self.width == 1:
            return self._applied(self.weights.apply(x))
        half = self.width // 2
        places = places_of(lengths, half)
        padded = np.zeros((len(x) + half * (len(lengths) + 1), x.shape[1]), np.float32)
        padded[places] = x
        y = np.empty((len(x), len(self.bias)), np.float32)
        for start in range(0, len(x), CHUNK):
            part = places[start : start + CHUNK]
            windows = [padded[part + k - half] for k in range(self.width)]
            rows = y[start : start + CHUNK]
            self.weights.apply(np.concatenate(windows, axis=1), rows)
        return self._applied(y)

    def _applied(self, sums: Floats) -> Floats:
        sums += self.bias
        hard_tanh(sums)
        return sums


def hard_tanh(sums: Floats) -> None:
    """`LEVELS` times HardTanh of sums, `LEVELS` times each, as whole numbers; in place (eq. 5)."""
    np.clip(sums, -LEVELS, LEVELS, out=sums)
    np.rint(sums, out=sums)


def _layers_of(task: str, folder: ModelFolder, settings: WindowConfig) -> list[HiddenLayer]:
    last = range(settings.shared, len(settings.hidden))
    return [HiddenLayer(folder, settings, task, i) for i in last]


class LayeredHead(TagHead):
    """The hidden layers of one task alone, and its output layer."""

    def __init__(self, folder: ModelFolder, task: str, settings: WindowConfig) -> None:
        super().__init__(folder, task, settings.hidden[-1], unit=1 / LEVELS)
        self.layers = _layers_of(task, folder, settings)

    def scores(self, x: Floats, lengths: Ints) -> Floats:
        for layer in self.layers:
            x = layer(x, lengths)
        emissions = self.weights.apply(x)
        emissions += self.bias
        return emissions


class LayeredLabels(LabelHead):
    """The same for the labels of sentences: pooling lies between."""

    def __init__(self, folder: ModelFolder, task: str, settings: WindowConfig) -> None:
        super().__init__(folder, task, settings.hidden[-1])
        self.layers = _layers_of(task, folder, settings)

    def scores(self, x: Floats, lengths: Ints) -> Floats:
        for layer in self.layers:
            x = layer(x, lengths)
        return super().scores(x * np.float32(1 / LEVELS), lengths)


class LinearHead(TagHead):
    """The tags of one task of a linear network, whose first layer gives the scores of all tasks."""

    def __init__(self, folder: ModelFolder, task: str, first: int) -> None:
        """first: the column of the task's first tag."""
        super().__init__(folder, task, units=0)
        self.columns = first + np.array([self.tags.index(name) for name in self.names])

    def scores(self, x: Floats, lengths: Ints) -> Floats:
        return np.take(x, self.columns, axis=1)


class LinearRoles(RoleHead):
    """The roles of a linear network: scores of words, and of their distances from predicates."""

    def __init__(self, folder: ModelFolder, task: str, first: int, settings: WindowConfig) -> None:
        """first: the column of the task's first tag."""
        super().__init__(folder, task, units=0)
        order = np.array([self.tags.index(name) for name in self.names])
        self.columns = first + order
        rows = folder.array(f"{task}.distance", 2 * settings.distance + 1, len(order))
        self.distance = rows[:, order]

    def hidden(self, x: Floats, lengths: Ints) -> Floats:
        return np.take(x, self.columns, axis=1)

    def scores(self, x: Floats, hidden: Floats, pairs: Pairs) -> Floats:
        clip = len(self.distance) // 2
        scores = np.take(hidden, pairs.words, axis=0)
        scores += self.distance[np.clip(pairs.away, -clip, clip) + clip]
        return scores


class WindowNetwork(Network):
    """Hidden layers that see a window of words, the first ones shared by all tasks.

    Without hidden layers it is linear: the output layers of all tasks are its first layer.
    """

    SETTINGS: ClassVar = WindowConfig

    def __init__(self, folder: ModelFolder, words: WordTable, settings: WindowConfig) -> None:
        if not settings.shared <= settings.layers == len(settings.widths):
            what = "network.window: its lists do not fit each other"
            raise damaged(what, folder.path / "model.toml")
        self.linear = not settings.hidden
        if self.linear:
            sizes = {task: len(read_tags(folder, task)) for task in folder.tasks}
            first = dict(zip(sizes, np.cumsum([0, *sizes.values()]).tolist(), strict=False))
            layers = {f"{task}.output": n for task, n in sizes.items()}
            super().__init__(folder, words, settings.widths[0], layers)
            self.add_heads(
                tags=lambda folder, task: LinearHead(folder, task, first[task]),
                roles=lambda folder, task: LinearRoles(folder, task, first[task], settings),
            )
            return
        super().__init__(folder, words, settings.widths[0], settings.hidden[0])
        self.shared = [HiddenLayer(folder, settings, "", i) for i in range(1, settings.shared)]
        self.add_heads(
            tags=lambda folder, task: LayeredHead(folder, task, settings),
            labels=lambda folder, task: LayeredLabels(folder, task, settings),
        )

    def encode(self, block: Block, space: Workspace) -> Floats:
        x = self.first(block, space)
        if self.linear:
            return x
        x *= np.float32(LEVELS)
        hard_tanh(x)
        for layer in self.shared:
            x = layer(x, block.lengths)
        return x


NETWORK = WindowNetwork
