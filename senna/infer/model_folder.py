"""The model folder: `model.toml`, vocabularies one entry a line, arrays as `.npy`.

Nothing in it is executed. Arrays are memory-mapped; names, shapes, types and sizes are checked
at every load against `model.toml`, contents (sha256) by `check`. docs/formats.md describes the
folder for programs in other languages.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from senna.errors import SennaError
from senna.files import replacing
from senna.infer.format import upgrade
from senna.text.features import Vocabulary

if TYPE_CHECKING:
    from senna.text.vectors import Vectors

FORMAT = 1
Array = NDArray[Any]


@dataclass(frozen=True)
class ModelFolder:
    """A checked model folder; `meta` is its model.toml."""

    path: Path
    meta: dict[str, Any]

    @property
    def tasks(self) -> list[str]:
        """The tasks it tags; none for a base table."""
        return list(self.meta.get("tasks", ()))

    def array(self, name: str, rows: int | None = None) -> Array:
        """A memory-mapped array, of the shape and type that model.toml names, and of `rows`."""
        file = self.meta["files"].get(f"{name}.npy")
        if file is None:
            raise SennaError(f"no array {name!r} in it", where=str(self.path), mend=_AGAIN)
        path = self.path / f"{name}.npy"
        try:
            found = np.load(path, mmap_mode="r", allow_pickle=False)
            if not isinstance(found, np.ndarray):
                raise ValueError("it is an archive")
        except Exception as error:  # damaged headers make NumPy raise almost anything
            raise SennaError(f"not a whole array: {error}", where=str(path), mend=_AGAIN) from None
        if list(found.shape) != file["shape"] or found.dtype.str != file["dtype"]:
            raise SennaError(
                f"{found.dtype.str} {list(found.shape)}, model.toml says "
                f"{file['dtype']} {file['shape']}",
                where=str(path),
                mend=_AGAIN,
            )
        if rows is not None and found.shape[:1] != (rows,):
            what = f"{list(found.shape)} does not fit the {rows} entries it is for"
            raise SennaError(what, where=str(path), mend=_AGAIN)
        return np.asarray(found)

    def has(self, name: str) -> bool:
        """Whether the folder holds a file."""
        return name in self.meta["files"]

    def lines(self, name: str) -> list[str]:
        """The entries of a text file, one a line."""
        if not self.has(name):
            raise SennaError(f"no list {name!r} in it", where=str(self.path), mend=_AGAIN)
        try:
            # Not read_text(), which takes a carriage return in an entry for its end.
            text = (self.path / name).read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            where = str(self.path / name)
            raise SennaError(f"not readable: {error}", where=where, mend=_AGAIN) from None
        return text.split("\n")[:-1]

    def vocabulary(self, name: str) -> Vocabulary:
        """A vocabulary; PADDING and RARE stand before the file's entries."""
        return Vocabulary.of(self.lines(name))

    def used(self, name: str) -> Path | None:
        """Another folder that this one needs ("base", "pos"), relative to it."""
        relative = self.meta.get("use", {}).get(name)
        return None if relative is None else (self.path / relative).resolve()


_AGAIN = "Copy or train the model again."


