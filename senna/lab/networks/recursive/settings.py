"""The settings of recursive networks."""

from __future__ import annotations

from dataclasses import dataclass

from senna.toml import SIZE, choice, number

HEADS: tuple[str, ...] = ("labels",)  # of the kinds that it carries
LABELLED = ("labels", "untied")  # cells that see the labels of constituents


WIDEST = 60


@dataclass(frozen=True)
class RecursiveConfig:
    """A state for each node of a binary tree, from its word or from its two parts."""

    # "standard"; the same with labels of constituents: "labels", a vector for each, "untied", other
    # weights for the labels of each two parts; "matrix-vector", "tensor"; or with gates: "gru",
    # "lstm", "lstm-sum", which does not see the order of parts
    cell: str = choice(
        "gru", "standard", *LABELLED, "matrix-vector", "tensor", "gru", "lstm", "lstm-sum"
    )
    # of a state; of "untied", "matrix-vector" and "tensor", whose weights or states grow with its
    # square, 60 at most
    units: int = number(150, 1, SIZE, stored=True)
    # constituents of more than two parts: "right", the first part and the rest; "left", the rest
    # and the last; "head", both ways from a constituent's head
    split: str = choice("right", "right", "left", "head")

    @property
    def wrong(self) -> str:
        """What is wrong with it, if anything."""
        if self.cell in ("untied", "matrix-vector", "tensor") and self.units > WIDEST:
            return f"network.recursive.units is at most {WIDEST} for the cell {self.cell!r}"
        return ""


SETTINGS = RecursiveConfig
