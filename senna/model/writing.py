"""Writing model folders: arrays, lists, their checksums, and the card; see `senna.model.folder`."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from senna.atomic import make_folder, replacing
from senna.inference.lookup import load_words
from senna.model.folder import CHANGED, Array, read_model
from senna.model.schema import ABOUT, FORMAT_VERSION, damaged
from senna.settings import to_toml
from senna.tasks import TASKS


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
    make_folder(path.parent)
    with replacing(path) as place:
        place.mkdir()
        files: dict[str, Any] = {}
        for name, array in arrays.items():
            with (place / f"{name}.npy").open("wb") as stream:
                np.save(stream, np.ascontiguousarray(array), allow_pickle=False)
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
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _write_lines(path: Path, lines: list[str]) -> None:
    if any("\n" in line for line in lines):
        raise ValueError(f"{path.name}: an entry holds a line feed")
    text = "".join(line + "\n" for line in lines)
    path.write_text(text, encoding="utf-8", newline="\n")


def copy_complete(source: Path, target: Path) -> None:
    """Copy a model folder, its base table merged in, so that it stands on its own."""
    folder = read_model(source)
    arrays = dict(folder.arrays())
    texts = {name: folder.lines(name) for name in folder.meta["files"] if name.endswith(".txt")}
    if folder.used("base") is not None:
        words = load_words(folder, {})
        table = words.vectors(np.arange(len(words.words), dtype=np.int32))
        numbers = "int8" if folder.has("words.scale.npy") else "float32"
        arrays = {name: a for name, a in arrays.items() if not name.startswith("words")}
        arrays |= quantise(table, numbers)
        texts["words.txt"] = list(words.words.entries[2:])
    needed = {name: path for name in TASKS if (path := folder.used(name)) is not None}
    meta = {k: v for k, v in folder.meta.items() if k not in ("format", "files")} | folder.about

    def add(place: Path) -> None:
        for name, path in needed.items():
            copy_complete(path, place / name)

    write_model(target, meta | {"use": {name: name for name in needed}}, arrays, texts, add)


# --------------------------------------------------------------------------- contents


def check(path: Path) -> int:
    """Compare the contents of every file with its sha256; returns how many files there are."""
    folder = read_model(path)
    for name, array in folder.arrays():
        if not np.isfinite(array).all():
            raise damaged("numbers that are not finite", path / f"{name}.npy")
    for name, file in folder.meta["files"].items():
        if digest(path / name) != file["sha256"]:
            raise damaged(CHANGED, path / name)
    return len(folder.meta["files"])


def digest(path: Path) -> str:
    """The sha256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


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
