"""The settings of recurrent cells."""

from __future__ import annotations

from dataclasses import dataclass

from senna.toml import SIZE, choice, number, setting

SLOW = 0.95  # the part of a slow unit that stays from word to word


@dataclass(frozen=True)
class CellSettings:
    """A layer of recurrent cells."""

    # "elman" (tanh), "irnn" (ReLU; its first weights copy the state), "lstm", "gru", or "scrn"
    # (half of the units change slowly)
    cell: str = choice("lstm", "elman", "irnn", "lstm", "gru", "scrn", stored=True)
    units: int = number(200, 1, SIZE, stored=True)  # of each direction
    directions: int = number(2, 1, 2, stored=True)  # 1: from the first word; 2: from the last too
    peephole: bool = setting(False, stored=True, needs="cell=lstm")  # gates see the memory
    # what is not forgotten is not written
    tied: bool = setting(False, stored=True, needs="cell=lstm")

    @property
    def gates(self) -> int:
        """Gates and proposals of a cell: how many times `units` numbers it takes."""
        return {"lstm": 4 - self.tied, "gru": 3}.get(self.cell, 1)

    @property
    def from_state(self) -> int:
        """How many of these numbers the weights of the state give: slow units take none."""
        slow = self.units // 2 if self.cell == "scrn" else 0
        return self.gates * self.units - slow
