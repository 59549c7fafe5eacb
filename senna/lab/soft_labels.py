"""Soft labels: probabilities of tags, of a teacher or from a file, in the place of gold tags."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from senna.decoding.marginals import chances
from senna.decoding.requests import PLAIN, Request
from senna.decoding.viterbi import Dense
from senna.errors import SennaError
from senna.files import open_text
from senna.inference.exact import Floats
from senna.inference.workspace import Block, Ints
from senna.kinds.tags.head import TagHead
from senna.lab.heads import StatePaths
from senna.pipeline.pipeline import Pipeline
from senna.training.criteria import DensePaths, GoldBatch, Paths
from senna.training.examples.corpora import Example, Soft
from senna.training.layers.batch import mask_of
from senna.training.start_from import origin_of

NEAR = 1e-3  # how far from 1 the probabilities of a word's tags may sum up, as they are rounded


def softened(source: str, task: str, sentences: Sequence[Example]) -> list[Example]:
    """Training sentences with the probabilities of a source (`train.soft`), a file or a model.

    Raises SennaError for probabilities that do not sum to 1, sentences that a file lacks, and a
    model without marginals of the task's tags.
    """
    path = Path(source)
    labels = _of_file(path, sentences) if path.is_file() else _of_model(str(path), task, sentences)
    return [replace(s, soft=soft) for s, soft in zip(sentences, labels, strict=True)]


def on_tags(soft: Soft, numbers: Mapping[str, int]) -> NDArray[np.float32]:
    """Probabilities (n_words, n_tags) of a task's tags, by their numbers."""
    names, rows = soft
    probabilities = np.zeros((len(rows), len(numbers)), np.float32)
    for column, name in enumerate(names):
        if name in numbers:
            probabilities[:, numbers[name]] = rows[:, column]
        elif rows[:, column].max(initial=0) > NEAR:
            what = f"a tag that the training data lack: {name:.40}"
            raise SennaError(what, where="train.soft")
    return probabilities


def _of_model(name: str, task: str, sentences: Sequence[Example]) -> list[Soft]:
    folder = origin_of(name)
    if folder.table.network.beam:
        what = "it tags from left to right, and so knows no marginals"
        raise SennaError(what, where=str(folder.path))
    pipeline = Pipeline.load([task], folder.path)
    names: list[str] = []

    def read(head: TagHead, x: Floats, lengths: Ints) -> Floats:
        names[:] = head.names
        return marginals(head, x, lengths)

    return [(names, row) for row in of_words(pipeline, task, read, sentences)]


def _of_file(path: Path, sentences: Sequence[Example]) -> list[Soft]:
    """The probabilities of a file, by the words of sentences; equal ones are taken in order."""
    by_words: dict[tuple[str, ...], list[list[dict[str, float]]]] = {}
    with open_text(path) as lines:
        for forms, words in _sentences(lines, str(path)):
            by_words.setdefault(forms, []).append(words)
    labels = []
    for s in sentences:
        if tuple(s.forms) not in by_words:
            raise SennaError(f"lacks a sentence: {' '.join(s.forms):.60}", where=str(path))
        same = by_words[tuple(s.forms)]
        words = same.pop(0) if len(same) > 1 else same[0]
        names = list(dict.fromkeys(name for word in words for name in word))
        rows = np.array([[word.get(name, 0.0) for name in names] for word in words], np.float32)
        labels.append((names, rows))
    return labels


def _sentences(
    lines: Iterator[str], where: str
) -> Iterator[tuple[tuple[str, ...], list[dict[str, float]]]]:
    """Words, and the probabilities of each one's tags: one word per line, then TAG=PROBABILITY."""
    forms: list[str] = []
    words: list[dict[str, float]] = []
    for number, line in enumerate(lines, start=1):
        form, *cells = line.rstrip("\r\n").split("\t")
        if form:
            forms.append(form)
            words.append(_probabilities(cells, f"{where}:{number}"))
        elif forms:
            yield tuple(forms), words
            forms, words = [], []
    if forms:
        yield tuple(forms), words


def _probabilities(cells: Sequence[str], where: str) -> dict[str, float]:
    """The probabilities of one word's tags; SennaError if they do not sum to 1."""
    chances: dict[str, float] = {}
    for cell in cells:
        name, _, value = cell.rpartition("=")
        try:
            chances[name] = float(value)
        except ValueError:
            chances[name] = -1.0
        if not (name and 0 <= chances[name] <= 1):
            remedy = "Write a word, tab, and O=0.9, tab, S-PER=0.1."
            raise SennaError(
                f"{cell!r:.60} is not a tag with its probability", where=where, remedy=remedy
            )
    total = sum(chances.values())
    if abs(total - 1) > NEAR:
        raise SennaError(f"probabilities that sum to {total:.4g}, not 1", where=where)
    return {name: value / total for name, value in chances.items()}


def soft_loss(emissions: Tensor, gold: GoldBatch, paths: Paths) -> Tensor:
    """The cross entropy of the marginals of tags to `gold.soft`, summed over words."""
    assert gold.soft is not None
    inside = mask_of(gold.lengths, emissions.shape[1])
    return -(gold.soft * log_marginals(emissions, gold.lengths, paths))[inside].sum()


def log_marginals(emissions: Tensor, lengths: Tensor, paths: Paths) -> Tensor:
    """The logarithm of the probability of each word's tags over all paths, as emissions.

    A graph of both recursions, since gradients of marginals are asked for.
    """
    assert isinstance(paths, DensePaths | StatePaths)
    n_steps = emissions.shape[1]
    moves = [paths.transitions.expand(1, -1, -1)] * n_steps
    if isinstance(paths, StatePaths):
        moves = list((paths.transitions + paths.moves).unbind(1))
    words = emissions.unbind(1)
    inside = mask_of(lengths, n_steps)[:, :, None]
    alpha, beta = [words[0] + paths.initial], [torch.zeros_like(words[0])]
    for t in range(1, n_steps):
        new = (alpha[-1][:, :, None] + moves[t]).logsumexp(1) + words[t]
        alpha.append(torch.where(inside[:, t], new, alpha[-1]))
    for t in range(n_steps - 1, 0, -1):
        new = (moves[t] + (words[t] + beta[0])[:, None]).logsumexp(2)
        beta.insert(0, torch.where(inside[:, t], new, beta[0]))
    total = alpha[-1].logsumexp(1)
    return torch.stack(alpha, 1) + torch.stack(beta, 1) - total[:, None, None]


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
    pipeline: Pipeline, task: str, read: Read, sentences: Sequence[Example]
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
    given = {t: [s.tags.get(t, []) for s in sentences] for t in pipeline.missing}
    answers = pipeline.annotate([s.forms for s in sentences], given)[task]
    return [np.asarray(rows, np.float32) for rows in answers]
