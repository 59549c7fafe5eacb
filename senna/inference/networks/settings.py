"""The settings of the networks of the core.

`HEADS` has the kinds of heads that a network carries; () means all. A network `OF_NODES` reads the
parse tree of a sentence, and scores its nodes. `TRAIN` has the settings of training that stand in
the place of a task's own where the network is chosen by `--set`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

from senna.settings import FAR, SIZE, number


class NetworkSettings:
    """The base class of the settings of networks: their heads, pooling and errors."""

    HEADS: ClassVar[tuple[str, ...]] = ()
    POOLS: ClassVar = True  # whether `network.label.pooling` pools its words

    def wrong(self, heads: Collection[str]) -> str:
        """The error in its settings for tasks with some kinds of heads, or ""."""
        return ""


@dataclass(frozen=True)
class WindowConfig(NetworkSettings):
    """Hidden layers that each see a window of words (section 3.3.1)."""

    # Roles without hidden layers, labels with.
    HEADS: ClassVar[tuple[str, ...]] = ("tags", "roles", "labels")
    TRAIN: ClassVar = {"train.epochs": 8, "train.learning_rate": 0.002}

    # words; later layers see one
    widths: Annotated[tuple[int, ...], number(1, FAR, odd=True, stored=True)] = (5,)
    # units of each hidden layer; []: a linear network, whose only layer gives the scores of tags
    hidden: Annotated[tuple[int, ...], number(1, SIZE, empty=True, stored=True)] = (300,)
    shared: Annotated[int, number(1, stored=True)] = 1  # how many hidden layers they share
    distance: Annotated[int, number(1, FAR)] = 30  # farther words count as so far away

    def completed(self, n_tasks: int) -> WindowConfig:
        """The same, with a width for each layer; one task has all layers for itself."""
        n = self.layers
        widths = (*self.widths, *[1] * (n - len(self.widths)))
        return replace(self, widths=widths, shared=self.shared if n_tasks > 1 else n)

    @property
    def layers(self) -> int:
        """How many layers see a window: the hidden ones, or a linear network's only one."""
        return max(len(self.hidden), 1)


@dataclass(frozen=True)
class SentenceConfig(NetworkSettings):
    """A convolution, its maximum over the sentence, a hidden layer (section 3.3.2)."""

    HEADS: ClassVar[tuple[str, ...]] = ("tags", "roles", "labels")
    TRAIN: ClassVar = {"train.epochs": 8, "train.learning_rate": 0.004}

    width: Annotated[int, number(1, FAR, odd=True, stored=True)] = (
        5  # words that the convolution sees
    )
    units: Annotated[int, number(1, SIZE, stored=True)] = 300  # what it gives
    # units of the hidden layer; 0: none, tags are scored by the maxima (section 6.6)
    hidden: Annotated[int, number(0, SIZE, stored=True)] = 300
    distance: Annotated[int, number(1, FAR)] = 30  # farther words count as so far away
    distance_size: Annotated[int, number(1, SIZE)] = 5  # numbers per distance

    @property
    def size(self) -> int:
        """Of what the heads see of a word."""
        return self.hidden or self.units


@dataclass(frozen=True)
class GatedConfig(NetworkSettings):
    """Gated convolutions, once per sentence; for roles a few more, for each predicate."""

    HEADS: ClassVar[tuple[str, ...]] = ()

    units: Annotated[int, number(1, SIZE, stored=True)] = 300  # of the encoder
    width: Annotated[int, number(1, FAR, odd=True, stored=True)] = 3  # words each convolution sees
    # how far apart they are
    dilations: Annotated[tuple[int, ...], number(1, FAR, stored=True)] = (1, 2, 4, 8, 1, 2)
    distance: Annotated[int, number(1, FAR, stored=True)] = 30  # farther words count as so far away
    pair: Annotated[int, number(1, SIZE)] = 200  # units of a predicate and a word together
    # convolutions for each predicate
    pair_dilations: Annotated[tuple[int, ...], number(1, FAR, empty=True, stored=True)] = (1, 2, 4)


# By `network.kind`.
SETTINGS: dict[str, type[Any]] = {
    "window": WindowConfig,
    "sentence": SentenceConfig,
    "gated": GatedConfig,
}
