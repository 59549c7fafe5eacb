"""The rules of lemmas in training: one tag per word, each found by itself."""

from __future__ import annotations

from typing import Any

from torch import Tensor, nn

from senna.text.lemmas import Rule
from senna.training.heads.base import NetworkOptions, NoLayers
from senna.training.heads.tags import TagHead
from senna.training.layers.batch import Batch


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
    """See `senna.training.heads.base`."""
    return LemmaHead(names, layers or NoLayers(), units, options.by_words(), is_iobes=False)
