"""Lookup tables: the features of words (section 3.2), as one vector a word.

Words are encoded once a distinct form and batch: tables of word, capitals, affixes and a small
convolution over letters. Tables that depend on the sentence (tags of other tasks, gazetteer) are
added to each word.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from senna.config import Config
from senna.text import gazetteer
from senna.text.features import N_CAPS, N_CAPS_READ, N_CASE, FormFeatures, Vocabulary
from senna.training.arrays import Arrays, array_of, linear
from senna.training.batches import Batch, FormTensors
from senna.training.criteria import mask_of


class Characters(nn.Module):
    """Convolution over a word's letters, maximum over its positions (dos Santos 2014)."""

    def __init__(self, n_letters: int, size: int, width: int, filters: int) -> None:
        super().__init__()
        self.letters = nn.Embedding(n_letters, size, padding_idx=0)
        self.convolution = nn.Linear(width * size, filters)
        self.width = width

    def forward(self, letters: Tensor, lengths: Tensor) -> Tensor:
        """letters (n_forms, longest), lengths (n_forms,) -> (n_forms, filters)."""
        half = self.width // 2
        vectors = functional.pad(self.letters(letters), (0, 0, half, half))
        n = letters.shape[1]
        windows = torch.cat([vectors[:, i : i + n] for i in range(self.width)], dim=2)
        scores = self.convolution(windows)  # (n_forms, longest, filters)
        inside = mask_of(lengths, n)[:, :, None]
        scores = scores.masked_fill(~inside, float("-inf"))
        best: Tensor = scores.amax(1)
        return torch.where(lengths[:, None] > 0, best, torch.zeros_like(best))


class Inputs(nn.Module):
    """All lookup tables: a batch to word features, (n_sentences, n_steps + 2 margin, size)."""

    def __init__(
        self,
        config: Config,
        features: FormFeatures,
        tags: Mapping[str, Vocabulary],
        n_gazetteer: int,
    ) -> None:
        """tags: the vocabularies of the tag features; n_gazetteer: how many types of phrases."""
        super().__init__()
        chosen = config.features
        n_caps = N_CAPS_READ if features.marks else N_CAPS
        self.caps = nn.Embedding(n_caps, chosen.caps.size) if chosen.caps.size else None
        self.case = nn.Embedding(N_CASE, chosen.case.size) if chosen.case.size else None
        affixes = [(f"prefix-{n}", v, chosen.prefix.size) for n, v in features.prefixes]
        affixes += [(f"suffix-{n}", v, chosen.suffix.size) for n, v in features.suffixes]
        self.affixes = nn.ModuleDict({name: nn.Embedding(len(v), n) for name, v, n in affixes})
        self.characters = None
        if features.letters is not None:
            of = chosen.characters
            self.characters = Characters(len(features.letters), of.size, of.width, of.filters)
        self.tags = nn.ModuleDict(
            {name: nn.Embedding(len(own), chosen.tags[name].size) for name, own in tags.items()}
        )
        values, size = gazetteer.N_VALUES, chosen.gazetteer.size
        self.gazetteer = nn.ModuleList(nn.Embedding(values, size) for _ in range(n_gazetteer))
        self.size = chosen.word.size + chosen.caps.size + chosen.case.size  # numbers a word
        self.size += sum(n for _, _, n in affixes)
        self.size += chosen.characters.filters if self.characters is not None else 0
        self.size += sum(chosen.tags[name].size for name in tags) + size * n_gazetteer
        self.word: nn.Parameter  # (n_trained, size), set by set_words
        self.fixed: Tensor  # (n_fixed, size): words that training never sees

    def set_words(self, trained: Tensor, fixed: Tensor, learn: bool) -> None:
        """Give the word table its first values."""
        self.word = nn.Parameter(trained, requires_grad=learn)
        self.register_buffer("fixed", fixed, persistent=False)

    def encode_forms(self, forms: FormTensors) -> Tensor:
        """What depends on the form alone, (n_forms, size of it)."""
        parts = [self._words(forms.words)]
        if self.caps is not None:
            parts.append(self.caps(forms.caps))
        if self.case is not None:
            parts.append(self.case(forms.case))
        parts += [table(forms.affixes[:, i]) for i, table in enumerate(self.affixes.values())]
        if self.characters is not None:
            parts.append(self.characters(forms.letters, forms.lengths))
        return torch.cat(parts, dim=1)

    def _words(self, rows: Tensor) -> Tensor:
        n = len(self.word)
        # Sparse gradients: a step touches some hundred rows of many thousand.
        vectors = functional.embedding(rows.clamp(max=n - 1), self.word, sparse=True)
        if self.training or not len(self.fixed):
            return vectors
        fixed = functional.embedding((rows - n).clamp(min=0), self.fixed)
        return torch.where((rows < n)[:, None], vectors, fixed)

    def forward(self, batch: Batch) -> Tensor:
        """(n_sentences, n_steps + 2 margin, size)."""
        parts = [functional.embedding(batch.tokens, self.encode_forms(batch.forms))]
        parts += [table(batch.tags[name]) for name, table in self.tags.items()]
        if batch.gazetteer is not None:
            parts += [table(batch.gazetteer[:, :, i]) for i, table in enumerate(self.gazetteer)]
        return torch.cat(parts, dim=2) if len(parts) > 1 else parts[0]

    def arrays(self) -> Arrays:
        """All tables but that of words, by their names in the model folder."""
        plain: dict[str, Any] = {"caps": self.caps, "case": self.case, **self.tags, **self.affixes}
        plain |= {f"gazetteer-{i}": table for i, table in enumerate(self.gazetteer)}
        found = {name: array_of(own.weight) for name, own in plain.items() if own is not None}
        if self.characters is not None:
            found["letters"] = array_of(self.characters.letters.weight)
            found |= linear("characters", self.characters.convolution)
        return found
