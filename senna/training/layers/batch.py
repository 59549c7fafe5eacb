"""Sentences of one task: as numbers, and as tensors padded to one length."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from senna.text.vocabulary import Ids


@dataclass(frozen=True)
class Batch:
    """Padded sentences of one task.

    For roles, `gold` is about words and predicates: a row for each of the `pairs`, which are rows
    of sentences and places of predicates in them.
    """

    forms: dict[str, Tensor]  # features of the distinct forms, by table; row 0 is padding
    tokens: Tensor  # (n_sentences, n_steps) rows of forms
    tags: dict[str, Tensor]  # features, by task: (n_sentences, n_steps)
    gazetteer: Tensor | None  # (n_sentences, n_steps, n_types)
    lengths: Tensor  # (n_sentences,)
    gold: Tensor  # (n_sentences or n_pairs, n_steps) tags to learn
    allowed: Tensor | None = None  # (n_sentences, n_steps, n_tags), where types were not annotated
    pairs: Tensor | None = None  # (n_pairs, 2)
    # Of trees and labels: sentence, first word, last word and label of each, (n_brackets, 4); of
    # the nodes of parse trees, the label of the constituent too.
    brackets: Tensor | None = None
    views: Tensor | None = None  # of trees, by predicates: (n_pairs, n_steps, 2)
    soft: Tensor | None = None  # probabilities to learn, (n_sentences, n_steps, n_tags)
    # Of networks that read spans between punctuation: sentence and words of each, (n_spans, 2).
    spans: Tensor | None = None
    idf: Tensor | None = None  # how much words count, 0 beyond the end: (n_sentences, n_steps)
    free_running: Tensor | None = None  # words whose own tags are history, (n_sentences, n_steps)

    @property
    def labels(self) -> Tensor:
        """The label of each sentence: of the first of its brackets, around the whole of it."""
        assert self.brackets is not None
        sentences = torch.arange(len(self.lengths), device=self.lengths.device)
        rows = torch.searchsorted(self.brackets[:, 0].contiguous(), sentences)
        return self.brackets[rows, 3]

    @property
    def n_steps(self) -> int:
        """Words of the longest sentence."""
        return self.gold.shape[1]

    @property
    def gold_lengths(self) -> Tensor:
        """Words of each row of gold tags."""
        return self.lengths if self.pairs is None else self.lengths[self.pairs[:, 0]]


Views = NDArray[np.int16]


@dataclass(frozen=True)
class Encoded:
    """One sentence as ids; forms are rows of the list of distinct forms.

    `gold` (n_rows, n_words) has one row, or for roles one for each predicate, whose places are
    `positions`. Trees and labels have no such row, but `brackets` (n_brackets, 3): first word, last
    word and label of each, -1 for none; the first one of a label is around the sentence.
    """

    forms: Ids
    gold: NDArray[np.int64]
    tags: dict[str, Ids]
    gazetteer: Ids | None
    unlabelled: tuple[str, ...]
    weight: float
    positions: NDArray[np.int64] | None = None
    brackets: NDArray[np.int64] | None = None
    views: Views | None = None  # of predicates: (n_rows, n_words, 2)
    soft: NDArray[np.float32] | None = None  # probabilities of tags to learn, (n_words, n_tags)
    spans: NDArray[np.int64] | None = None  # between punctuation, words of each: (n_spans,)
    idf: NDArray[np.float32] | None = None  # how much words count in a bag
    others: Mapping[str, Encoded] = field(default_factory=dict)  # the same for other tasks


def mask_of(lengths: Tensor, n_steps: int) -> Tensor:
    """Where words are, and no padding, (n_sentences, n_steps)."""
    return torch.arange(n_steps, device=lengths.device) < lengths[:, None]
