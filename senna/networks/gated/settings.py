"""The settings of the gated network."""

from __future__ import annotations

from dataclasses import dataclass

from senna.toml import FAR, SIZE, number

HEADS: tuple[str, ...] = ()  # it carries heads of all kinds


@dataclass(frozen=True)
class GatedConfig:
    """Gated convolutions, once per sentence; for roles a few more, for each predicate."""

    units: int = number(300, 1, SIZE, stored=True)  # of the encoder
    width: int = number(3, 1, FAR, odd=True, stored=True)  # words each convolution sees
    dilations: tuple[int, ...] = number(
        (1, 2, 4, 8, 1, 2), 1, FAR, stored=True
    )  # how far apart they are
    distance: int = number(30, 1, FAR, stored=True)  # roles: farther words count as so far away
    pair: int = number(200, 1, SIZE)  # roles: units of a predicate and a word together
    # roles: convolutions for each predicate
    pair_dilations: tuple[int, ...] = number((1, 2, 4), 1, FAR, empty=True, stored=True)


SETTINGS = GatedConfig
