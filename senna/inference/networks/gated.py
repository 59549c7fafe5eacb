"""The gated network at tagging time, an encoder: see `senna.training.networks.gated`.

Each layer adds to a word's units a convolution of the normalised units of `width` words, some
`dilation` apart, gated by another such convolution. Roles of a predicate p and a word w then begin
with one sum, ReLU(A h_w + B h_p + d[w - p]); smaller layers run over the words for each predicate.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from senna.inference.convolutions import Convolutions
from senna.inference.exact import Floats
from senna.inference.lookup import WordTable
from senna.inference.networks.base import Network
from senna.inference.networks.settings import GatedConfig
from senna.inference.workspace import Block, Workspace
from senna.model.folder import ModelFolder

GROUP = 1_024  # words encoded together: all their units stay in cache


class GatedNetwork(Network):
    """The encoder, and one head per task."""

    SETTINGS: ClassVar = GatedConfig

    def __init__(self, folder: ModelFolder, words: WordTable, settings: GatedConfig) -> None:
        units, width = settings.units, settings.width
        super().__init__(folder, words, 1, units)
        self.layers = Convolutions(folder, "gated", units, width, settings.dilations)
        self.add_heads_above(units, settings)

    def encode(self, block: Block, space: Workspace) -> Floats:
        x, lengths = self.first(block, space), block.lengths
        ends = np.cumsum(lengths)
        first = start = 0
        for i, end in enumerate(ends.tolist()):
            if end - start >= GROUP or i + 1 == len(ends):
                self.layers(x[start:end], lengths[first : i + 1])
                first, start = i + 1, end
        return x


NETWORK = GatedNetwork
