"""Pooling by PyTorch in a model that NumPy computes: see `senna.kinds.labels.head`."""

from __future__ import annotations

from functools import partial
from typing import Any

import torch

from senna.inference.exact import Floats
from senna.inference.workspace import Ints
from senna.lab import heads
from senna.lab.torch_tagger import one_thread


def _by_torch(name: str, x: Floats, starts: Ints, lengths: Ints, **settings: Any) -> Floats:
    rows = torch.split(torch.from_numpy(x), lengths.tolist())
    with one_thread(), torch.no_grad():
        padded = torch.nn.utils.rnn.pad_sequence(list(rows), batch_first=True)
        pooled = heads.POOLING[name](padded, torch.from_numpy(lengths), **settings)
    states: Floats = pooled.numpy()
    return states


POOLING = {name: partial(_by_torch, name) for name in heads.POOLING}
