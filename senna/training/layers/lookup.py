"""Lookup tables: the features of words (section 3.2), as one vector per word.

Features of forms are computed once a distinct form of a batch: tables, and a small convolution over
letters. Tables that depend on the sentence (tags of other tasks, gazetteer) are added to each word.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from senna.inference.features.forms import ADDED, FormFeatures, FormTable
from senna.inference.features.settings import Features
from senna.registry import FORM_LAYERS
from senna.text import gazetteer
from senna.text.vocabulary import Vocabulary
from senna.training.layers.batch import Batch, mask_of
from senna.training.layers.weights import Arrays, linear, view_of


class Table(nn.Embedding):
    """A lookup table; one that is one-hot stays the identity (eq. 18)."""

    def __init__(self, n_rows: int, size: int, one_hot: bool) -> None:
        super().__init__(n_rows, n_rows if one_hot else size)
        if one_hot:
            self.weight = nn.Parameter(torch.eye(n_rows), requires_grad=False)


class PlainTable(Table):
    """A row of a lookup table for each form."""

    def __init__(self, table: FormTable, features: Features) -> None:
        super().__init__(table.n_rows, table.size, features.one_hot)

    def arrays(self, name: str) -> Arrays:
        """Its weights, by their names in the model folder."""
        return {name: view_of(self.weight)}


class Characters(nn.Module):
    """Convolution over a word's letters, maximum over its positions (dos Santos 2014)."""

    def __init__(self, table: FormTable, features: Features) -> None:
        super().__init__()
        settings = features.characters
        self.letters = nn.Embedding(table.n_rows, settings.size, padding_idx=0)
        self.convolution = nn.Linear(settings.width * settings.size, table.size)
        self.width = settings.width

    def forward(self, letters: Tensor) -> Tensor:
        """letters (n_forms, longest), zero after the last one -> (n_forms, filters)."""
        half = self.width // 2
        vectors = functional.pad(self.letters(letters), (0, 0, half, half))
        n, lengths = letters.shape[1], (letters != 0).sum(1)
        windows = torch.cat([vectors[:, i : i + n] for i in range(self.width)], dim=2)
        scores = self.convolution(windows)  # (n_forms, longest, filters)
        inside = mask_of(lengths, n)[:, :, None]
        scores = scores.masked_fill(~inside, float("-inf"))
        best: Tensor = scores.amax(1)
        return torch.where(lengths[:, None] > 0, best, torch.zeros_like(best))

    def arrays(self, name: str) -> Arrays:
        """Their weights, by their names in the model folder."""
        return {name: view_of(self.letters.weight)} | linear("characters", self.convolution)


def _layer(table: FormTable, features: Features) -> nn.Module:
    name = features.characters.kind if table.array == "letters" else table.array
    layer: nn.Module = FORM_LAYERS.get(name, PlainTable)(table, features)
    return layer


LAYERS = {"convolution": Characters}


class Inputs(nn.Module):
    """All lookup tables: a batch to word features, (n_sentences, n_steps + 2 margin, size)."""

    def __init__(
        self,
        chosen: Features,
        features: FormFeatures,
        tags: Mapping[str, Vocabulary],
        n_gazetteer: int,
        states: Any = None,
    ) -> None:
        """tags: the vocabularies of the tag features; n_gazetteer: how many types of phrases.

        states: of a language model, `senna.pretraining.recurrent.LanguageStates`.
        """
        super().__init__()
        self.forms = nn.ModuleDict(
            {table.array: _layer(table, chosen) for table in features.tables}
        )
        one_hot, size = chosen.one_hot, chosen.gazetteer.size
        self.tags = nn.ModuleDict(
            {name: Table(len(tags[name]), n, one_hot) for name, n in chosen.tag_sizes.items()}
        )
        self.gazetteer = nn.ModuleList(
            Table(gazetteer.N_VALUES, size, one_hot) for _ in range(n_gazetteer)
        )
        self.is_sum = chosen.joined == "sum"
        sizes = [table.size for table in features.tables if table.array not in ADDED]
        # of the numbers of a word the first, which depend on its form alone
        self.of_forms = chosen.word.size + (0 if self.is_sum else sum(sizes))
        sizes += [t.embedding_dim for t in (*self.tags.values(), *self.gazetteer)]
        # Not among the modules: it never changes, and no checkpoint needs a copy.
        self.states = (states,) if states is not None else ()
        sizes += [states.size for states in self.states]
        self.size = chosen.word.size + (0 if self.is_sum else sum(sizes))
        self.word: nn.Parameter  # (n_trained, size), set by set_words
        self.fixed: Tensor  # (n_fixed, size): words that training never sees

    def set_words(self, trained: Tensor, fixed: Tensor, learn: bool) -> None:
        """Give the word table its first values."""
        self.word = nn.Parameter(trained, requires_grad=learn)
        self.register_buffer("fixed", fixed, persistent=False)

    def encode_forms(self, forms: Mapping[str, Tensor]) -> Tensor:
        """The features that depend on the form alone, (n_forms, size)."""
        parts = [self._words(forms["words"])]
        for name, table in self.forms.items():
            if name in ADDED:
                parts[0] = parts[0] + table(forms[name])
            else:
                parts.append(table(forms[name]))
        return self._join(parts)

    def _join(self, parts: list[Tensor]) -> Tensor:
        """Vectors of tables side by side, or their sum."""
        return torch.stack(parts).sum(0) if self.is_sum else torch.cat(parts, dim=-1)

    def _words(self, rows: Tensor) -> Tensor:
        n = len(self.word)
        # Sparse gradients: a step touches some hundred rows of many thousand.
        vectors = functional.embedding(rows.clamp(max=n - 1), self.word, sparse=True)
        if self.training or not len(self.fixed):
            return vectors
        fixed = functional.embedding((rows - n).clamp(min=0), self.fixed)
        return torch.where((rows < n)[:, None], vectors, fixed)

    def forward(self, batch: Batch, margin: int = 0) -> Tensor:
        """(n_sentences, n_steps + 2 margin, size), with `margin` paddings at both ends."""
        ends = (margin, margin)
        tokens = functional.pad(batch.tokens, ends)
        parts = [functional.embedding(tokens, self.encode_forms(batch.forms))]
        parts += [
            table(functional.pad(batch.tags[name], ends)) for name, table in self.tags.items()
        ]
        if batch.gazetteer is not None:
            marks = functional.pad(batch.gazetteer, (0, 0, *ends))
            parts += [table(marks[:, :, i]) for i, table in enumerate(self.gazetteer)]
        for states in self.states:
            rows = batch.forms["states"][batch.tokens]
            vectors = states.to(rows.device)(rows, batch.lengths)
            parts.append(functional.pad(vectors, (0, 0, *ends)))
        return self._join(parts) if len(parts) > 1 else parts[0]

    def arrays(self) -> Arrays:
        """All tables but that of words, by their names in the model folder."""
        arrays: Arrays = {}
        for name, form_table in self.forms.items():
            arrays |= cast(Any, form_table).arrays(name)
        names = [*self.tags, *(f"gazetteer-{i}" for i in range(len(self.gazetteer)))]
        for name, table in zip(names, [*self.tags.values(), *self.gazetteer], strict=True):
            assert isinstance(table, nn.Embedding)
            arrays[name] = view_of(table.weight)
        return arrays
