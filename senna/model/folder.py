"""The model folder: `model.toml`, vocabularies one entry per line, arrays as `.npy`.

Nothing in it is executed. Large arrays stay in their files; names, shapes, types and sizes are
checked at every load against `model.toml`, and so are the contents (sha256) of what is read whole;
those of mapped arrays by `senna.model.writing.check`.
docs/model-folder.md describes the folder for programs in other languages.
"""

from __future__ import annotations

import hashlib
import math
import os
import stat
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from senna.errors import SennaError
from senna.inference.kernel.calls import widened
from senna.model.schema import DTYPES, ModelTable, damaged, read_meta, read_table
from senna.tasks import TASKS, in_task_order
from senna.text.vocabulary import Vocabulary

CHANGED = "its contents have changed"  # what a file with another digest is refused with
MAPPED = 1 << 18  # entries of an array from which on it stays in its file
FIRST = 1 << 14  # rows of such a table that are mapped
MODELS = Path(__file__).parent.parent / "models"
Array = NDArray[Any]


class StoredRows:
    """The rows of a large array: the first ones mapped into memory, the others read when asked for.

    Of a mapped file many pages count that nobody has read: after some thousand words all of it.
    """

    def __init__(self, path: Path, array: Array) -> None:
        """array: that at the end of the file, the most frequent rows first."""
        self.first: Array = array[:FIRST]
        self.shape: tuple[int, ...] = array.shape
        self.start = path.stat().st_size - array.nbytes
        self.path, self.file = path, os.open(path, os.O_RDONLY)
        finalize(self, os.close, self.file)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: NDArray[Any]) -> Array:
        """The rows of some numbers, (n, ...)."""
        others = (rows >= len(self.first)).nonzero()[0]
        found: Array = self.first[np.minimum(rows, len(self.first) - 1) if len(others) else rows]
        if not len(others):
            return found
        size = self.first[0].nbytes
        starts = (self.start + rows[others].astype(np.int64) * size).tolist()
        read = b"".join([os.pread(self.file, size, start) for start in starts])
        if len(read) < size * len(starts):
            raise damaged(CHANGED, self.path)
        found[others] = np.frombuffer(read, found.dtype).reshape(-1, *found.shape[1:])
        return found

    def __reduce__(self) -> Any:
        """To another process, which may not have the file: as an array."""
        return np.asarray, (self[np.arange(len(self))],)


class ModelFolder(NamedTuple):
    """A checked model folder; `meta` is its model.toml, `table` what tagging reads of it."""

    path: Path
    meta: dict[str, Any]
    table: ModelTable

    @property
    def tasks(self) -> list[str]:
        """The tasks it tags; none for a base table."""
        return list(self.meta["tasks"])

    def only(self, tasks: Collection[str]) -> ModelFolder:
        """The same folder, of whose tasks only these are loaded."""
        kept = [task for task in self.tasks if task in tasks]
        return self._replace(meta=self.meta | {"tasks": kept})

    @property
    def about(self) -> dict[str, Any]:
        """The content of about.toml: notes, made, data, config, scores."""
        try:
            return read_table(self.path / "about.toml")
        except FileNotFoundError:
            return {}

    def array(self, name: str, *shape: int | None, types: tuple[str, ...] = ("<f4",)) -> Array:
        """An array of a shape (None: any number) and of one of some types; large ones are mapped.

        Where float32 is wanted, float16 may be stored. Small arrays hold finite numbers; the others
        are looked at by `senna.model.writing.check`.
        """
        file = self.meta["files"].get(f"{name}.npy")
        if file is None:
            raise damaged(f"it has no array {name!r}", self.path)
        path = self.path / f"{name}.npy"
        stored = (*types, "<f2") if "<f4" in types else types
        fits = len(shape) == len(file["shape"]) and file["dtype"] in stored
        sizes = zip(file["shape"], shape, strict=False)
        if not fits or any(wanted not in (None, size) for size, wanted in sizes):
            raise damaged(f"{file['dtype']} {file['shape']} does not fit its place", path)
        try:
            array = _load_array(path, file["dtype"], tuple(file["shape"]), file["sha256"])
        except SennaError:
            raise
        except (OSError, ValueError) as error:
            raise damaged(f"not a whole array: {error}", path) from None
        if file["dtype"] not in types:
            array = widened(array)
        if array.size < MAPPED and not np.isfinite(array).all():
            raise damaged("numbers that are not finite", path)
        return array

    def rows(self, name: str, types: tuple[str, ...]) -> Array | StoredRows:
        """An array (n, size), of whose rows some are needed."""
        array = self.array(name, None, None, types=types)
        readable = array.size >= MAPPED and hasattr(os, "pread")  # not on Windows
        return StoredRows(self.path / f"{name}.npy", array) if readable else array

    def arrays(self) -> Iterator[tuple[str, Array]]:
        """All arrays and their names, of any shape and type."""
        for name, file in self.meta["files"].items():
            if name.endswith(".npy"):
                shape = [None] * len(file["shape"])
                yield name[:-4], self.array(name[:-4], *shape, types=DTYPES)

    def has(self, name: str) -> bool:
        """Whether the folder holds a file."""
        return name in self.meta["files"]

    def text(self, name: str) -> str:
        """The whole of a text file; a carriage return in an entry is not its end."""
        return self._read(name)[1]

    def _read(self, name: str) -> tuple[bytes, str]:
        if not self.has(name):
            raise damaged(f"no list {name!r} in it", self.path)
        try:
            content = (self.path / name).read_bytes()
            text = content.decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise damaged(f"not readable: {error}", self.path / name) from None
        if hashlib.sha256(content).hexdigest() != self.meta["files"][name]["sha256"]:
            raise damaged(CHANGED, self.path / name)
        return content, text

    def lines(self, name: str) -> list[str]:
        """The entries of a text file, one per line."""
        return self.text(name).split("\n")[:-1]

    def vocabulary(self, name: str, extends: Vocabulary | None = None) -> Vocabulary:
        """A vocabulary; PADDING and RARE, or those that it extends, stand before its entries."""
        lines, _ = self._read(name)
        return Vocabulary(extends=extends, lines=lines[: lines.rfind(b"\n") + 1])

    def used(self, name: str) -> Path | None:
        """Another folder that this one needs ("base", "pos"), relative to it."""
        relative = self.table.use.get(name)
        # Not resolve(), which may raise RuntimeError for a link to itself.
        return None if relative is None else Path(os.path.realpath(self.path / relative))


