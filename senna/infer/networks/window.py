"""The window network at tagging time (section 3.3.1, eqs. 1 to 5)."""

from __future__ import annotations

import numpy as np

from senna.infer.heads import TagHead
from senna.infer.lookup import WordTable
from senna.infer.network import Network
from senna.infer.products import LEVELS, Floats, Weights
from senna.infer.workspace import Block, Ints, Workspace, places_of
from senna.model.folder import ModelFolder

CHUNK = 1_024  # words a step


class Hidden:
    """A later hidden layer: HardTanh of a linear layer over a window of words.

    What goes in and out are whole numbers: `LEVELS` times values between -1 and 1.
    """

    def __init__(self, folder: ModelFolder, task: str, number: int) -> None:
        """Layer `number` of the network, shared by all tasks or (`task`) of one."""
        own = folder.meta["network"]["window"]
        size, units = own["hidden"][number - 1 : number + 1]
        self.width: int = own["widths"][number]
        name = f"{task}.layer-{number}" if task else f"layer-{number}"
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
    """Hidden layers of a task's own, and its output layer."""

    def __init__(self, folder: ModelFolder, task: str) -> None:
        own = folder.meta["network"]["window"]
        super().__init__(folder, task, own["hidden"][-1], unit=1 / LEVELS)
        last = range(own["shared"], len(own["hidden"]))
        self.layers = [Hidden(folder, task, i) for i in last]

    def scores(self, x: Floats, lengths: Ints) -> Floats:
        """See `TagHead.scores`."""
        for layer in self.layers:
            x = layer(x, lengths)
        found = self.weights.apply(x)
        found += self.bias
        return found


class WindowNetwork(Network):
    """Hidden layers that see a window of words, the first ones shared by all tasks."""

    def __init__(self, folder: ModelFolder, words: WordTable) -> None:
        own = folder.meta["network"]["window"]
        super().__init__(folder, words, own["widths"][0], own["hidden"][0], narrow=True)
        self.shared = [Hidden(folder, "", i) for i in range(1, own["shared"])]
        self.add_heads(LayeredHead)

    def encode(self, block: Block, space: Workspace) -> Floats:
        """See `Network.encode`; whole numbers, as `Hidden` has them."""
        steps = self.first(block, space)
        np.clip(steps, -self.first.steps, self.first.steps, out=steps)  # HardTanh, eq. 5
        x = steps.astype(np.float32)
        x *= np.float32(LEVELS / self.first.steps)
        np.rint(x, out=x)
        for layer in self.shared:
            x = layer(x, block.lengths)
        return x
