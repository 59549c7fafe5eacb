"""Emissions: the scores of a model's output layer, before any path is sought."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from senna.errors import SennaError
from senna.heads.tags import TagHead
from senna.paths.confidence import PLAIN, Request
from senna.paths.marginals import chances
from senna.paths.viterbi import Dense
from senna.pipeline.models import Given
from senna.pipeline.pipeline import Pipeline
from senna.products.exact import Floats
from senna.products.workspace import Block, Ints

Read = Callable[[TagHead, Any, Ints], Floats]  # a head, its input, lengths: (n_words, n)


def marginals(head: TagHead, x: Any, lengths: Ints) -> Floats:
    """The probability of each tag of each word, (n_words, n_tags), tags as in `head.names`."""
    scores, paths = head.split(head.scores(x, lengths))
    scores[np.cumsum(lengths)[lengths > 0] - 1] += head.final
    n_words, n = scores.shape
    moves = paths or Dense(np.zeros((n, n), np.float32), np.zeros(n, np.float32))
    tried = [np.full(n_words, tag, np.intp) for tag in range(n)]
    every = chances(moves, scores, lengths, tried, head.temperature)
    table = np.stack([tag.words for tag in every], axis=1)
    shares: Floats = (table / table.sum(axis=1, keepdims=True)).astype(np.float32)
    return shares


class _Reader:
    """A head that gives rows of numbers where another one gives tags."""

    def __init__(self, head: TagHead, read: Read) -> None:
        self.head, self.read = head, read

    def __call__(self, x: Any, block: Block, request: Request = PLAIN) -> list[Any]:
        if not block.lengths.any():
            return [[] for _ in block.lengths]
        rows = self.read(self.head, x, block.lengths)
        return np.split(rows, np.cumsum(block.lengths)[:-1])


def of_words(
    pipeline: Pipeline, task: str, read: Read, sentences: Sequence[Sequence[str]], given: Given
) -> list[Floats]:
    """The results of `read` for a task's head, (n_words, n) of each sentence.

    The pipeline gives no more tags of the task. SennaError for a task whose words get no tags.
    """
    heads = pipeline.owners[task].heads
    head = heads[task]
    if not isinstance(head, TagHead):
        where = str(pipeline.owners[task].folder.path)
        raise SennaError(f"its words have no scores of {task} tags", where=where)
    heads[task] = _Reader(head, read)
    answers = pipeline.annotate(sentences, given)[task]
    return [np.asarray(rows, np.float32) for rows in answers]
