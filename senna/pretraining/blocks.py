"""The training text, part by part, as blocks of rows of a dictionary."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from senna.text.vocabulary import PADDING

CPU = torch.device("cpu")
PART = 1 << 19  # tokens, about, that are read at a time; a checkpoint falls between two parts


@dataclass(frozen=True)
class TextBlocks:
    """The training text as one dictionary sees it."""

    ids: NDArray[np.uint32]  # (n_tokens,) of the text, memory-mapped
    table: NDArray[np.int32]  # row of the dictionary for each id of the text
    margin: int  # words of context on each side of a block
    length: int  # words of a block that are centres
    part: int = PART  # tokens, about
    keep: NDArray[np.float32] | None = None  # chance of each row to stay, where some are dropped

    @property
    def n_parts(self) -> int:
        """How many parts one pass over the text has."""
        return max(len(self.ids) // self.part, 1)

    def order(self, seed: list[int]) -> NDArray[np.int64]:
        """The parts of one pass, shuffled."""
        return np.random.default_rng(seed).permutation(self.n_parts)

    def batches(
        self, part: int, size: int, seed: list[int], device: torch.device = CPU
    ) -> list[Tensor]:
        """The part's blocks (n, length + 2 * margin), shuffled, about `size` centres at a time.

        The part is moved to the device as one tensor.
        """
        random = np.random.default_rng(seed)
        blocks = self._blocks(part, random)
        if not len(blocks):
            return []
        shuffled = torch.from_numpy(blocks[random.permutation(len(blocks))].astype(np.int64))
        return list(torch.split(shuffled.to(device), max(1, size // self.length)))

    def streams(
        self, part: int, size: int, seed: list[int], device: torch.device = CPU
    ) -> list[Tensor]:
        """The part cut into long streams, a block of each at a time: about `size` words.

        (n_streams, 2, length + 2 * margin): a stream's blocks in the order of the text, and next to
        them the same blocks from the last to the first, for a network that reads backwards.
        """
        blocks = self._blocks(part, np.random.default_rng(seed))
        n = max(min(size // self.length, len(blocks)), 1)
        n_steps = len(blocks) // n
        streams = blocks[: n * n_steps].reshape(n, n_steps, blocks.shape[1])
        both = np.stack([streams, streams[:, ::-1]], 2)  # (stream, step, direction, word)
        return list(torch.from_numpy(both.astype(np.int64)).to(device).unbind(1))

    def _blocks(self, part: int, random: np.random.Generator) -> NDArray[np.int32]:
        rows = self.rows(part, random)
        wide = self.length + 2 * self.margin
        if len(rows) == 0:
            return np.empty((0, wide), np.int32)
        n = max(len(rows) // self.length, 1)
        whole = max(len(rows), self.length)
        # The first block starts anywhere, so that blocks are cut elsewhere in each pass.
        first = int(random.integers(whole - n * self.length + 1))
        padded = np.full(whole + 2 * self.margin, PADDING, np.int32)
        padded[self.margin : self.margin + len(rows)] = rows
        return np.lib.stride_tricks.sliding_window_view(padded[first:], wide)[:: self.length][:n]

    def rows(self, part: int, random: np.random.Generator) -> NDArray[np.int32]:
        """One part as rows of the dictionary; `keep` drops frequent words at random."""
        first, last = (len(self.ids) * i // self.n_parts for i in (part, part + 1))
        rows = self.table[self.ids[first:last]]
        if self.keep is None:
            return rows
        return rows[random.random(len(rows), np.float32) < self.keep[rows]]


def keep_chances(counts: NDArray[np.int64], threshold: float) -> NDArray[np.float32] | None:
    """The probability of keeping each word, below 1 above a share `threshold` (Mikolov 2013)."""
    if not threshold:
        return None
    share = counts / max(counts.sum(), 1)
    ratio = threshold / np.maximum(share, 1e-12)
    chances: NDArray[np.float64] = np.minimum(np.sqrt(ratio) + ratio, 1)
    return chances.astype(np.float32)
