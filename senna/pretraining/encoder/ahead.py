"""Batches that other processes make while a GPU computes: it would wait for them otherwise."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from torch.utils.data import DataLoader, Dataset

from senna.pretraining.encoder.sentences import Reader, Rows, SentenceBatch

MOST = 8  # processes; one makes some 300,000 words per second
AHEAD = 4  # batches that each has ready
Drawn = tuple[Rows, list[int]]  # sentences, and the seed of what is drawn when they are read
Made = tuple[Rows, SentenceBatch]


@dataclass(frozen=True)
class _Batches(Dataset[Made]):
    reader: Reader

    def __getitem__(self, drawn: Any) -> Made:
        rows, seed = drawn
        return rows, self.reader.batch(rows, np.random.default_rng(seed))


def made(reader: Reader, drawn: Iterable[Drawn], jobs: int) -> Iterator[Made]:
    """The batches of drawn sentences in their order, made by `jobs` processes; 0: by this one."""
    batches = _Batches(reader)
    if not jobs:
        return map(batches.__getitem__, drawn)
    loader = DataLoader(
        batches,
        batch_size=None,
        sampler=drawn,
        num_workers=jobs,
        prefetch_factor=AHEAD,
        collate_fn=_as_it_is,
    )
    return iter(loader)


def processes_for(device: str, jobs: int) -> int:
    """How many processes make batches for a device; for the processor none, as it is busy."""
    if device == "cpu":
        return 0
    return min(jobs or (os.cpu_count() or 2) - 1, MOST)


def _as_it_is(batch: Any) -> Any:
    return batch
