"""The settings of what the task of labels has above the encoder."""

from __future__ import annotations

import re
from dataclasses import dataclass

from senna.toml import text

# Names of pooling that give one number for each unit.
PLAIN = ("mean", "max", "last", "ends")
_NUMBERED = re.compile(r"([2-9])-(max|regions)")


def several(name: str) -> tuple[int, str]:
    """How many numbers per unit a kind of pooling gives, and its name without that number."""
    numbered = _NUMBERED.fullmatch(name)
    return (int(numbered[1]), numbered[2]) if numbered else (1, name)


def _is_pooling(name: str) -> bool:
    return name in PLAIN or several(name)[0] > 1


@dataclass(frozen=True)
class LabelConfig:
    """What the task of labels has above the encoder."""

    # of each unit, over the words of a sentence; several stand side by side: "mean", "max", "2-max"
    # to "9-max" (the largest ones, in their order), "2-regions" to "9-regions" (the largest in each
    # part of the sentence). Of recurrent networks also "last", the state after the last word, and
    # "ends", that of each of two directions
    pooling: tuple[str, ...] = text(
        ("mean", "max"),
        _is_pooling,
        f"is not one of {', '.join(PLAIN)}, 2-max, 2-regions",
        distinct=True,
        needs="network.kind!=recursive|bag",
    )

    @property
    def width(self) -> int:
        """Numbers that all pooling together gives for each unit."""
        return sum(several(name)[0] for name in self.pooling)


SETTINGS = LabelConfig
