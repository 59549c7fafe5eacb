"""Settings of the lab's networks; those of the core: `senna.inference.networks.settings`."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from senna.inference.networks.settings import NetworkSettings
from senna.settings import FAR, SIZE, choice, number

UNITS = "hardtanh tanh sigmoid relu step cube tanh-cube tanh-normalised".split()
SLOW = 0.95  # the part of a slow unit that stays from word to word
WIDEST = 60


_CELLS = ("elman", "irnn", "lstm", "gru", "scrn", "lstm-peephole", "lstm-tied")
_COMPOSITIONS = "standard matrix-vector tensor gru lstm lstm-sum labels untied".split()


@dataclass(frozen=True)
class CellSettings:
    """A layer of recurrent cells."""

    # "elman" (tanh), "irnn" (ReLU; its first weights copy the state), "lstm", with gates that also
    # see the memory ("lstm-peephole") or with one gate for both what is kept and what is new
    # ("lstm-tied"), "gru", or "scrn" (half of the units change slowly)
    cell: Annotated[str, choice(*_CELLS, stored=True)] = "lstm"
    units: Annotated[int, number(1, SIZE, stored=True)] = 200  # of each direction

    @property
    def gates(self) -> int:
        """Gates and proposals of a cell: how many times `units` numbers it takes."""
        return {"lstm": 4, "lstm-peephole": 4, "lstm-tied": 3, "gru": 3}.get(self.cell, 1)

    @property
    def from_state(self) -> int:
        """How many of these numbers the weights of the state give: slow units take none."""
        slow = self.units // 2 if self.cell == "scrn" else 0
        return self.gates * self.units - slow


@dataclass(frozen=True)
class RecurrentConfig(CellSettings, NetworkSettings):
    """Layers of recurrent cells over the words of a sentence."""

    HEADS: ClassVar[tuple[str, ...]] = ()

    layers: Annotated[int, number(1, FAR, stored=True)] = 1
    # all layers read the words, and the heads read the states of all layers
    skip: bool = False
    # the layers read each span between punctuation, one more reads the last states of spans
    spans: bool = False
    distance: Annotated[int, number(1, FAR)] = 30  # farther words count as so far away

    def wrong(self, heads: Collection[str]) -> str:
        if self.spans and not set(heads) <= {"labels"}:
            return "network.recurrent.spans = true needs tasks whose output is labels"
        return ""

    # The layers of roles have no convolutions: see `senna.training.heads.roles.PairLayers`.
    pair: ClassVar[int] = 200  # units of a predicate and a word together
    width: ClassVar[int] = 1
    pair_dilations: ClassVar[tuple[int, ...]] = ()


@dataclass(frozen=True)
class RecursiveConfig(NetworkSettings):
    """A state for each node of a binary tree, from its word or from its two parts."""

    HEADS: ClassVar[tuple[str, ...]] = ("labels",)
    OF_NODES: ClassVar = True
    POOLS: ClassVar = False

    # without gates: "standard"; the same with labels of constituents, "labels", a vector for each,
    # or "untied", other weights for the labels of each two parts; "matrix-vector", "tensor";
    # "lstm-sum" sees no order of parts
    cell: Annotated[str, choice(*_COMPOSITIONS)] = "gru"
    # of a state; of "untied", "matrix-vector" and "tensor", which grow with its square, 60 at most
    units: Annotated[int, number(1, SIZE, stored=True)] = 150

    def wrong(self, heads: Collection[str]) -> str:
        if self.cell in ("untied", "matrix-vector", "tensor") and self.units > WIDEST:
            return f"network.recursive.units is at most {WIDEST} for the cell {self.cell!r}"
        return ""


@dataclass(frozen=True)
class ConvolutionConfig(NetworkSettings):
    """Filters over some neighbouring words, ReLU, pooled over the sentence (Goldberg 2015, 9)."""

    HEADS: ClassVar[tuple[str, ...]] = ("labels",)

    widths: Annotated[tuple[int, ...], number(1, FAR, stored=True, distinct=True)] = (
        2,
        3,
        4,
        5,
    )  # words
    units: Annotated[int, number(1, SIZE, stored=True)] = 100  # filters of each width k
    wide: bool = False  # filters also see places beyond the ends, where zeros stand
    # hierarchical pooling: for each number, the largest of so many neighbouring places and further
    # filters of each width over what they give
    pools: Annotated[tuple[int, ...], number(2, FAR, empty=True)] = ()


@dataclass(frozen=True)
class MlpConfig(NetworkSettings):
    """Hidden layers over windows of words, of any units (Goldberg 2015, 4)."""

    HEADS: ClassVar[tuple[str, ...]] = ("tags", "labels")

    # "step" learns by the gradient of tanh; "tanh-cube": tanh(x^3 + x); "tanh-normalised": the
    # units of a word have the length 1
    unit: Annotated[str, choice(*UNITS, stored=True)] = "tanh"
    widths: Annotated[tuple[int, ...], number(1, FAR, odd=True, stored=True)] = (
        5,
    )  # later layers see 1 word
    hidden: Annotated[tuple[int, ...], number(1, SIZE, stored=True)] = (
        300,
    )  # units of each hidden layer


@dataclass(frozen=True)
class BagConfig(NetworkSettings):
    """One hidden layer of ReLU above the features of all words together (Goldberg 2015, 3)."""

    HEADS: ClassVar[tuple[str, ...]] = ("labels",)
    POOLS: ClassVar = False

    # "tf-idf": each word counts by its inverse document frequency in training, each time it comes
    weights: Annotated[str, choice("alike", "tf-idf")] = "alike"
    units: Annotated[int, number(1, SIZE, stored=True)] = 200  # of the hidden layer


# By `network.kind`.
SETTINGS: dict[str, type[Any]] = {
    "recurrent": RecurrentConfig,
    "recursive": RecursiveConfig,
    "convolution": ConvolutionConfig,
    "bag": BagConfig,
    "mlp": MlpConfig,
}
