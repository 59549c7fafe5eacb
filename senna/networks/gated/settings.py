"""The settings of the gated network."""

from __future__ import annotations

from dataclasses import dataclass

from senna.toml import FAR, SIZE, number

HEADS: tuple[str, ...] = ()  # it carries heads of all kinds
SRL = "tasks=roles"


@dataclass(frozen=True)
class GatedConfig:
    """Gated convolutions, once per sentence; for roles a few more, for each predicate."""

    units: int = number(300, 1, SIZE, stored=True)  # of the encoder
    width: int = number(3, 1, FAR, odd=True, stored=True)  # words each convolution sees
    # how far apart they are
    dilations: tuple[int, ...] = number((1, 2, 4, 8, 1, 2), 1, FAR, stored=True)
    distance: int = number(30, 1, FAR, stored=True, used=SRL)  # farther words count as so far away
    pair: int = number(200, 1, SIZE, used=SRL)  # units of a predicate and a word together
    # convolutions for each predicate
    pair_dilations: tuple[int, ...] = number((1, 2, 4), 1, FAR, empty=True, stored=True, used=SRL)


SETTINGS = GatedConfig
