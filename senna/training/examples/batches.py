"""From numbered sentences to padded batches, in shuffled and bucketed order."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from senna.registry import OTHER_HEADS
from senna.training.config import Training
from senna.training.examples.encode import Numbered, TaskSets
from senna.training.layers.batch import Batch, Encoded

# For each other task, by name: the rows of the sentences that it shares, and their batch.
OtherTaskBatches = Mapping[str, tuple[list[int], Batch]]


@dataclass(frozen=True)
class Batches:
    """Makes batches of numbered sentences on a device."""

    numbered: Numbered
    device: torch.device
    rare: float  # share of the words that occur once which training replaces by RARE

    def batch(
        self, task: str, sentences: Sequence[Encoded], random: np.random.Generator | None = None
    ) -> Batch:
        """Pad sentences to one length and collect the features of their distinct forms.

        In training, `random` draws the words that are replaced.
        """
        lengths = np.array([len(s.forms) for s in sentences], np.int64)
        width = int(lengths.max())
        gold = _padded([row for s in sentences for row in s.gold], width)
        tokens = _padded([s.forms for s in sentences], width)
        distinct, tokens = np.unique(tokens, return_inverse=True)  # 0, padding, comes first
        if distinct[0] != 0:
            distinct, tokens = np.concatenate([[0], distinct]), tokens + 1
        marks = [s.gazetteer for s in sentences if s.gazetteer is not None]
        tags = {name: [s.tags[name] for s in sentences] for name in sentences[0].tags}
        idf = [s.idf for s in sentences if s.idf is not None]
        views = [row for s in sentences if s.views is not None for row in s.views]
        soft = [s.soft for s in sentences if s.soft is not None]
        return Batch(
            self._forms(distinct, random),
            self._tensor(tokens.reshape(len(sentences), width)),
            {name: self._tensor(_padded(rows, width)) for name, rows in tags.items()},
            self._tensor(_padded(marks, width)) if marks else None,
            self._tensor(lengths),
            self._tensor(gold),
            self._allowed(task, sentences, gold) if any(s.unlabelled for s in sentences) else None,
            self._rows([s.positions for s in sentences]),
            self._rows([s.brackets for s in sentences]),
            self._tensor(_padded(views, width)) if views else None,
            self._tensor(_padded(soft, width, np.float32)) if soft else None,
            self._rows([s.spans for s in sentences]),
            self._tensor(_padded(idf, width, np.float32)) if idf else None,
        )

    def _tensor(self, array: NDArray[np.generic]) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(array)).to(self.device)

    def _forms(
        self, rows: NDArray[np.int64], random: np.random.Generator | None
    ) -> dict[str, Tensor]:
        ids = {name: table[rows] for name, table in self.numbered.ids.items()}
        if random is not None and self.rare:
            chosen = self.numbered.once[rows] & (random.random(len(rows)) < self.rare)
            ids["words"][chosen] = self.numbered.rare_row
        return {name: self._tensor(table.astype(np.int64)) for name, table in ids.items()}

    def _rows(self, of_sentences: Sequence[NDArray[np.int64] | None]) -> Tensor | None:
        """Values of which sentences have several, each after the number of its sentence."""
        parts = [
            np.insert(rows[:, None] if rows.ndim == 1 else rows, 0, i, axis=1)
            for i, rows in enumerate(of_sentences)
            if rows is not None
        ]
        return self._tensor(np.concatenate(parts)) if parts else None

    def _allowed(self, task: str, sentences: Sequence[Encoded], gold: NDArray[np.int64]) -> Tensor:
        """Where a type was not annotated, O may stand for any of its tags."""
        names = next(sets.names for sets in self.numbered.tasks if sets.name == task)
        allowed = np.zeros((*gold.shape, len(names)), np.bool_)
        np.put_along_axis(allowed, gold[:, :, None], True, axis=2)
        for i, sentence in enumerate(sentences):
            types = [row for row, tag in enumerate(names) if row and tag[2:] in sentence.unlabelled]
            outside = np.flatnonzero(gold[i] == names.index("O"))
            allowed[i, outside[:, None], types] = True
        return self._tensor(allowed)


def _padded(rows: Sequence[NDArray[Any]], width: int, kind: type = np.int64) -> NDArray[Any]:
    more = rows[0].shape[1:] if rows else ()
    padded = np.zeros((len(rows), width, *more), kind)
    for i, row in enumerate(rows):
        padded[i, : len(row)] = row
    return padded


# --------------------------------------------------------------------------- of a run


class Examples:
    """The sentences of a run as the loop takes them: the batches of each epoch, and their order."""

    def __init__(self, train: Training, batches: Batches) -> None:
        self.batches, self.tasks = batches, batches.numbered.tasks
        self.size, self.alike = train.batch, train.draw == "alike"
        self.passes = in_one_pass(self.tasks) if train.draw == "together" else self.tasks
        self.free_running = None
        if train.own_tags:
            self.free_running = OTHER_HEADS[train.criterion].free_running(
                train.own_tags, train.epochs
            )

    def steps(self, epochs: int) -> int:
        """How many steps some epochs have."""
        sizes = [sum(s.weight for s in task.train) / self.size for task in self.passes]
        steps, n = sum(map(math.ceil, sizes)), len(sizes)
        return epochs * (n * math.ceil(steps / n) if self.alike else steps)

    def drawn(self, random: np.random.Generator) -> list[tuple[TaskSets, list[Encoded]]]:
        """The sentences of each batch of an epoch."""
        return drawn_batches(self.passes, self.size, self.alike, random)

    def batch(
        self, task: str, sentences: Sequence[Encoded], random: np.random.Generator, epoch: int
    ) -> tuple[Batch, OtherTaskBatches]:
        """The batch of a task to learn from, and those of other tasks about its sentences."""

        def made(
            task: str, sentences: Sequence[Encoded], rare: np.random.Generator | None = None
        ) -> Batch:
            batch = self.batches.batch(task, sentences, rare)
            return self.free_running(batch, epoch, random) if self.free_running else batch

        first, others = made(task, sentences, random), {}
        for name in dict.fromkeys(name for sentence in sentences for name in sentence.others):
            rows = [i for i, sentence in enumerate(sentences) if name in sentence.others]
            others[name] = rows, made(name, [sentences[i].others[name] for i in rows])
        return first, others


# --------------------------------------------------------------------------- order


def in_one_pass(tasks: Sequence[TaskSets]) -> list[TaskSets]:
    """The tasks, each without the sentences of an earlier one, which has them in `others`."""
    passes: list[TaskSets] = []
    for task in tasks:
        rest = task.train
        for i, earlier in enumerate(passes):
            train, rest = _with_others(earlier.train, task.name, rest)
            passes[i] = replace(earlier, train=train)
        if rest:
            passes.append(replace(task, train=rest))
    return passes


def _with_others(
    first: Sequence[Encoded], name: str, others: Sequence[Encoded]
) -> tuple[list[Encoded], list[Encoded]]:
    """Sentences with the same ones of another task, and those of the other that have none such."""
    places: dict[tuple[bytes, float], list[int]] = {}
    for i, sentence in enumerate(first):
        places.setdefault(_key(sentence), []).append(i)
    joined, rest = list(first), list[Encoded]()
    for sentence in others:
        same = places.get(_key(sentence))
        if not same:
            rest.append(sentence)
            continue
        i = same.pop(0)
        joined[i] = replace(joined[i], others={**joined[i].others, name: sentence})
    return joined, rest


def _key(sentence: Encoded) -> tuple[bytes, float]:
    return sentence.forms.tobytes(), sentence.weight


def drawn_batches(
    tasks: Sequence[TaskSets], size: int, alike: bool, random: np.random.Generator
) -> list[tuple[TaskSets, list[Encoded]]]:
    """The batches of one epoch, those of all tasks mixed.

    `alike`: as many of each task, whatever the sizes of their corpora (section 5.2): a small
    corpus is seen several times, of a large one some sentences, other ones in each epoch.
    """
    passes = [list(epoch_batches(task.train, size, random)) for task in tasks]
    if alike:
        n = -(-sum(map(len, passes)) // len(passes))
        passes = [
            list(islice(_repeated(batches, task.train, size, random), n))
            for task, batches in zip(tasks, passes, strict=True)
        ]
    mixed = [
        (task, batch) for task, batches in zip(tasks, passes, strict=True) for batch in batches
    ]
    return [mixed[i] for i in random.permutation(len(mixed))] if len(tasks) > 1 else mixed


def _repeated(
    batches: list[list[Encoded]],
    sentences: Sequence[Encoded],
    size: int,
    random: np.random.Generator,
) -> Iterator[list[Encoded]]:
    """Batches, then those of further passes, each shuffled anew."""
    while batches:
        yield from batches
        batches = list(epoch_batches(sentences, size, random))


def epoch_batches(
    sentences: Sequence[Encoded], size: int, random: np.random.Generator
) -> Iterator[list[Encoded]]:
    """All sentences once (or as often as their weight says), shuffled, like lengths together."""
    drawn: list[Encoded] = []
    for sentence in sentences:
        whole, share = divmod(sentence.weight, 1)
        drawn += [sentence] * (int(whole) + int(share > 0 and random.random() < share))
    order = random.permutation(len(drawn))
    bucket = size * 50 if size > 1 else 1  # sorted within a bucket, so batches stay mixed
    batches: list[list[Encoded]] = []
    for start in range(0, len(order), bucket):
        rows = sorted(order[start : start + bucket], key=lambda row: len(drawn[row].forms))
        batches += [[drawn[row] for row in rows[i : i + size]] for i in range(0, len(rows), size)]
    for i in random.permutation(len(batches)):
        yield batches[i]