def shipped(models: Path | None = None) -> dict[str, Path]:
    """The models in the package, or in another folder of them: task to folder.

    The name of a folder says which tasks its model has, for example ``pos-chunk``. The models of
    the user's own folder, $SENNA_MODELS, take the place of the package's.
    """
    folders: dict[str, Path] = {}
    for place in [models] if models else reversed(places()):
        for path in sorted(path.parent for path in place.glob("*/model.toml")):
            names = path.name.split("-")
            folders |= dict.fromkeys(names if set(names) <= set(TASKS) else (), path)
    return {task: folders[task] for task in in_task_order(folders)}


def places() -> list[Path]:
    """The folders of models, in the order in which they are searched."""
    name = os.environ.get("SENNA_MODELS", "")
    if name and not os.path.isdir(name):
        remedy = "Make it a folder of model folders, or unset it."
        raise SennaError("no such folder", where=f"$SENNA_MODELS: {name}", remedy=remedy)
    return [Path(name), MODELS] if name else [MODELS]


def model_path(name: str | Path) -> Path:
    """The folder or file that a name stands for, wherever a user names a model or vectors.

    A task or a folder of $SENNA_MODELS or the package ("ner", "base") is theirs, whatever lies in
    the folder at hand; "./ner", and any name with a separator in it, is a path, as is any other.
    """
    if isinstance(name, Path):
        return name
    folder = shipped().get(name) if name in TASKS else None
    if folder is None and os.path.basename(name) == name and name.strip("."):
        named = (place / name for place in places())
        folder = next((p for p in named if is_model(p) or any(p.glob("*/model.toml"))), None)
    return folder or Path(name)


def is_model(path: Path) -> bool:
    """Whether a path is a model folder."""
    return (path / "model.toml").is_file()


def models_in(path: Path) -> dict[str, Path]:
    """Task to folder, of a model folder or of a folder of them, for example the package's "paper".

    Raises SennaError as `read_model` does.
    """
    several = {} if is_model(path) else shipped(path)
    return several or dict.fromkeys(read_model(path).tasks, path)


def read_model(path: Path) -> ModelFolder:
    """Open a model folder; `SennaError` if it is missing, newer, truncated or of another kind."""
    meta, table = read_meta(path)
    for name, file in meta["files"].items():
        _check_size(os.path.join(path, name), file["bytes"])
    return ModelFolder(path, meta, table)


def _load_array(path: Path, dtype: str, shape: tuple[int, ...], sha256: str) -> Array:
    """A .npy file, mapped into memory if it is large; ValueError if it is another array.

    The contents of a small one are compared with its digest.
    """
    # NumPy's own loader takes the header for Python code, a dozen times as long as this.
    expected = f"{{'descr': {dtype!r}, 'fortran_order': False, 'shape': {shape!r}, }}"
    with path.open("rb") as file:
        start = file.read(10)
        header = file.read(int.from_bytes(start[8:], "little"))
        if start[:8] != b"\x93NUMPY\x01\x00" or header.decode("latin-1").strip() != expected:
            raise ValueError(f"its header is not that of {dtype} {list(shape)} in model.toml")
        size = math.prod(shape)
        if size * np.dtype(dtype).itemsize != os.fstat(file.fileno()).st_size - file.tell():
            raise ValueError("too short or too long")
        if size < MAPPED:
            array = np.empty(shape, dtype)
            file.readinto(array.data)
            digest = hashlib.sha256(start + header)
            digest.update(array.data)
            if digest.hexdigest() != sha256:
                raise damaged(CHANGED, path)
            return array
        return np.asarray(np.memmap(file, dtype, "r", file.tell(), shape))


def _check_size(file: str, expected: int) -> None:
    """Whether a file is one, and as long as model.toml says."""
    try:
        status = os.stat(file)
    except OSError:
        raise damaged("missing", Path(file)) from None
    if not stat.S_ISREG(status.st_mode) or status.st_size != expected:
        raise damaged(f"{status.st_size} bytes, model.toml says {expected}", Path(file))
