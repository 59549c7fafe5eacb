"""Recurrent layers over the letters of a form, in training."""

from __future__ import annotations

from torch import Tensor, nn

from senna.features.forms import FormTable
from senna.features.settings import Features
from senna.lab.networks.recurrence import RecurrentLayer
from senna.lab.networks.settings import CellSettings
from senna.training.heads.labels import ends
from senna.training.layers.weights import Arrays, view_of


class RecurrentCharacters(nn.Module):
    """The last states of two LSTMs over a word's letters, one from each end (Ling et al. 2015)."""

    def __init__(self, table: FormTable, features: Features) -> None:
        super().__init__()
        size = features.characters.size
        self.letters = nn.Embedding(table.n_rows, size, padding_idx=0)
        self.layer = RecurrentLayer(size, CellSettings("lstm", table.size // 2))

    def forward(self, letters: Tensor) -> Tensor:
        """letters (n_forms, longest), zero after the last one -> (n_forms, 2 units)."""
        lengths = (letters != 0).sum(1)
        some = lengths.clamp(min=1)
        states = self.layer(self.letters(letters[:, : int(some.max())]), some)
        vectors: Tensor = ends(states, some) * (lengths > 0)[:, None]
        return vectors

    def arrays(self, name: str) -> Arrays:
        """Their weights, by their names in the model folder."""
        return {name: view_of(self.letters.weight)} | self.layer.arrays("characters")


make = RecurrentCharacters
