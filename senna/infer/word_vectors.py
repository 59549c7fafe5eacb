"""Word vectors from wherever they are: the package's base table, a model folder, or a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from senna.infer import model_folder
from senna.infer.lookup import load_words
from senna.infer.model_folder import read_model
from senna.text.vectors import Vectors, read_vectors

BASE = "base"


def base_vectors() -> Vectors:
    """The table of the package that the shipped models start from, float32."""
    return model_vectors(model_folder.MODELS / BASE)


def model_vectors(path: Path) -> Vectors:
    """All words of a model folder and their vectors, (n, size) float32, those of its base too.

    PADDING and RARE, which no text can name, are left out.
    """
    table = load_words(read_model(path), {})
    entries = table.words.entries
    return Vectors(list(entries[2:]), table.vectors(np.arange(2, len(entries), dtype=np.int32)))


def load_vectors(name: str, *, exact: bool = False, limit: int | None = None) -> Vectors:
    """The vectors of a name: "base", a model folder, or anything that `read_vectors` reads.

    `exact` and `limit` are those of `read_vectors`.
    """
    path = Path(name)
    if name == BASE and not path.exists():
        found = base_vectors()
    elif (path / "model.toml").is_file():
        found = model_vectors(path)
    else:
        return read_vectors(path, exact=exact, limit=limit)
    return Vectors(found.words[:limit], found.table[:limit])
