"""Word vectors of models, and of files in word2vec's text and binary, GloVe's and NumPy's formats.

`senna.lab.vectors.write` writes them; docs/formats.md describes them.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from senna.errors import SennaError
from senna.files import open_text
from senna.inference.lookup import load_words
from senna.model.folder import is_model, model_path, read_model
from senna.text.vocabulary import normalise


class Vectors(NamedTuple):
    """words (n strings) and their vectors, table (n, size); float16 where the source allows."""

    words: list[str]
    table: NDArray[np.floating]


def load_vectors(name: str | Path, *, exact: bool = False, limit: int | None = None) -> Vectors:
    """The vectors of a model, by a name as `model_path` takes it, or of a file.

    Numbers of text are kept as float16 unless they are to be `exact`; the first `limit` are read.
    """
    path = model_path(name)
    if not is_model(path):
        return read_vectors(path, exact=exact, limit=limit)
    vectors = model_vectors(path)
    return Vectors(vectors.words[:limit], vectors.table[:limit])


def model_vectors(path: Path) -> Vectors:
    """All words of a model folder and their vectors, (n, size) float32, those of its base too.

    PADDING and RARE, which no text can name, are left out.
    """
    table = load_words(read_model(path), {})
    entries = table.words.entries
    return Vectors(list(entries[2:]), table.vectors(np.arange(2, len(entries), dtype=np.int32)))


class WordVectors:
    """The vectors of a table by word, each (size,) float32.

    A word that is not in the table as written has the vector of its normalised form: in lower case,
    every run of digits one 0.
    """

    def __init__(self, words: list[str], table: NDArray[np.floating]) -> None:
        self._table = table
        self._rows = {word: row for row, word in reversed([*enumerate(words)])}

    def _row(self, word: object) -> int | None:
        if not isinstance(word, str):
            return None
        return self._rows.get(word, self._rows.get(normalise(word)))

    def __getitem__(self, word: str) -> NDArray[np.float32]:
        """The vector of a word; SennaError for one that has none."""
        row = self._row(word)
        if row is None:
            raise SennaError(f"no vector of {word!r:.60}", remedy="`word in vectors` asks for it.")
        return np.asarray(self._table[row], np.float32)

    def __contains__(self, word: object) -> bool:
        return self._row(word) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def similarity(self, word: str, other: str) -> float:
        """The cosine of the vectors of two words, 0 where one is all zeros."""
        a, b = self[word], self[other]
        size = float(np.linalg.norm(a) * np.linalg.norm(b))
        return float(a @ b) / size if size else 0.0


def word_vectors(model: str | Path = "base") -> WordVectors:
    """The word vectors of the package's base table, of a model, or of a file of vectors.

    Raises SennaError where there is none of that name.
    """
    return WordVectors(*load_vectors(model))


_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_NAMED_BIN = "word2vec's binary format is read from a name that ends in .bin; unpack archives."


def read_vectors(path: Path, *, exact: bool = False, limit: int | None = None) -> Vectors:
    """Read vectors: a folder, ``.npz``, word2vec ``.bin``, or text (``.gz`` and ``.xz`` too).

    A folder holds ``words.txt`` (or ``.xz``) and one ``.npy`` table. An ``.npz`` holds ``words``
    and ``vectors``. Text has one word and its numbers per line; a first line of two numbers
    (word2vec) is skipped. A word that occurs twice keeps its first vector.

    Numbers of text and of ``.bin`` are kept as float16, which halves the memory and is finer than
    any use of them needs; `exact` keeps float32. `limit` takes the first so many vectors only.
    """
    if not path.exists():
        remedy = "Check the path, or name a model of the package, for example base."
        raise SennaError("no such file or model", where=str(path), remedy=remedy)
    numbers: DTypeLike = np.float32 if exact else np.float16
    if path.is_dir():
        vectors = _read_folder(path)
    elif path.suffix == ".npz":
        vectors = _read_npz(path)
    elif path.suffix == ".bin":
        vectors = _read_binary(path, numbers, limit)
    else:
        vectors = _read_text(path, numbers, limit)
    if not vectors.words:
        raise SennaError("the file has no vectors", where=str(path), remedy="Is it the right file?")
    if len(vectors.words) != len(vectors.table):
        what = f"{len(vectors.words)} words but {len(vectors.table)} vectors"
        raise SennaError(what, where=str(path))
    vectors = Vectors(vectors.words[:limit], vectors.table[:limit])
    if any("\n" in word for word in vectors.words):
        raise SennaError("a word contains a line feed", where=str(path))
    for start in range(0, len(vectors.table), 10_000):
        if not np.isfinite(vectors.table[start : start + 10_000]).all():
            raise SennaError("contains a number that is infinite or too large", where=str(path))
    rows: dict[str, int] = {}
    for row, word in enumerate(vectors.words):
        rows.setdefault(word, row)
    if len(rows) == len(vectors.words):
        return vectors
    return Vectors(list(rows), vectors.table[list(rows.values())])


def _read_folder(path: Path) -> Vectors:
    tables = sorted(path.glob("*.npy"))
    lists = sorted(p for p in path.glob("*words.txt*") if p.suffix != ".tmp")
    if len(tables) != 1 or len(lists) != 1:
        raise SennaError("expected one words.txt and one .npy table in it", where=str(path))
    with open_text(lists[0]) as lines:
        words = lines.read().split("\n")
    try:
        table = np.load(tables[0], mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise SennaError(f"not a NumPy array: {error}", where=str(tables[0])) from None
    return Vectors(words[:-1] if words[-1] == "" else words, _table(table, tables[0]))


def _table(array: object, path: Path) -> NDArray[np.floating]:
    table = np.asarray(array)
    if table.ndim != 2 or table.dtype.kind != "f":
        raise SennaError("expected a table of floating point numbers", where=str(path))
    return table


def _read_npz(path: Path) -> Vectors:
    try:
        with np.load(path, allow_pickle=False) as arrays:
            words, vectors = arrays["words"], arrays["vectors"]
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        what = f"expected arrays 'words' and 'vectors': {error}"
        raise SennaError(what, where=str(path)) from None
    if words.ndim != 1 or words.dtype.kind != "U":
        raise SennaError("expected a list of words as 'words'", where=str(path))
    return Vectors(words.tolist(), _table(vectors, path))


def _read_text(path: Path, numbers: DTypeLike, limit: int | None) -> Vectors:
    """Read one line at a time into blocks: all of GloVe takes a few hundred MB."""
    with open_text(path, "replace") as lines:
        # Checked before reading lines: a binary file may have none for a gigabyte.
        if "\0" in lines.read(1 << 16):
            raise SennaError("binary, not text", where=str(path), remedy=_NAMED_BIN)
    words: list[str] = []
    blocks: list[NDArray[np.floating]] = []
    pending: list[NDArray[np.float32]] = []
    largest = float(np.finfo(numbers).max)
    with open_text(path) as lines:
        for word, row in islice(_text_rows(lines, path, largest), limit):
            words.append(word)
            pending.append(row)
            if len(pending) == 10_000:
                blocks.append(np.array(pending, numbers))
                pending = []
    if pending:
        blocks.append(np.array(pending, numbers))
    return Vectors(words, np.concatenate(blocks) if blocks else np.zeros((0, 0), numbers))


def _text_rows(
    lines: Iterator[str], path: Path, largest: float
) -> Iterator[tuple[str, NDArray[np.float32]]]:
    size = 0
    for number, line in enumerate(lines, 1):
        if number == 1:
            line = line.removeprefix("\ufeff")  # byte order mark
        fields = line.rstrip("\r\n").rstrip(" ").split(" ")
        if number == 1 and len(fields) == 2 and all(map(str.isdigit, fields)):
            continue  # a heading
        size = size or len(fields) - 1
        if size < 1 or len(fields) < size + 1:
            raise _other_size(len(fields) - 1, size, f"{path}:{number}")
        try:
            with np.errstate(over="ignore"):  # too large becomes infinite, and is refused below
                numbers = np.array(fields[-size:], np.float32)
        except ValueError:
            raise SennaError("not a vector", where=f"{path}:{number}") from None
        # A word may itself hold spaces (GloVe has ". . ."): the numbers are the last fields.
        word = " ".join(fields[:-size])
        if longer_vector(word):
            raise _other_size(len(fields) - 1, size, f"{path}:{number}")
        if not np.abs(numbers).max() <= largest:
            raise SennaError("a number is infinite or too large", where=f"{path}:{number}")
        yield word, numbers


def _other_size(n: int, size: int, where: str) -> SennaError:
    remedy = "All vectors of a file have as many numbers as the first." if size else ""
    return SennaError(f"{n} numbers, expected {size or 'some'}", where=where, remedy=remedy)


def longer_vector(word: str) -> bool:
    """Whether the text before the expected numbers is a word and more numbers.

    >>> longer_vector("0.5"), longer_vector(". . ."), longer_vector("word 0.5")
    (False, False, True)
    """
    if " " not in word:
        return False
    return all(_NUMBER.fullmatch(field) for field in word.split(" ")[1:])


def _read_binary(path: Path, numbers: DTypeLike, limit: int | None) -> Vectors:
    """The word2vec program's binary format: a heading, then word, space, float32 numbers."""
    with path.open("rb") as file:
        try:
            n, size = map(int, file.readline(100).split())
        except ValueError:
            raise SennaError("no word2vec heading", where=str(path)) from None
        if n < 0 or size < 1 or n * size * 4 > path.stat().st_size:
            raise SennaError("shorter than its heading says", where=str(path))
        wanted = n if limit is None else min(n, limit)
        table, words = np.empty((wanted, size), numbers), []
        for row in range(wanted):
            words.append(_binary_word(file, path))
            packed = file.read(4 * size)
            if len(packed) < 4 * size:
                raise SennaError(f"ends within vector {row + 1} of {n}", where=str(path))
            with np.errstate(over="ignore"):  # too large becomes infinite, and is refused later
                table[row] = np.frombuffer(packed, "<f4")
        if wanted == n and file.read(2).strip():
            what = "longer than its heading says"
            raise SennaError(what, where=str(path), remedy="Text is read from another name.")
    return Vectors(words, table)


def _binary_word(file: BinaryIO, path: Path) -> str:
    letters = bytearray()
    while (letter := file.read(1)) not in (b" ", b""):
        letters += letter
        if len(letters) > 10_000:
            raise SennaError("not word2vec's binary format", where=str(path))
    return letters.lstrip(b"\n").decode("utf-8", "replace")
