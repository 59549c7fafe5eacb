"""Word vectors in the formats that people have: word2vec text and binary, GloVe text, NumPy."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from senna.errors import SennaError
from senna.text.columns import open_text

LARGEST = float(np.finfo(np.float16).max)


class Vectors(NamedTuple):
    """words (n strings) and their vectors, table (n, size); float16 where the source allows."""

    words: list[str]
    table: NDArray[np.floating]


def read_vectors(path: Path) -> Vectors:
    """Read vectors: a folder, ``.npz``, word2vec ``.bin``, or text (``.gz`` and ``.xz`` too).

    A folder holds ``words.txt`` (or ``.xz``) and one ``.npy`` table. An ``.npz`` holds ``words``
    and ``vectors``. Text has one word and its numbers a line; a first line of two numbers
    (word2vec) is skipped. A word that occurs twice keeps its first vector.
    """
    if not path.exists():
        raise SennaError("no such vectors", where=str(path))
    if path.is_dir():
        found = _read_folder(path)
    elif path.suffix == ".npz":
        found = _read_npz(path)
    elif path.suffix == ".bin":
        found = _read_binary(path)
    else:
        found = _read_text(path)
    if not found.words:
        raise SennaError("no vectors in it", where=str(path))
    if len(found.words) != len(found.table):
        raise SennaError(
            f"{len(found.words)} words but {len(found.table)} vectors", where=str(path)
        )
    if any("\n" in word for word in found.words):
        raise SennaError("a word holds a line feed", where=str(path))
    for start in range(0, len(found.table), 10_000):
        if not np.isfinite(found.table[start : start + 10_000]).all():
            raise SennaError("holds a number that is not finite, or too large", where=str(path))
    return _distinct(found)


def _distinct(vectors: Vectors) -> Vectors:
    rows: dict[str, int] = {}
    for row, word in enumerate(vectors.words):
        rows.setdefault(word, row)
    if len(rows) == len(vectors.words):
        return vectors
    return Vectors(list(rows), vectors.table[list(rows.values())])


def _read_folder(path: Path) -> Vectors:
    tables = sorted(path.glob("*.npy"))
    lists = sorted(path.glob("*words.txt*"))
    if len(tables) != 1 or len(lists) != 1:
        raise SennaError("expected one words.txt and one .npy table in it", where=str(path))
    with open_text(lists[0]) as lines:
        words = lines.read().split("\n")
    return Vectors(words[:-1] if words[-1] == "" else words, _load(tables[0]))


def _load(path: Path) -> NDArray[np.floating]:
    try:
        table = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise SennaError(f"not a NumPy array: {error}", where=str(path)) from None
    return _table(table, path)


def _table(found: object, path: Path) -> NDArray[np.floating]:
    table = np.asarray(found)
    if table.ndim != 2 or table.dtype.kind != "f":
        raise SennaError("expected a table of floating point numbers", where=str(path))
    return table


def _read_npz(path: Path) -> Vectors:
    try:
        with np.load(path, allow_pickle=False) as arrays:
            words, vectors = arrays["words"], arrays["vectors"]
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise SennaError(
            f"expected arrays 'words' and 'vectors': {error}", where=str(path)
        ) from None
    if words.ndim != 1 or words.dtype.kind != "U":
        raise SennaError("expected a list of words as 'words'", where=str(path))
    return Vectors(words.tolist(), _table(vectors, path))


def _read_text(path: Path) -> Vectors:
    """One line at a time into blocks of float16: the whole of GloVe in a few hundred MB."""
    words: list[str] = []
    blocks: list[NDArray[np.float16]] = []
    pending: list[NDArray[np.float32]] = []
    with open_text(path) as lines:
        for word, numbers in _text_rows(lines, path):
            words.append(word)
            pending.append(numbers)
            if len(pending) == 10_000:
                blocks.append(np.array(pending, np.float16))
                pending = []
    if pending:
        blocks.append(np.array(pending, np.float16))
    return Vectors(words, np.concatenate(blocks) if blocks else np.zeros((0, 0), np.float16))


def _text_rows(lines: Iterator[str], path: Path) -> Iterator[tuple[str, NDArray[np.float32]]]:
    size = 0
    for number, line in enumerate(lines, 1):
        fields = line.rstrip("\r\n").rstrip(" ").split(" ")
        if number == 1 and len(fields) == 2 and all(field.isdigit() for field in fields):
            continue
        size = size or len(fields) - 1
        # A word may itself hold spaces (GloVe has ". . ."): the numbers are the last fields.
        if size < 1 or len(fields) < size + 1:
            raise SennaError(
                f"{len(fields) - 1} numbers, expected {size}", where=f"{path}:{number}"
            )
        try:
            numbers = np.array(fields[len(fields) - size :], np.float32)
        except ValueError:
            raise SennaError("not a vector", where=f"{path}:{number}") from None
        if not np.abs(numbers).max() <= LARGEST:
            raise SennaError("a number not finite, or too large", where=f"{path}:{number}")
        yield " ".join(fields[: len(fields) - size]), numbers


def _read_binary(path: Path) -> Vectors:
    """The word2vec program's binary format: a heading, then word, space, float32 numbers."""
    with path.open("rb") as file:
        try:
            n, size = map(int, file.readline(100).split())
        except ValueError:
            raise SennaError("no word2vec heading", where=str(path)) from None
        if n < 0 or size < 1 or n * size * 4 > path.stat().st_size:
            raise SennaError("shorter than its heading says", where=str(path))
        table, words = np.empty((n, size), np.float16), []
        for row in range(n):
            words.append(_binary_word(file, path))
            numbers = file.read(4 * size)
            if len(numbers) < 4 * size:
                raise SennaError(f"ends within vector {row + 1} of {n}", where=str(path))
            with np.errstate(over="ignore"):  # too large becomes infinite, and is refused later
                table[row] = np.frombuffer(numbers, "<f4")
    return Vectors(words, table)


def _binary_word(file: BinaryIO, path: Path) -> str:
    letters = bytearray()
    while (letter := file.read(1)) not in (b" ", b""):
        letters += letter
        if len(letters) > 10_000:
            raise SennaError("not word2vec's binary format", where=str(path))
    return letters.lstrip(b"\n").decode("utf-8", "replace")
