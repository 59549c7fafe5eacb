"""The settings of what the task of trees has above the encoder."""

from __future__ import annotations

from dataclasses import dataclass

from senna.toml import FAR, SIZE, choice, number

WIDTH = 3  # nodes that each convolution of the parser by levels sees
BY_SPANS, BY_LEVELS = "parser=spans", "parser=levels"


@dataclass(frozen=True)
class TreeConfig:
    """What the task of trees has above the encoder."""

    # scores of spans and the best tree by them, or levels of constituents, from the words up
    parser: str = choice("spans", "spans", "levels")
    units: int = number(200, 1, 256, used=BY_SPANS)  # of a span's first and of its last word
    labels: int = number(200, 1, SIZE, used=BY_SPANS)  # of the layer below the labels
    node: int = number(160, 1, SIZE, used=BY_LEVELS)  # units of a node, a constituent or word
    # how far apart the nodes are that each of its convolutions sees
    node_dilations: tuple[int, ...] = number(
        (1, 2), 1, FAR, empty=True, stored=True, used=BY_LEVELS
    )
    widest: int = number(10, 1, FAR, used=BY_LEVELS)  # nodes of more words count as so wide


SETTINGS = TreeConfig
