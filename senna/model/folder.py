"""The model folder: `model.toml`, vocabularies one entry per line, arrays as `.npy`.

Nothing in it is executed. Arrays are memory-mapped; names, shapes, types and sizes are checked
at every load against `model.toml`, contents (sha256) by `check`. docs/model-folder.md describes the
folder for programs in other languages.
"""

from __future__ import annotations

import math
import os
import shutil
import stat
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from senna.errors import SennaError
from senna.files import replacing
from senna.model.schema import ABOUT, DTYPES, FORMAT_VERSION, damaged, read_meta, read_table
from senna.tasks import TASKS, in_task_order
from senna.text.features import Vocabulary
from senna.toml import to_toml

MAPPED = 1 << 18  # entries of an array from which on it is mapped into memory
MODELS = Path(__file__).parent.parent / "models"
Array = NDArray[Any]


@dataclass(frozen=True)
class ModelFolder:
    """A checked model folder; `meta` is its model.toml."""

    path: Path
    meta: dict[str, Any]

    @property
    def tasks(self) -> list[str]:
        """The tasks it tags; none for a base table."""
        return list(self.meta["tasks"])

    def only(self, tasks: Collection[str]) -> ModelFolder:
        """The same folder, of whose tasks only these are loaded."""
        kept = [task for task in self.tasks if task in tasks]
        return replace(self, meta=self.meta | {"tasks": kept})

    @property
    def about(self) -> dict[str, Any]:
        """The content of about.toml: notes, made, data, config, scores."""
        try:
            return read_table(self.path / "about.toml")
        except FileNotFoundError:  # format 1 had one file
            return {name: self.meta[name] for name in ABOUT if name in self.meta}

    def array(self, name: str, *shape: int | None, types: tuple[str, ...] = ("<f4",)) -> Array:
        """An array of a shape (None: any number) and of one of some types; large ones are mapped.

        Where float32 is wanted, float16 may be stored. Small arrays hold finite numbers; `check`
        looks at the others.
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
            array = _load_array(path, file["dtype"], tuple(file["shape"]))
        except (OSError, ValueError) as error:
            raise damaged(f"not a whole array: {error}", path) from None
        if array.size < MAPPED and not np.isfinite(array).all():
            raise damaged("numbers that are not finite", path)
        return array if file["dtype"] in types else array.astype(np.float32)

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
        """The whole of a text file."""
        if not self.has(name):
            raise damaged(f"no list {name!r} in it", self.path)
        try:
            # Not read_text(), which takes a carriage return in an entry for its end.
            return (self.path / name).read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise damaged(f"not readable: {error}", self.path / name) from None

    def lines(self, name: str) -> list[str]:
        """The entries of a text file, one per line."""
        return self.text(name).split("\n")[:-1]

    def vocabulary(self, name: str, extends: Vocabulary | None = None) -> Vocabulary:
        """A vocabulary; PADDING and RARE, or those that it extends, stand before its entries."""
        text = self.text(name)
        return Vocabulary(extends=extends, lines=text[: text.rfind("\n") + 1].encode())

    def used(self, name: str) -> Path | None:
        """Another folder that this one needs ("base", "pos"), relative to it."""
        relative = self.meta.get("use", {}).get(name)
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
        mend = "Make it a folder of model folders, or unset it."
        raise SennaError("no such folder", where=f"$SENNA_MODELS: {name}", mend=mend)
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
    meta = read_meta(path)
    for name, file in meta["files"].items():
        _check_size(path / name, file["bytes"])
    return ModelFolder(path, meta)


def _load_array(path: Path, dtype: str, shape: tuple[int, ...]) -> Array:
    """A .npy file, mapped into memory if it is large; ValueError if it is another array."""
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
            return np.fromfile(file, dtype, size).reshape(shape)
        return np.asarray(np.memmap(file, dtype, "r", file.tell(), shape))


def _check_size(path: Path, expected: int) -> None:
    """Whether a file is one, and as long as model.toml says."""
    try:
        status = path.stat()
    except OSError:
        raise damaged("missing", path) from None
    if not stat.S_ISREG(status.st_mode) or status.st_size != expected:
        raise damaged(f"{status.st_size} bytes, model.toml says {expected}", path)


def check(path: Path) -> int:
    """Compare the contents of every file with its sha256; returns how many files there are."""
    folder = read_model(path)
    for name, array in folder.arrays():
        if not np.isfinite(array).all():
            raise damaged("numbers that are not finite", path / f"{name}.npy")
    for name, file in folder.meta["files"].items():
        if digest(path / name) != file["sha256"]:
            raise damaged("its contents have changed", path / name)
    return len(folder.meta["files"])


def digest(path: Path) -> str:
    """The sha256 of a file, in hexadecimal."""
    import hashlib

    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_model(
    path: Path,
    meta: dict[str, Any],
    arrays: dict[str, Array],
    texts: dict[str, list[str]],
    add: Callable[[Path], None] = lambda place: None,
) -> None:
    """Write a whole model folder next to its place, then move it there.

    `add` adds the models that it reads before the folder is moved. A folder that was there
    before is replaced. Nothing half-written is left behind.
    """
    with replacing(path) as place:
        place.mkdir(parents=True)
        files: dict[str, Any] = {}
        for name, array in arrays.items():
            _write_array(place / f"{name}.npy", array)
            files[f"{name}.npy"] = {"dtype": array.dtype.str, "shape": list(array.shape)}
        for name, lines in texts.items():
            _write_lines(place / name, lines)
            files[name] = {"lines": len(lines)}
        for name, file in files.items():
            file["bytes"] = (place / name).stat().st_size
            file["sha256"] = digest(place / name)
        about = {name: table for name, table in meta.items() if name in ABOUT}
        model = {name: table for name, table in meta.items() if name not in ABOUT}
        model = {"format": FORMAT_VERSION, "use": {}, **model, "files": files}
        for name, table in (("model.toml", model), ("about.toml", about)):
            # "replace": a path in it may be no UTF-8, and is there for people alone.
            (place / name).write_text(to_toml(table), "utf-8", "replace", "\n")
        add(place)


def add_about(path: Path, about: dict[str, Any]) -> None:
    """Add tables to a folder's about.toml (scores, say), and write its card (README.md).

    Both appear at once: the folder is replaced by one that shares its other files.
    """
    folder = read_model(path)
    about = folder.about | about
    texts = {"about.toml": to_toml(about), "README.md": model_card(folder.tasks, about)}
    with replacing(path) as place:
        shutil.copytree(path, place, symlinks=True, copy_function=_link)
        for name, text in texts.items():
            (place / name).unlink(missing_ok=True)  # it may be shared with the folder before
            (place / name).write_text(text, "utf-8", "replace", "\n")


def _link(source: str, target: str) -> None:
    """A hard link to a file, or its copy on a file system without links."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _write_array(path: Path, array: Array) -> None:
    with path.open("wb") as file:
        np.save(file, np.ascontiguousarray(array), allow_pickle=False)


