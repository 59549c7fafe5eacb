"""Joining word vectors, and writing them: word2vec text and binary, GloVe text, .npz, a folder.

`senna.formats.vectors` reads them; docs/formats.md describes them. An existing file or
folder is replaced only by a complete one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from senna.atomic import put_text, replacing, replacing_packed
from senna.errors import SennaError
from senna.files import PACKED
from senna.formats.vectors import Vectors, longer_vector

TEXT = ("word2vec", "glove")
BY_SUFFIX = {
    ".txt": "word2vec",
    ".vec": "word2vec",
    ".glove": "glove",
    ".bin": "binary",
    ".npz": "npz",
    "": "folder",
}
FOLDER_FILES = {"words.txt", "vectors.npy"}
BLOCK = 4_096  # rows turned into text or float32 at a time


def form_of(path: Path) -> str:
    """The format of a name by its suffix; what says that it is compressed is ignored."""
    packed = path.suffix in PACKED
    suffix = path.with_suffix("").suffix if packed else path.suffix
    form = BY_SUFFIX.get(suffix)
    if form is None or (packed and form not in TEXT):
        what = f"the suffix has no known format: {''.join(path.suffixes[-2:])!r}"
        remedy = (
            "Name it .txt, .vec, .glove (.gz, .xz or .bz2 after them), .bin, .npz, or give --to."
        )
        raise SennaError(what, where=str(path), remedy=remedy)
    return form


def output_form(path: Path, form: str | None = None, *, force: bool = False) -> str:
    """The format to write `path` in; SennaError where it may not be written.

    An existing file is replaced only with `force`; a folder only if it holds nothing but vectors.
    """
    where = str(path)
    if where == "-":
        raise SennaError("vectors go to a file, not to standard output", remedy="Give its name.")
    form = form or form_of(path)
    if path.suffix in PACKED and form not in TEXT:
        raise SennaError(f"{form} is not compressed", where=where, remedy="Leave the suffix out.")
    if not path.exists():
        return form
    if not (path.is_file() or path.is_dir()):
        raise SennaError("neither file nor folder", where=where, remedy="Give another name.")
    if not force:
        raise SennaError("already exists", where=where, remedy="--force replaces it.")
    if path.is_dir() != (form == "folder"):
        kind = "folder" if path.is_dir() else "file"
        raise SennaError(f"a {kind} of this name exists", where=where, remedy="Remove it first.")
    if path.is_dir() and not {entry.name for entry in path.iterdir()} <= FOLDER_FILES:
        raise SennaError("contains more than vectors", where=where, remedy="Remove it first.")
    return form


def write_vectors(
    vectors: Vectors, path: Path, form: str | None = None, *, force: bool = False
) -> None:
    """Write vectors in a format, by default that of the name's suffix.

    npz and folder keep the type of the numbers; the others hold float32. Raises SennaError for
    words and numbers that the format cannot hold, and as `output_form` does.
    """
    form = output_form(path, form, force=force)
    _check_words(vectors.words, form, str(path))
    if form in TEXT:
        with replacing_packed(path) as out:
            if form == "word2vec":
                out.write(_heading(vectors))
            rows = _rows(vectors, str(path))
            out.writelines(f"{word} {' '.join(map(str, row))}\n".encode() for word, row in rows)
        return
    with replacing(path) as place:
        if form == "folder":
            place.mkdir()
            put_text(place / "words.txt", "".join(word + "\n" for word in vectors.words))
            np.save(place / "vectors.npy", np.ascontiguousarray(vectors.table))
            return
        with place.open("wb") as file:
            if form == "npz":
                np.savez(file, words=np.array(vectors.words, np.str_), vectors=vectors.table)
                return
            file.write(_heading(vectors))
            for word, row in _rows(vectors, str(path)):
                file.write(word.encode() + b" " + row.astype("<f4").tobytes() + b"\n")


def _heading(vectors: Vectors) -> bytes:
    """The first line of word2vec's formats, of text and binary."""
    return f"{len(vectors.words)} {vectors.table.shape[1]}\n".encode()


def _check_words(words: Sequence[str], form: str, where: str) -> None:
    for i, word in enumerate(words):
        fault = ""
        if "\n" in word:
            fault = "a line feed"
        elif "\0" in word and form != "folder":
            fault = "a zero byte"
        elif not word and form not in ("npz", "folder"):
            fault = "nothing"
        elif " " in word and form in ("word2vec", "binary"):
            fault = "a space"
        elif " " in word and form == "glove" and (i == 0 or longer_vector(word)):
            fault = "a space, before what would be read as a number"
        elif not word.isascii() and any("\ud800" <= letter <= "\udfff" for letter in word):
            fault = "half a character"
        if fault:
            what = f"word {i + 1}, {word!r}, holds {fault}: {form} cannot have it"
            remedy = "" if "\n" in word else "--to folder can."
            raise SennaError(what, where=where, remedy=remedy)


def _rows(vectors: Vectors, where: str) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """Words with their vectors in float32, some of which are converted together."""
    for start in range(0, len(vectors.table), BLOCK):
        with np.errstate(over="ignore"):
            block = np.asarray(vectors.table[start : start + BLOCK], np.float32)
        if not np.isfinite(block).all():
            remedy = "--to npz or folder keeps float64."
            raise SennaError("a number is too large for float32", where=where, remedy=remedy)
        yield from zip(vectors.words[start : start + BLOCK], block, strict=True)


def join(parts: Sequence[Vectors], *, keep_scale: bool = False) -> Vectors:
    """The words known to all parts, in the order of the first, float32 (n, sum of sizes).

    Each part is scaled to the standard deviation of the first: otherwise the part with the largest
    numbers would dominate distances. Raises SennaError when no word is known to all.
    """
    known = [{word: row for row, word in enumerate(part.words)} for part in parts]
    words = [word for word in parts[0].words if all(word in rows for rows in known[1:])]
    if not words:
        remedy = "Check that the vectors are of one language and one case."
        raise SennaError("no word is known to all of the vectors", remedy=remedy)
    table = np.empty((len(words), sum(part.table.shape[1] for part in parts)), np.float32)
    start, wanted = 0, 0.0
    for part, rows in zip(parts, known, strict=True):
        end = start + part.table.shape[1]
        table[:, start:end] = part.table[[rows[word] for word in words]]
        deviation = float(table[:, start:end].std(dtype=np.float64))
        wanted = wanted or deviation
        if not keep_scale and deviation:
            table[:, start:end] *= np.float32(wanted / deviation)
        start = end
    return Vectors(words, table)
