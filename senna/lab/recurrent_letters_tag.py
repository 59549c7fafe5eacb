"""Recurrent layers over the letters of a form, at tagging time."""

from __future__ import annotations

import numpy as np

from senna.features.forms import FormTable
from senna.lab.networks.recurrence_tag import CellLayer, ends
from senna.lab.networks.settings import CellSettings
from senna.model.folder import ModelFolder
from senna.products.exact import Floats, Weights, product
from senna.products.lookup import letter_table
from senna.text.features import Ids


class RecurrentLetters:
    """The last states of two LSTMs over letters, from the first and from the last of them."""

    def __init__(self, folder: ModelFolder, table: FormTable) -> None:
        letters = letter_table(folder, table)
        bias = folder.array("characters.bias", None)
        settings = CellSettings("lstm", len(bias) // 8)
        self.size = 2 * settings.units
        self.layer = CellLayer(folder, "characters", settings, None)
        weights = folder.array("characters.weight", letters.shape[1], 4 * self.size)
        # What each letter gives to the gates, (n_letters, 4 size).
        self.gates = product(letters, Weights.of(weights)) + bias

    def __call__(self, rows: Ids) -> Floats:
        """rows (n_forms, longest), zero after a form's last letter: (n_forms, size)."""
        vectors = np.zeros((len(rows), self.size), np.float32)
        counts = np.count_nonzero(rows, axis=1)
        forms = np.flatnonzero(counts)
        if len(forms):
            states = self.layer(self.gates[rows[rows != 0]], counts)
            vectors[forms] = ends(states, (np.cumsum(counts) - counts)[forms], counts[forms])
        return vectors


make = RecurrentLetters
