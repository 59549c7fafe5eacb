"""The window network at tagging time (section 3.3.1, eqs. 1 to 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from senna.errors import SennaError
from senna.infer.heads import TagHead
from senna.infer.lookup import WordTable
from senna.infer.network import Network
from senna.infer.products import LEVELS, Floats, Weights
from senna.infer.workspace import Block, Ints, Workspace, places_of
from senna.model.folder import ModelFolder
from senna.model.schema import AGAIN
from senna.toml import FAR, SIZE, number

CHUNK = 1_024  # words a step


@dataclass(frozen=True)
class WindowConfig:
    """Hidden layers that each see a window of words (section 3.3.1)."""

    widths: tuple[int, ...] = number(
        (5,), 1, FAR, odd=True, stored=True
    )  # words; later layers see one
    hidden: tuple[int, ...] = number((300,), 1, SIZE, stored=True)  # units of each hidden layer
    shared: int = number(1, 1, stored=True)  # with several tasks: how many hidden layers they share

    def completed(self, n_tasks: int) -> WindowConfig:
        """The same, with a width for each layer; one task has all layers for itself."""
        n = len(self.hidden)
        widths = (*self.widths, *[1] * (n - len(self.widths)))
        return WindowConfig(widths, self.hidden, self.shared if n_tasks > 1 else n)


class HiddenLayer:
    """A later hidden layer: HardTanh of a linear layer over a window of words.

    What goes in and out are whole numbers: `LEVELS` times values between -1 and 1.
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
            return self._hard_tanh(self.weights.apply(x))
        half = self.width // 2
        places = places_of(lengths, half)
        padded = np.zeros((len(x) + half * (len(lengths) + 1), x.shape[1]), np.float32)
        padded[places] = x
        y = np.empty((len(x), len(self.bias)), np.float32)
        for start in range(0, len(x), CHUNK):
            part = places[start : start + CHUNK]
            windows = [padded[part + k - half] for k in range(self.width)]
            self.weights.apply(np.concatenate(windows, axis=1), y[start : start + CHUNK])
        return self._hard_tanh(y)

    def _hard_tanh(self, y: Floats) -> Floats:
        y += self.bias
        np.clip(y, -LEVELS, LEVELS, out=y)  # eq. 5
        return np.rint(y, out=y)


class LayeredHead(TagHead):
    """The hidden layers of one task alone, and its output layer."""

    def __init__(self, folder: ModelFolder, task: str, settings: WindowConfig) -> None:
        super().__init__(folder, task, settings.hidden[-1], unit=1 / LEVELS)
        last = range(settings.shared, len(settings.hidden))
        self.layers = [HiddenLayer(folder, settings, task, i) for i in last]

    def scores(self, x: Floats, lengths: Ints) -> Floats:
        for layer in self.layers:
            x = layer(x, lengths)
        emissions = self.weights.apply(x)
        emissions += self.bias
        return emissions


class WindowNetwork(Network):
    """Hidden layers that see a window of words, the first ones shared by all tasks."""

    SETTINGS: ClassVar = WindowConfig

    def __init__(self, folder: ModelFolder, words: WordTable, settings: WindowConfig) -> None:
        if not settings.shared <= len(settings.hidden) == len(settings.widths):
            what = "network.window: its lists do not fit each other"
            raise SennaError(what, where=str(folder.path / "model.toml"), mend=AGAIN)
        super().__init__(folder, words, settings.widths[0], settings.hidden[0])
        self.shared = [HiddenLayer(folder, settings, "", i) for i in range(1, settings.shared)]
        self.add_heads(tags=lambda folder, task: LayeredHead(folder, task, settings))

    def encode(self, block: Block, space: Workspace) -> Floats:
        """See `Network.encode`; whole numbers, as `HiddenLayer` has them."""
        x = self.first(block, space)
        np.clip(x, -1.0, 1.0, out=x)  # HardTanh, eq. 5
        x *= np.float32(LEVELS)
        np.rint(x, out=x)
        for layer in self.shared:
            x = layer(x, block.lengths)
        return x
