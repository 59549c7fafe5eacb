"""The rules of lemmas in training: one tag per word, each found by itself."""

from __future__ import annotations

from typing import Any

from torch import Tensor, nn

from senna.layers.batch import Batch
from senna.layers.options import NetworkOptions
from senna.outputs.tags.train import TagHead
from senna.outputs.train import NoLayers
from senna.text.lemmas import Rule


class LemmaHead(TagHead):
    """Scores of rules."""

    def predict(self, emissions: Tensor, batch: Batch) -> list[list[Rule]]:
        """See `Head.predict`: rules, which stand for the lemmas that they make of the forms."""
        return [list(map(Rule, row)) for row in super().predict(emissions, batch)]


def head(
    task: str,
    names: list[str],
    units: int,
    options: NetworkOptions,
    settings: Any,
    layers: nn.Module | None = None,
) -> LemmaHead:
    """See `senna.outputs.train`."""
    return LemmaHead(names, layers or NoLayers(), units, options.by_words(), is_iobes=False)
