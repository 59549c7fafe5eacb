"""Lookup tables, and the window network (section 3.3.1) over them, for one task or several.

Words are encoded once a distinct form and batch: tables of word, capitals, affixes and a small
convolution over letters. Tables that depend on the sentence (part of speech, PT0, gazetteer)
are added to each word. Then come the hidden layers, the first ones shared by all tasks, and for
each task an output layer and its transitions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from senna.config import Config, Network
from senna.text import gazetteer
from senna.text.features import N_CAPS, N_CASE, FormFeatures
from senna.text.iobes import FORBIDDEN
from senna.training.criteria import mask_of


@dataclass(frozen=True)
class FormTensors:
    """The ids of the distinct forms of a batch; row 0 is the padding form."""

    words: Tensor  # (n_forms,) rows of the trained table, then of the fixed words
    caps: Tensor  # (n_forms,)
    case: Tensor  # (n_forms,)
    affixes: Tensor  # (n_forms, n_affix_tables)
    letters: Tensor  # (n_forms, longest)
    lengths: Tensor  # (n_forms,) letters


@dataclass(frozen=True)
class Batch:
    """Padded sentences of one task; margin is the padding at both ends (half the window).

    For roles, `tags` is about words and predicates: a row for each of the `pairs`, which are rows
    of sentences and places of predicates in them.
    """

    forms: FormTensors
    tokens: Tensor  # (n_sentences, n_steps + 2 margin) rows of forms
    pos: Tensor | None  # (n_sentences, n_steps + 2 margin)
    gazetteer: Tensor | None  # (n_sentences, n_steps + 2 margin, n_types)
    lengths: Tensor  # (n_sentences,)
    tags: Tensor  # (n_sentences or n_pairs, n_steps)
    allowed: Tensor | None  # (n_sentences, n_steps, n_tags), where types were not annotated
    pt0: Tensor | None = None  # (n_sentences, n_steps + 2 margin)
    pairs: Tensor | None = None  # (n_pairs, 2)

    @property
    def n_steps(self) -> int:
        """Words of the longest sentence."""
        return self.tags.shape[1]

    @property
    def tag_lengths(self) -> Tensor:
        """Words of each row of tags."""
        return self.lengths if self.pairs is None else self.lengths[self.pairs[:, 0]]


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
        n_pos: int,
        n_gazetteer: int,
        n_pt0: int = 0,
    ) -> None:
        super().__init__()
        chosen = config.features
        self.caps = nn.Embedding(N_CAPS, chosen.caps.size) if chosen.caps.size else None
        self.case = nn.Embedding(N_CASE, chosen.case.size) if chosen.case.size else None
        affixes = [(v, chosen.prefix.size) for _, v in features.prefixes]
        affixes += [(v, chosen.suffix.size) for _, v in features.suffixes]
        self.affixes = nn.ModuleList(nn.Embedding(len(v), size) for v, size in affixes)
        self.characters = None
        if features.letters is not None:
            of = chosen.characters
            self.characters = Characters(len(features.letters), of.size, of.width, of.filters)
        self.pos = nn.Embedding(n_pos, chosen.pos.size) if n_pos else None
        self.pt0 = nn.Embedding(n_pt0, chosen.pt0.size) if n_pt0 else None
        values, size = gazetteer.N_VALUES, chosen.gazetteer.size
        self.gazetteer = nn.ModuleList(nn.Embedding(values, size) for _ in range(n_gazetteer))
        self.form_size = chosen.word.size + chosen.caps.size + chosen.case.size
        self.form_size += sum(size for _, size in affixes)
        self.form_size += chosen.characters.filters if self.characters is not None else 0
        self.size = self.form_size + (chosen.pos.size if n_pos else 0) + size * n_gazetteer
        self.size += chosen.pt0.size if n_pt0 else 0
        self.word: nn.Parameter  # (n_trained, size), set by set_words
        self.fixed: Tensor  # (n_fixed, size): words that training never sees

    def set_words(self, trained: Tensor, fixed: Tensor, learn: bool) -> None:
        """Give the word table its first values."""
        self.word = nn.Parameter(trained, requires_grad=learn)
        self.register_buffer("fixed", fixed, persistent=False)

    def encode_forms(self, forms: FormTensors) -> Tensor:
        """(n_forms, form_size)."""
        parts = [self._words(forms.words)]
        if self.caps is not None:
            parts.append(self.caps(forms.caps))
        if self.case is not None:
            parts.append(self.case(forms.case))
        parts += [table(forms.affixes[:, i]) for i, table in enumerate(self.affixes)]
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
        if self.pos is not None and batch.pos is not None:
            parts.append(self.pos(batch.pos))
        if self.pt0 is not None and batch.pt0 is not None:
            parts.append(self.pt0(batch.pt0))
        if batch.gazetteer is not None:
            parts += [table(batch.gazetteer[:, :, i]) for i, table in enumerate(self.gazetteer)]
        return torch.cat(parts, dim=2) if len(parts) > 1 else parts[0]


class Hidden(nn.Module):
    """One hidden layer over a window of words (eqs. 3 to 5)."""

    def __init__(self, size: int, window: int, units: int, dropout: float) -> None:
        super().__init__()
        self.linear = nn.Linear(window * size, units)
        self.window, self.dropout = window, nn.Dropout(dropout)

    def forward(self, x: Tensor, *, padded: bool) -> Tensor:
        """(n_sentences, n_steps, size) -> (n_sentences, n_steps, units).

        With `padded` x already has its margin; else zeros stand beyond the ends.
        """
        half = self.window // 2
        if not padded and half:
            x = functional.pad(x, (0, 0, half, half))
        n = x.shape[1] - 2 * half
        if half:
            x = torch.cat([x[:, i : i + n] for i in range(self.window)], dim=2)
        hidden: Tensor = self.dropout(functional.hardtanh(self.linear(x)))
        return hidden


class Head(nn.Module):
    """What a task has for itself: hidden layers, output layer, transitions."""

    forbidden: Tensor

    def __init__(
        self, size: int, layers: list[Hidden], n_tags: int, forbidden: NDArray[np.bool_]
    ) -> None:
        super().__init__()
        self.layers = nn.ModuleList(layers)
        self.output = nn.Linear(size, n_tags)
        self.transitions = nn.Parameter(torch.zeros(n_tags, n_tags))
        self.initial = nn.Parameter(torch.zeros(n_tags))
        self.register_buffer("forbidden", torch.from_numpy(forbidden), persistent=False)

    def path_scores(self) -> tuple[Tensor, Tensor]:
        """transitions (n_tags, n_tags) and initial (n_tags,), what IOBES rules out filled in."""
        transitions = self.transitions.masked_fill(self.forbidden[1:-1], FORBIDDEN)
        return transitions, self.initial.masked_fill(self.forbidden[0], FORBIDDEN)

    def close(self, emissions: Tensor, lengths: Tensor) -> Tensor:
        """Emissions with the tags that cannot end a sentence ruled out at its last word."""
        steps = torch.arange(emissions.shape[1], device=emissions.device)
        last = (steps == lengths[:, None] - 1)[:, :, None]
        return emissions.masked_fill(last & self.forbidden[-1], FORBIDDEN)


class Model(nn.Module):
    """A network of any kind: lookup tables, and one head a task."""

    def __init__(self, inputs: Inputs, margin: int) -> None:
        super().__init__()
        self.inputs, self.margin = inputs, margin
        self.heads = nn.ModuleDict()

    def head(self, task: str) -> Head:
        """The head of a task that has one tag a word."""
        head = self.heads[task]
        assert isinstance(head, Head)
        return head


class WindowTagger(Model):
    """Lookup tables, hidden layers and one head a task."""

    def __init__(
        self,
        config: Config,
        inputs: Inputs,
        n_tags: dict[str, int],
        forbidden: dict[str, NDArray[np.bool_]],
    ) -> None:
        network = config.network
        super().__init__(inputs, network.window[0] // 2)
        self.dropout = nn.Dropout(config.train.dropout_input)
        n_shared = network.shared if len(n_tags) > 1 else len(network.hidden)
        self.shared = nn.ModuleList(self._layers(config, 0, n_shared))
        for task, n in n_tags.items():
            own = self._layers(config, n_shared, len(network.hidden))
            self.heads[task] = Head(network.hidden[-1], own, n, forbidden[task])
        initialise(self, network)

    def _layers(self, config: Config, first: int, last: int) -> list[Hidden]:
        network = config.network
        sizes = (self.inputs.size, *network.hidden)
        return [
            Hidden(sizes[i], network.window[i], network.hidden[i], config.train.dropout_hidden)
            for i in range(first, last)
        ]

    def forward(self, task: str, batch: Batch) -> Tensor:
        """Emissions of a task, (n_sentences, n_steps, n_tags)."""
        x = self.dropout(self.inputs(batch))
        head = self.head(task)
        inside = mask_of(batch.lengths, batch.n_steps)[:, :, None]
        for i, layer in enumerate([*self.shared, *head.layers]):
            x = layer(x if i == 0 else x * inside, padded=i == 0)
        return head.close(head.output(x), batch.lengths)


def initialise(model: nn.Module, network: Network) -> None:
    """Centred uniform weights by fan-in (remark 7); a lookup table has fan-in 1.

    The remark's variance of 1/sqrt(fan-in) is taken to the letter with ``variance``;
    ``deviation`` has a standard deviation of 1/sqrt(fan-in), which is what was probably meant;
    ``small`` is the same with small values in the tables, as word vectors have.
    """
    table = 0.2 if network.initial == "small" else math.sqrt(3)
    for module in model.modules():
        if isinstance(module, nn.Linear):
            n = module.in_features
            spread = n**-0.25 if network.initial == "variance" else n**-0.5
            bound = math.sqrt(3) * spread
            nn.init.uniform_(module.weight, -bound, bound)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            nn.init.uniform_(module.weight, -table, table)
            if module.padding_idx is not None:
                nn.init.zeros_(module.weight[module.padding_idx])
