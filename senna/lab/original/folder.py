"""The original's data folder: lists in hash/, one key per line, and weights in data/."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from senna.extras.classic.lines import text_of
from senna.extras.classic.options import FatalError, opened

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
END = 777.0  # the last number of a file of weights


class Folder:
    """A data folder; `say` gets a line for each part that is read, on first use."""

    def __init__(self, path: str, say: Callable[[str], None]) -> None:
        self.path = path
        self._say = say
        self._lists: dict[str, list[str]] = {}
        self._keys: dict[str, dict[str, int]] = {}

    def entries(self, name: str) -> list[str]:
        """The lines of a list, empty ones too; it may end without a line feed, or have CR LF."""
        if name not in self._lists:
            path = f"{self.path}hash/{name}.lst"
            self._say(f"loading hash: {path}")
            with opened(path, regular=True) as file:
                lines = file.read().split(b"\n")
            kept = lines if lines[-1] else lines[:-1]
            self._lists[name] = [text_of(line.removesuffix(b"\r")) for line in kept]
        return self._lists[name]

    def keys(self, name: str, *needed: str) -> dict[str, int]:
        """A list that is searched, each key with its number; some keys must be in it."""
        if name not in self._keys:
            listed = self.entries(name)
            encoded = [key.encode("utf-8", "surrogateescape") for key in listed]
            if any(a >= b for a, b in pairwise(encoded)):
                raise FatalError("cannot search a key into an unsorted hash")
            self._keys[name] = {key: number for number, key in enumerate(listed)}
        for key in needed:
            if key not in self._keys[name]:
                raise FatalError(f"could not find key {key}")
        return self._keys[name]

    def phrases(self, name: str) -> dict[str, bool]:
        """A list of phrases and of what they begin with: whether each is a phrase itself."""
        keys = self.keys(name)
        with opened(f"{self.path}data/{name}.dat", regular=True) as file:
            marks = file.read()
        if len(marks) != len(keys):
            raise FatalError("inconsistent hash and admissible key files")
        return {key: bool(marks[number]) for key, number in keys.items()}

    def weights(self, task: str) -> Weights:
        """The file of a network's weights."""
        return Weights(f"{self.path}data/{task}.dat", task)


class Weights:
    """A file of weights, read number by number; its arrays stay in the file until they are used."""

    def __init__(self, path: str, name: str) -> None:
        self.name = name
        opened(path, regular=True).close()
        n = Path(path).stat().st_size // 4
        self._numbers: NDArray[np.int32] = (
            np.memmap(path, "<i4", "r", shape=(n,)) if n else np.empty(0, "<i4")
        )
        self._at = 0

    def number(self) -> int:
        """A whole number."""
        return int(self._take(1)[0])

    def vector(self) -> Floats:
        """A vector, with its length before it."""
        return self._floats(self.number())

    def matrix(self) -> Floats:
        """A matrix, (number of rows, numbers per row)."""
        width, height = self.number(), self.number()
        if min(width, height) < 0:
            raise self.corrupted()
        return self._floats(width * height).reshape(height, width)

    def finish(self) -> None:
        """Check the end mark."""
        if self._floats(1)[0] != END:
            raise self.corrupted()

    def check(self, *fits: Any) -> None:
        """Refuse weights that do not fit one another."""
        if not all(fits):
            raise self.corrupted()

    def corrupted(self) -> FatalError:
        """The error of a damaged file."""
        return FatalError(f"{self.name}: data corrupted (or not IEEE floating computer)")

    def _floats(self, n: int) -> Floats:
        return np.asarray(self._take(n)).view("<f4")

    def _take(self, n: int) -> NDArray[np.int32]:
        if n < 0:
            raise self.corrupted()
        numbers = self._numbers[self._at : self._at + n]
        if len(numbers) < n:
            what = f"read error: read {len(numbers)} elements instead of {n} (of size 4)"
            raise FatalError(what)
        self._at += n
        return numbers


def rows_of(table: Floats, numbers: Any) -> Floats:
    """Rows of a lookup table; FatalError for numbers that it does not have."""
    numbers = np.asarray(numbers, np.int64)
    if numbers.size and not 0 <= numbers.min() <= numbers.max() < len(table):
        raise FatalError("lookup: index out of range")
    return np.asarray(table[numbers])
