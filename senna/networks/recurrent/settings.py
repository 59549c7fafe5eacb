"""The settings of the recurrent network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from senna.products.cells import CellSettings
from senna.toml import FAR, SIZE, number

HEADS: tuple[str, ...] = ()  # it carries heads of all kinds


@dataclass(frozen=True)
class RecurrentConfig(CellSettings):
    """Layers of recurrent cells over the words of a sentence."""

    layers: int = number(1, 1, FAR, stored=True)
    skip: bool = False  # all layers read the words, and the heads read the states of all layers
    # labels: the layers read each span between punctuation, one more reads the last states of spans
    spans: bool = False
    distance: int = number(30, 1, FAR)  # roles: farther words count as so far away
    pair: int = number(200, 1, SIZE)  # roles: units of a predicate and a word together

    # The layers of roles have no convolutions: see `senna.outputs.roles.settings`.
    width: ClassVar[int] = 1
    pair_dilations: ClassVar[tuple[int, ...]] = ()

    @property
    def wrong(self) -> str:
        """What its cell does not have, or nothing."""
        for name in ("peephole", "tied"):
            if getattr(self, name) and self.cell != "lstm":
                return f'network.recurrent.{name} is of cell = "lstm", not of {self.cell!r}'
        return ""


SETTINGS = RecurrentConfig
