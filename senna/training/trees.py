"""Trees: scores of spans, the best tree by them, and labels of its spans.

Two stages, as in Zhang et al. 2020, "Fast and Accurate Neural CRF Constituency Parsing": a span's
score is a product of what its first and its last word say (eq. 3), trained by the log-likelihood of
the whole tree without labels; the labels of a tree's spans are told one by one.
"""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional

from senna.config import TreeConfig
from senna.training.arrays import Arrays, linear


class SpanLayers(nn.Module):
    """What a span's first and last words say, for its score and for its label."""

    def __init__(self, size: int, settings: TreeConfig, dropout: float) -> None:
        super().__init__()
        units = settings.units
        self.first, self.last = nn.Linear(size, units), nn.Linear(size, units)
        self.both = nn.Linear(units, units)  # its bias is the last word's own
        self.begin = nn.Linear(size, settings.labels)
        self.end = nn.Linear(size, settings.labels, bias=False)
        self.dropout = nn.Dropout(dropout)

    def spans(self, x: Tensor) -> Tensor:
        """Units of words (n_sentences, n, size) to scores (n_sentences, n, n) of spans."""
        first = self.dropout(functional.relu(self.first(x)))
        last = self.dropout(functional.relu(self.last(x)))
        scores: Tensor = self.both(first) @ last.transpose(1, 2)
        return scores

    def labels(self, x: Tensor, sentences: Tensor, first: Tensor, last: Tensor) -> Tensor:
        """The layer below the labels of some spans, (n_spans, labels)."""
        y = self.begin(x)[sentences, first] + self.end(x)[sentences, last]
        found: Tensor = self.dropout(functional.relu(y))
        return found

    def arrays(self, task: str) -> Arrays:
        """Their weights, by their names in the model folder."""
        layers = ("first", "last", "both", "begin", "end")
        found: Arrays = {}
        for name in layers:
            found |= linear(f"{task}.{name}", getattr(self, name))
        return found
