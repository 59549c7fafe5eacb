"""The settings of the recurrent network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from senna.products.cells import CellSettings
from senna.toml import FAR, SIZE, number, setting

HEADS: tuple[str, ...] = ()  # it carries heads of all kinds


@dataclass(frozen=True)
class RecurrentConfig(CellSettings):
    """Layers of recurrent cells over the words of a sentence."""

    layers: int = number(1, 1, FAR, stored=True)
    # all layers read the words, and the heads read the states of all layers
    skip: bool = setting(False, used="layers>1")
    # the layers read each span between punctuation, one more reads the last states of spans
    spans: bool = setting(False, needs="tasks=labels")
    distance: int = number(30, 1, FAR, used="tasks=roles")  # farther words count as so far away
    # units of a predicate and a word together
    pair: int = number(200, 1, SIZE, used="tasks=roles")

    # The layers of roles have no convolutions: see `senna.heads.settings`.
    width: ClassVar[int] = 1
    pair_dilations: ClassVar[tuple[int, ...]] = ()


SETTINGS = RecurrentConfig
