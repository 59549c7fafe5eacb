"""The rules of lemmas in training: one tag per word, each found by itself."""

from __future__ import annotations

from torch import Tensor

from senna.text.lemmas import Rule
from senna.training.heads.base import Place
from senna.training.heads.tags import TagHead
from senna.training.layers.batch import Batch


class LemmaHead(TagHead):
    """Scores of rules."""

    def predict(self, emissions: Tensor, batch: Batch) -> list[list[Rule]]:
        """See `Head.predict`: rules, which stand for the lemmas that they make of the forms."""
        return [list(map(Rule, row)) for row in super().predict(emissions, batch)]


def head(place: Place) -> LemmaHead:
    """See `senna.training.heads.base`."""
    return LemmaHead(place._replace(options=place.options.by_words()), is_iobes=False)
