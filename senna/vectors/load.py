"""Word vectors by name: the package's, those of a model folder, or a file's."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from senna.infer.lookup import load_words
from senna.infer.model_folder import model_path, read_model
from senna.vectors.read import Vectors, read_vectors


def load_vectors(name: str | Path, *, exact: bool = False, limit: int | None = None) -> Vectors:
    """The vectors of a model, by a name as `model_path` takes it, or of what `read_vectors` reads.

    `exact` and `limit` are those of `read_vectors`.
    """
    path = model_path(name) if isinstance(name, str) else name
    if not (path / "model.toml").is_file():
        return read_vectors(path, exact=exact, limit=limit)
    found = model_vectors(path)
    return Vectors(found.words[:limit], found.table[:limit])


def model_vectors(path: Path) -> Vectors:
    """All words of a model folder and their vectors, (n, size) float32, those of its base too.

    PADDING and RARE, which no text can name, are left out.
    """
    table = load_words(read_model(path), {})
    entries = table.words.entries
    return Vectors(list(entries[2:]), table.vectors(np.arange(2, len(entries), dtype=np.int32)))
