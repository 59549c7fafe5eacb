"""A bag of words: their features, added up, through one hidden layer to the label of a sentence;
and the table of letter n-grams, which are added up too.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from torch import Tensor, nn
from torch.nn import functional

from senna.lab.networks.settings import BagConfig
from senna.text.vocabulary import Spelling
from senna.training.examples.corpora import Example
from senna.training.heads.base import Place
from senna.training.heads.labels import VectorHead
from senna.training.layers.batch import Batch, mask_of
from senna.training.layers.lookup import PlainTable
from senna.training.layers.weights import Arrays, Probe, linear
from senna.training.networks.base import Network


class BagNetwork(Network):
    """Lookup tables, their mean over a sentence (Goldberg 2015, 3), and one hidden layer."""

    of_sentences = True
    settings: BagConfig

    def add_layers(self) -> None:
        units = self.settings.units
        self.probe = Probe("relu")
        self.hidden = nn.Linear(self.inputs.size, units)
        for task, names in self.names.items():
            self.heads[task] = VectorHead(Place(task, names, units, self.options))

    @staticmethod
    def word_weights(settings: BagConfig, train: Sequence[Example]) -> dict[str, float]:
        return inverse_frequencies(train) if settings.weights == "tf-idf" else {}

    def encode(self, batch: Batch) -> Tensor:
        """The hidden layer of sentences, (n_sentences, units)."""
        x = self.dropout(self.inputs(batch))
        weights = mask_of(batch.lengths, x.shape[1]).to(x)
        if batch.idf is not None:
            weights = batch.idf
        words = (x * weights[:, :, None]).sum(1)
        words = words / weights.sum(1)[:, None]
        units: Tensor = self.probe(functional.relu(self.hidden(words)))
        return units

    def layer_arrays(self) -> Arrays:
        return linear("layer-0", self.hidden)


def inverse_frequencies(examples: Sequence[Example]) -> dict[str, float]:
    """ln((1 + n) / (1 + n_w)) + 1 for words w in n_w of n sentences; "" is that of no word."""
    words = ({Spelling.of(form).lower for form in example.forms} for example in examples)
    counts = Counter(word for of_one in words for word in sorted(of_one))
    n = 1 + len(examples)
    return {word: math.log(n / (1 + k)) + 1 for word, k in [("", 0), *sorted(counts.items())]}


NETWORK = BagNetwork


class Ngrams(PlainTable):
    """The sum of the rows of a word's n-grams, which begin at 0; row 0 stands for none."""

    def forward(self, rows: Tensor) -> Tensor:
        """rows (n_forms, n_ngrams), zero after the last one -> (n_forms, size)."""
        return functional.embedding_bag(rows, self.weight, mode="sum", padding_idx=0)

    def first_weights(self) -> None:
        """All 0, so that a word begins with its own vector."""
        nn.init.zeros_(self.weight)


LAYERS = {"ngrams": Ngrams}
