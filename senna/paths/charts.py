"""The best binary tree over a sentence by the scores of its spans: CKY, vectorised over splits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


def best_spans(scores: Floats, lengths: Ints) -> tuple[Ints, Ints, Ints]:
    """The 2 n - 1 spans of the best tree of each sentence, all end to end, each before its parts.

    scores (n_sentences, n_words, n_words), [s, i, j] of the span from word i to word j, both
    within. Returns of each span its sentence, its first and its last word.
    """
    n_sentences, n = scores.shape[:2]
    # Of spans by their width, and by first word or by end: what is looked at lies side by side.
    left = np.zeros((n_sentences, n, n + 1), np.float32)
    right = np.zeros((n_sentences, n + 1, n + 1), np.float32)
    splits = np.zeros((n_sentences, n, n + 1), np.int64)
    for width in range(2, n + 1):
        m = n - width + 1
        both = left[:, :m, 1:width] + right[:, width:, width - 1 : 0 : -1]
        at = both.argmax(axis=2)
        splits[:, :m, width] = at + 1
        best = np.take_along_axis(both, at[:, :, None], axis=2)[:, :, 0]
        best += scores.diagonal(width - 1, 1, 2)
        left[:, :m, width] = right[:, width:, width] = best
    return _traced(splits, lengths)


def _traced(splits: Ints, lengths: Ints) -> tuple[Ints, Ints, Ints]:
    """The spans that the splits lead to from the roots, all sentences a generation at a time."""
    sentences, starts, widths = np.arange(len(lengths)), np.zeros_like(lengths), lengths
    generations = []
    while len(sentences):
        generations.append((sentences, starts, widths))
        inner = widths > 1
        sentences, starts, widths = sentences[inner], starts[inner], widths[inner]
        at = splits[sentences, starts, widths]
        sentences = np.concatenate([sentences, sentences])
        starts = np.concatenate([starts, starts + at])
        widths = np.concatenate([at, widths - at])
    sentences, starts, widths = (
        np.concatenate(arrays) for arrays in zip(*generations, strict=True)
    )
    order = np.lexsort((-widths, starts, sentences))
    return sentences[order], starts[order], (starts + widths - 1)[order]
