"""Text as a folder of word ids, tokenised once and then read from disk as training goes.

The folder holds ``ids.bin`` (little-endian uint32, one per token; 0 before the first and after
every sentence), ``words.tsv`` (a word, a tab and its count on a line, from id 1 on, by falling
frequency) and ``text.json`` (what was prepared, and how). Every word is kept: a dictionary of the N
most frequent words is "ids up to N".
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from senna.errors import SennaError
from senna.files import open_text, replacing
from senna.pretraining.preparation import GO_ON, FinishedParts, number_pieces, read_pieces
from senna.text.features import PADDING, RARE

FORMAT_VERSION = 1
_AGAIN = "Prepare the text again, in an empty folder."


@dataclass(frozen=True, eq=False)
class Text:
    """A text as ids: word id i is words[i - 1] and occurs counts[i - 1] (int64) times."""

    folder: Path
    words: list[str]
    counts: NDArray[np.int64]
    n_tokens: int  # boundaries included
    case: str = "lower"  # or "keep"

    @property
    def n_words(self) -> int:
        """Running words."""
        return int(self.counts.sum())

    @property
    def ids(self) -> np.memmap[Any, np.dtype[np.uint32]]:
        """The ids, (n_tokens,) uint32, read-only and mapped anew each time: 0 is a boundary."""
        return np.memmap(self.folder / "ids.bin", dtype="<u4", mode="r")


def prepare(
    sources: Sequence[Path],
    folder: Path,
    *,
    kind: str = "text",
    case: str = "lower",
    jobs: int = 0,
    say: Callable[[str], None],
) -> Text:
    """Turn text files (.xz, .gz and .bz2 too) into a folder of ids, or take the one there is.

    `kind` is "text" (raw, English) or "tokens" (any language: one sentence per line, its words
    between white space). Words are lower-cased unless `case` is "keep"; runs of digits become 0.
    `jobs` processes work on it (0: one per core); the result does not depend on their number. What
    an interrupted preparation has done is kept and used. One preparation at a time in a folder.
    Raises SennaError for files that are no text, without a word, or another text in the folder.
    """
    plan = _plan(sources, kind, case)
    if (folder / "text.json").exists():
        text = _same_text(folder, plan)
        FinishedParts(folder / "parts").remove()
        say(f"{folder} holds this text already: {text.n_words:,} words")
        return text
    parts = FinishedParts.open(folder / "parts", plan)
    if parts.n_parts:
        say(f"continues after the {parts.n_words:,} words that are done")
    pieces = read_pieces(sources, kind, parts.source, parts.end)
    numbered = number_pieces(pieces, kind, case, jobs if jobs > 0 else cores())
    bar = tqdm(initial=parts.n_words, unit=" words", unit_scale=True, disable=None)
    with bar, closing(numbered):
        for piece, (ids, words) in numbered:
            bar.set_description_str(sources[piece.source].name, refresh=False)
            bar.update(parts.add(piece, ids, words))
    parts.finish()
    if not parts.n_words:
        parts.remove()
        what = "no words in it" if len(sources) == 1 else "no words in these texts"
        raise SennaError(what, where=str(sources[0]), mend="Give a text that is not empty.")
    text = _merge(parts, folder, plan)
    parts.remove()
    say(f"{text.n_words:,} words, {len(text.words):,} distinct, in {folder}")
    return text


def read_text(folder: Path) -> Text:
    """Read the folder that `prepare` made; SennaError for a damaged, newer or other folder."""
    meta = _read_meta(folder)
    path = folder / "words.tsv"
    try:
        lines = path.read_bytes().decode().split("\n")[:-1]
        rows = [line.rpartition("\t") for line in lines]
        words = [word for word, _, _ in rows]
        counts = np.array([int(count) for _, _, count in rows], np.int64)
    except (OSError, ValueError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or "not a word and its count on every line"
        raise SennaError(reason, where=str(path), mend=_AGAIN) from None
    if not all(words) or counts.sum() != meta["words"] or (counts[1:] > counts[:-1]).any():
        raise SennaError("not the words of this text", where=str(path), mend=_AGAIN)
    path = folder / "ids.bin"
    size = path.stat().st_size if path.is_file() else 0
    if size != 4 * meta["tokens"]:
        what = f"{size} bytes, expected {4 * meta['tokens']}"
        raise SennaError(what, where=str(path), mend=_AGAIN)
    return Text(folder, words, counts, meta["tokens"], meta.get("case", "lower"))


def _read_meta(folder: Path) -> dict[str, Any]:
    path = folder / "text.json"
    try:
        meta = dict(json.loads(path.read_bytes()))
    except (FileNotFoundError, NotADirectoryError):
        begun = (folder / "parts").exists()
        what = "its preparation was interrupted" if begun else "no prepared text"
        mend = (
            "Prepare it again: the work continues where it stopped." if begun else "Check the path."
        )
        raise SennaError(what, where=str(folder), mend=mend) from None
    except (OSError, ValueError, TypeError):
        meta = {"format": FORMAT_VERSION}
    if meta.get("format") != FORMAT_VERSION:
        what = "not a text prepared by this version of senna"
        raise SennaError(what, where=str(path), mend=_AGAIN)
    if not all(type(meta.get(key)) is int and meta[key] > 0 for key in ("tokens", "words")):
        raise SennaError("damaged", where=str(path), mend=_AGAIN)
    return meta


def _plan(sources: Sequence[Path], kind: str, case: str) -> dict[str, Any]:
    """The plan of a preparation: the part of text.json that is known at the beginning."""
    described = []
    for source in sources:
        try:
            about = source.stat()
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise SennaError(reason, where=str(source), mend="Check the path.") from None
        path = str(source.resolve())
        described.append({"path": path, "bytes": about.st_size, "modified": about.st_mtime_ns})
    return {"format": FORMAT_VERSION, "input": kind, "case": case, "sources": described}


def _same_text(folder: Path, plan: dict[str, Any]) -> Text:
    """The text of a folder that is complete; SennaError if it is not the one planned."""
    meta = _read_meta(folder)
    for key in ("sources", "input", "case"):
        if meta.get(key) != plan[key]:
            what = "another text, or this one before it changed"
            if key != "sources":
                what = f"text prepared with {key} '{meta.get(key)}', not '{plan[key]}'"
            mend = "Choose another folder, or delete this one."
            raise SennaError(f"holds {what}", where=str(folder), mend=mend)
    return read_text(folder)


def check_prepared(folder: Path, kind: str, case: str) -> None:
    """Refuse a prepared text for which something else is asked than was done with it."""
    meta = _read_meta(folder)
    for key, value, usual in (("input", kind, "text"), ("case", case, "lower")):
        if value not in (usual, meta.get(key)):
            what = f"holds text prepared with {key} '{meta.get(key)}', not '{value}'"
            mend = "Give the text again, and another folder."
            raise SennaError(what, where=str(folder), mend=mend)


def _merge(parts: FinishedParts, folder: Path, plan: dict[str, Any]) -> Text:
    """Number the words by frequency and write the folder's files, text.json last."""
    words = list(parts.numbers)
    counts = np.zeros(len(words) + 1, np.int64)
    for ids in parts.read_ids():
        counts += np.bincount(ids, minlength=len(counts))
    alphabetical = np.array(sorted(range(len(words)), key=words.__getitem__))
    order = alphabetical[np.argsort(-counts[1:][alphabetical], kind="stable")]
    table = np.zeros(len(counts), "<u4")
    table[order + 1] = np.arange(1, len(counts))
    n_tokens = 1
    with replacing(folder / "ids.bin", GO_ON) as place, place.open("wb") as file:
        file.write(bytes(4))
        for ids in parts.read_ids():
            file.write(table[ids].data)
            n_tokens += len(ids)
    words = [words[i] for i in order]
    counts = counts[1:][order]
    rows = zip(words, counts.tolist(), strict=True)
    with replacing(folder / "words.tsv", GO_ON) as place, place.open("wb") as file:
        file.writelines(f"{word}\t{count}\n".encode() for word, count in rows)
    meta = plan | {"tokens": n_tokens, "words": int(counts.sum())}
    with replacing(folder / "text.json", GO_ON) as place:
        place.write_text(json.dumps(meta, indent=1) + "\n", encoding="utf-8", newline="\n")
    return Text(folder, words, counts, n_tokens, plan["case"])


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def read_dictionary(path: Path) -> list[str]:
    """A list of words (.xz, .gz and .bz2 too): one per line, or a word, a tab and its count.

    Raises SennaError, with the line, for anything else and for a word that comes twice, and for a
    file without words. Empty lines are passed over.
    """
    line_of: dict[str, int] = {}
    with open_text(path) as lines:
        for number, line in enumerate(lines, 1):
            where = f"{path}:{number}"
            word, tab, count = line.removeprefix("\ufeff").rstrip("\r\n").partition("\t")
            if "\0" in line or (tab and not (word.strip() and count.isdecimal())):
                mend = "Give one word per line, or a word, a tab and its count."
                raise SennaError("not a word and its count", where=where, mend=mend)
            if word.strip() and line_of.setdefault(word, number) < number:
                what = f"'{word}' is already on line {line_of[word]}"
                raise SennaError(what, where=where, mend="Every word may occur only once.")
    if not line_of:
        raise SennaError("no words in it", where=str(path), mend="Give one word per line.")
    return list(line_of)


def remap(text: Text, words: Sequence[str]) -> tuple[NDArray[np.int32], float]:
    """From ids of a text to rows of a dictionary, and the share of running words it knows.

    The table is (len(text.words) + 1,) int32: PADDING for the boundary, then the word's place in
    `words` + 2, RARE if it has none. A share of 0 is no error here.
    """
    rows = {word: row for row, word in enumerate(words, RARE + 1)}
    known = [rows.get(word, RARE) for word in text.words]
    table = np.array([PADDING, *known], np.int32)
    known = text.counts[table[1:] != RARE].sum()
    return table, float(known / text.counts.sum())
