"""Batches that other processes make while a GPU computes, which then need not wait for them."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from multiprocessing.sharedctypes import RawValue
from multiprocessing.util import Finalize
from types import FrameType
from typing import Any

import numpy as np
from torch.utils.data import DataLoader, Dataset

from senna.pool.processes import SIGNALS, signals_held
from senna.pretraining.corpus import cores
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
    over = RawValue("b", 0)
    Finalize(None, setattr, (over, "value", 1), exitpriority=0)  # before they get SIGTERM
    loader = DataLoader(
        batches,
        batch_size=None,
        sampler=drawn,
        num_workers=jobs,
        prefetch_factor=AHEAD,
        collate_fn=lambda batch: batch,
        worker_init_fn=partial(_stand_apart, over),
        multiprocessing_context="fork",  # they share the text, which is not copied
    )
    with signals_held():
        return iter(loader)


def processes_for(device: str, jobs: int) -> int:
    """How many processes make batches for a device, at most `MOST`; jobs 0: one less than cores.

    0 for the processor, as it is busy itself, and where processes cannot share what is in memory.
    """
    if device == "cpu" or "fork" not in multiprocessing.get_all_start_methods():
        return 0
    return min(jobs or max(cores() - 1, 1), MOST)


def _stand_apart(over: Any, number: int) -> None:
    """Leave Ctrl-C and `timeout`, which reach all processes of a group, to the first process.

    It can still end this one by SIGTERM, as it does where it ends before its batches do. `over`
    says that it ends, for a SIGTERM that has come too early to be known from one to the group.
    """
    os.setpgid(0, 0)
    for name in SIGNALS:
        signal.signal(name, signal.SIG_IGN)  # what has reached the group before is dropped
    signal.signal(signal.SIGTERM, _end)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    if over.value:
        os._exit(0)


def _end(number: int, frame: FrameType | None) -> None:
    os._exit(0)
