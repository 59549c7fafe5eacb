"""Copies of model folders that stand on their own."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from senna.model.folder import quantise, read_model, write_model
from senna.products.lookup import load_words
from senna.tasks import TASKS


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
        if words.case is not None:
            arrays["words.case"] = words.case
        texts["words.txt"] = list(words.words.entries[2:])
    needed = {name: path for name in TASKS if (path := folder.used(name)) is not None}
    meta = {k: v for k, v in folder.meta.items() if k not in ("format", "files")} | folder.about

    def add(place: Path) -> None:
        for name, path in needed.items():
            copy_complete(path, place / name)

    write_model(target, meta | {"use": {name: name for name in needed}}, arrays, texts, add)