def read_model(path: Path) -> ModelFolder:
    """Open a model folder; `SennaError` where it is missing, newer, truncated or not one."""
    try:
        meta = tomllib.loads((path / "model.toml").read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise SennaError(
            "no model folder (it has no model.toml)",
            where=str(path),
            mend="`senna models` lists those that ship; `senna train` makes one.",
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise SennaError(f"model.toml is damaged: {error}", where=str(path), mend=_AGAIN) from None
    version = meta.get("format")
    if type(version) is not int or version != FORMAT:
        newer = isinstance(version, int) and version > FORMAT
        mend = "Install a newer senna." if newer else "Train the model again."
        raise SennaError(f"format {version}, this senna reads {FORMAT}", where=str(path), mend=mend)
    files = meta.get("files")
    if not isinstance(files, dict):
        raise SennaError("model.toml lists no files", where=str(path), mend=_AGAIN)
    if not isinstance(meta.get("tasks", []), list) or not isinstance(meta.get("use", {}), dict):
        raise SennaError("tasks or use in model.toml are damaged", where=str(path), mend=_AGAIN)
    for name, file in files.items():
        if name in ("", ".", "..") or set(name) & set("/\\:\0"):
            raise SennaError(f"model.toml names a file {name!r}", where=str(path), mend=_AGAIN)
        _check_entry(path / name, file)
    return ModelFolder(path, upgrade(meta))


def _check_entry(path: Path, file: Any) -> None:
    """Whether model.toml says all there is to say of a file, and its size is right."""
    kinds = {"bytes": int, "sha256": str}
    kinds |= {"shape": list, "dtype": str} if path.suffix == ".npy" else {}
    if not isinstance(file, dict) or any(type(file.get(k)) is not t for k, t in kinds.items()):
        what = f"model.toml does not say {', '.join(kinds)} of it"
        raise SennaError(what, where=str(path), mend=_AGAIN)
    try:
        size = os.stat(path).st_size
    except OSError:
        raise SennaError("missing", where=str(path), mend=_AGAIN) from None
    if size != file.get("bytes"):
        what = f"{size} bytes, model.toml says {file.get('bytes')}"
        raise SennaError(what, where=str(path), mend=_AGAIN)


def check(path: Path) -> int:
    """Compare the contents of every file with its sha256; returns how many files there are."""
    folder = read_model(path)
    for name, file in folder.meta["files"].items():
        if digest(path / name) != file["sha256"]:
            raise SennaError("not the contents it had", where=str(path / name), mend=_AGAIN)
    return len(folder.meta["files"])


def digest(path: Path) -> str:
    """The sha256 of a file, in hexadecimal."""
    import hashlib

    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_model(
    path: Path, meta: dict[str, Any], arrays: dict[str, Array], texts: dict[str, list[str]]
) -> None:
    """Write a whole model folder beside its place, then move it there.

    A folder that was there before is replaced. Nothing half-written is left behind.
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
        whole = {"format": FORMAT, **meta, "files": files}
        from senna.toml import to_toml  # not needed to tag, and not free to load

        (place / "model.toml").write_text(to_toml(whole), encoding="utf-8", newline="\n")


def add_about(path: Path, about: dict[str, Any], card: Callable[[dict[str, Any]], str]) -> None:
    """Add tables to a folder's model.toml (scores, say), and write its card (README.md)."""
    meta = read_model(path).meta | about
    from senna.toml import to_toml

    for name, text in (("model.toml", to_toml(meta)), ("README.md", card(meta))):
        with replacing(path / name) as place:
            place.write_text(text, encoding="utf-8", newline="\n")


def _write_array(path: Path, array: Array) -> None:
    with path.open("wb") as file:
        np.save(file, np.ascontiguousarray(array), allow_pickle=False)


def _write_lines(path: Path, lines: list[str]) -> None:
    if any("\n" in line for line in lines):
        raise ValueError(f"{path.name}: an entry holds a line feed")
    text = "".join(line + "\n" for line in lines)
    path.write_text(text, encoding="utf-8", newline="\n")


# --------------------------------------------------------------------------- word tables


def quantise(table: Array, numbers: str) -> dict[str, Array]:
    """A word table as it is stored: ``words`` and, for int8, one ``words.scale`` a row."""
    if numbers != "int8":
        return {"words": table.astype(numbers)}
    table = np.asarray(table, np.float32)
    scale = np.maximum(np.abs(table).max(axis=1), 1e-12).astype(np.float32) / 127
    return {"words": np.rint(table / scale[:, None]).astype(np.int8), "words.scale": scale}


def read_words(path: Path) -> Vectors:
    """All words of a folder that holds a whole table, and their vectors, (n, size) float32."""
    from senna.text.vectors import Vectors

    folder = read_model(path)
    table = folder.array("words").astype(np.float32)
    if folder.has("words.scale.npy"):
        table *= folder.array("words.scale")[:, None]
    words = folder.lines("words.txt")
    return Vectors(words, table[len(table) - len(words) :])
