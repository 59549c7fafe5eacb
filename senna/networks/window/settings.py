"""The settings of the window network."""

from __future__ import annotations

from dataclasses import dataclass, replace

from senna.products.units import UNITS
from senna.toml import FAR, SIZE, choice, number

HEADS: tuple[str, ...] = ("tags", "roles", "labels")  # roles without hidden layers, labels with


@dataclass(frozen=True)
class WindowConfig:
    """Hidden layers that each see a window of words (section 3.3.1)."""

    # words; later layers see one
    widths: tuple[int, ...] = number((5,), 1, FAR, odd=True, stored=True)
    # units of each hidden layer; []: a linear network, whose only layer gives the scores of tags
    hidden: tuple[int, ...] = number((300,), 1, SIZE, empty=True, stored=True)
    shared: int = number(1, 1, stored=True, used="tasks>1")  # how many hidden layers they share
    unit: str = choice("hardtanh", *UNITS, needs="hidden")  # what hidden units make of a sum
    distance: int = number(30, 1, FAR, used="tasks=roles")  # farther words count as so far away

    def completed(self, n_tasks: int) -> WindowConfig:
        """The same, with a width for each layer; one task has all layers for itself."""
        n = self.layers
        widths = (*self.widths, *[1] * (n - len(self.widths)))
        return replace(self, widths=widths, shared=self.shared if n_tasks > 1 else n)

    @property
    def layers(self) -> int:
        """How many layers see a window: the hidden ones, or a linear network's only one."""
        return max(len(self.hidden), 1)


SETTINGS = WindowConfig