def _write_lines(path: Path, lines: list[str]) -> None:
    if any("\n" in line for line in lines):
        raise ValueError(f"{path.name}: an entry holds a line feed")
    text = "".join(line + "\n" for line in lines)
    path.write_text(text, encoding="utf-8", newline="\n")


# --------------------------------------------------------------------------- the card


def model_card(tasks: Sequence[str], about: dict[str, Any]) -> str:
    """The card of a model, in Markdown: what it learnt from, its scores, how it was made."""
    lines = [f"# {', '.join(tasks) or 'word table'}", ""]
    for note in about.get("notes", ()):
        lines += [note, ""]
    lines += _scores(about.get("scores", {})) + _data(about.get("data", {}))
    origin = about.get("made", {})
    if origin:
        versions = ", ".join(f"{k} {origin[k]}" for k in ("senna", "torch", "numpy") if k in origin)
        lines += ["## Made by", "", f"    {origin.get('command', '')}", ""]
        if "epochs" in origin:
            best = f"Best of {origin['epochs']} epochs: {origin.get('best_epoch')}."
            lines += [f"{best} {versions}.", ""]
        if "decoding" in origin:
            lines += [f"Tags are found {origin['decoding']}.", ""]
        lines += _inputs(origin.get("inputs", {}))
    return "\n".join(lines)


def _inputs(inputs: dict[str, str]) -> list[str]:
    if not inputs:
        return []
    rows = [f"| {name} | {digest} |" for name, digest in inputs.items()]
    return ["## What went in", "", "| file or folder | sha256 |", "|---|---|", *rows, ""]


def _scores(scores: dict[str, Any]) -> list[str]:
    lines: list[str] = []
    for task, table in scores.items():
        lines += [f"## Scores, {task} ({table['measure']})", "", "| set | score |", "|---|---:|"]
        lines += [f"| {name} | {v:.2f} |" for name, v in table.items() if name != "measure"]
        lines.append("")
    return lines


def _data(data: dict[str, Any]) -> list[str]:
    lines = ["## Learnt from", ""] if data else []
    for name, entry in data.items():
        splits = ", ".join(dict.fromkeys(entry["splits"]))
        licence = entry.get("licence", "a file of its maker's own")
        lines.append(f"* **{name}** ({splits}): {licence}. {entry.get('attribution', '')}".rstrip())
    return [*lines, ""] if data else []


# --------------------------------------------------------------------------- word tables


def quantise(table: Array, numbers: str) -> dict[str, Array]:
    """A word table as it is stored: ``words`` and, for int8, one ``words.scale`` per row."""
    if numbers != "int8":
        return {"words": table.astype(numbers)}
    table = np.asarray(table, np.float32)
    scale = np.maximum(np.abs(table).max(axis=1, initial=0), 1e-12).astype(np.float32) / 127
    return {"words": np.rint(table / scale[:, None]).astype(np.int8), "words.scale": scale}
