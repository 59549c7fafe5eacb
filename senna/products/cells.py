"""The settings of recurrent cells."""

from __future__ import annotations

from dataclasses import dataclass, field

from senna.toml import SIZE, choice, number


@dataclass(frozen=True)
class CellSettings:
    """A layer of recurrent cells."""

    # "elman" (tanh), "irnn" (ReLU; its first weights copy the state), "lstm" or "gru"
    cell: str = choice("lstm", "elman", "irnn", "lstm", "gru", stored=True)
    units: int = number(200, 1, SIZE, stored=True)  # of each direction
    directions: int = number(2, 1, 2, stored=True)  # 1: from the first word; 2: from the last too
    # lstm: gates see the memory
    peephole: bool = field(default=False, metadata={"stored": True})
    # lstm: what is not forgotten is not written
    tied: bool = field(default=False, metadata={"stored": True})

    @property
    def gates(self) -> int:
        """Gates and proposals of a cell: how many times `units` numbers it takes."""
        return {"elman": 1, "irnn": 1, "lstm": 4 - self.tied, "gru": 3}[self.cell]
