"""Text as a folder of word ids, tokenised once and then read from disk as training goes.

The folder holds ``ids.bin`` (little-endian uint32, one per token; 0 before the first and after
every sentence), ``words.tsv`` (a word, a tab and its count on a line, from id 1 on, by falling
frequency) and ``text.json`` (what was prepared, and how). Every word is kept: a dictionary of the N
most frequent words is "ids up to N".
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from senna.atomic import make_folder, put_text, replacing
from senna.errors import SennaError
from senna.files import open_text
from senna.pipeline.jobs import in_order
from senna.pretraining.config import Job
from senna.text.sentences import segments, split
from senna.text.vocabulary import PADDING, RARE, normalise

FORMAT_VERSION = 1
PIECE = 1 << 18  # characters, roughly, per task of a process: a second at most
PART = 1 << 24  # ids that are numbered anew at a time
LONGEST_WORD = 1 << 20  # characters without white space before one is cut anywhere
ROOM = "Make room or choose another folder."

Ids = NDArray[np.uint32]

_DIGITS = re.compile("[0-9]+")
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
    `jobs` processes work on it (0: one per core); the result does not depend on their number.
    Raises SennaError for files that are no text, without a word, or another text in the folder.
    """
    plan = _plan(sources, kind, case)
    if (folder / "text.json").exists():
        text = _same_text(folder, plan)
        say(f"{folder} holds this text already: {text.n_words:,} words")
        return text
    make_folder(folder, ROOM)
    number = partial(partial, number_words, kind=kind, case=case)
    pieces = in_order(number, read_pieces(sources, kind), jobs if jobs > 0 else cores())
    numbers, bounded = Numbers(), True  # bounded: the last id was 0
    bar = tqdm(unit=" words", unit_scale=True, disable=None)
    with replacing(folder / "ids.bin", ROOM) as place:
        with bar, closing(pieces), place.open("wb") as file:
            file.write(bytes(4))
            for piece, (ids, words) in pieces:
                table = np.array([0, *map(numbers.__getitem__, words)], "<u4")
                before = np.concatenate(([0 if bounded else 1], ids[:-1]))[: len(ids)]
                ids = table[ids[(ids != 0) | (before != 0)]]  # no boundary after an empty sentence
                if len(ids):
                    bounded = not ids[-1]
                file.write(ids.data)
                bar.set_description_str(sources[piece.source].name, refresh=False)
                bar.update(int(np.count_nonzero(ids)))
        if not numbers:
            what = "no words in it" if len(sources) == 1 else "no words in these texts"
            raise SennaError(what, where=str(sources[0]), remedy="Give a text that is not empty.")
        text = _by_frequency(place, list(numbers), folder, case)
    rows = zip(text.words, text.counts.tolist(), strict=True)
    with replacing(folder / "words.tsv", ROOM) as place, place.open("wb") as file:
        file.writelines(f"{word}\t{count}\n".encode() for word, count in rows)
    meta = plan | {"tokens": text.n_tokens, "words": text.n_words}
    put_text(folder / "text.json", json.dumps(meta, indent=1) + "\n", ROOM)
    say(f"{text.n_words:,} words, {len(text.words):,} distinct, in {folder}")
    return text


def _by_frequency(path: Path, words: list[str], folder: Path, case: str) -> Text:
    """Number the words of a file of ids anew, by falling frequency, then by the alphabet."""
    ids = np.memmap(path, "<u4", "r+")
    counts = np.zeros(len(words) + 1, np.int64)
    parts = [slice(start, start + PART) for start in range(0, len(ids), PART)]
    for part in parts:
        counts += np.bincount(ids[part], minlength=len(counts))
    alphabetical = np.array(sorted(range(len(words)), key=words.__getitem__))
    order = alphabetical[np.argsort(-counts[1:][alphabetical], kind="stable")]
    table = np.zeros(len(counts), "<u4")
    table[order + 1] = np.arange(1, len(counts))
    for part in parts:
        ids[part] = table[ids[part]]
    ids.flush()
    return Text(folder, [words[i] for i in order], counts[1:][order], len(ids), case)


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
        raise SennaError(reason, where=str(path), remedy=_AGAIN) from None
    if not all(words) or counts.sum() != meta["words"] or (counts[1:] > counts[:-1]).any():
        raise SennaError("not the words of this text", where=str(path), remedy=_AGAIN)
    path = folder / "ids.bin"
    size = path.stat().st_size if path.is_file() else 0
    if size != 4 * meta["tokens"]:
        what = f"{size} bytes, expected {4 * meta['tokens']}"
        raise SennaError(what, where=str(path), remedy=_AGAIN)
    return Text(folder, words, counts, meta["tokens"], meta.get("case", "lower"))


def _read_meta(folder: Path) -> dict[str, Any]:
    path = folder / "text.json"
    try:
        meta = dict(json.loads(path.read_bytes()))
    except (FileNotFoundError, NotADirectoryError):
        raise SennaError("no prepared text", where=str(folder), remedy="Check the path.") from None
    except (OSError, ValueError, TypeError):
        meta = {"format": FORMAT_VERSION}
    if meta.get("format") != FORMAT_VERSION:
        what = "not a text prepared by this version of senna"
        raise SennaError(what, where=str(path), remedy=_AGAIN)
    if not all(type(meta.get(key)) is int and meta[key] > 0 for key in ("tokens", "words")):
        raise SennaError("damaged", where=str(path), remedy=_AGAIN)
    return meta


def _plan(sources: Sequence[Path], kind: str, case: str) -> dict[str, Any]:
    """The plan of a preparation: the part of text.json that is known at the beginning."""
    described = []
    for source in sources:
        try:
            about = source.stat()
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise SennaError(reason, where=str(source), remedy="Check the path.") from None
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
            remedy = "Choose another folder, or delete this one."
            raise SennaError(f"holds {what}", where=str(folder), remedy=remedy)
    return read_text(folder)


def text_of(job: Job, say: Callable[[str], None]) -> Text:
    """The text of a run: of its sources, or prepared before, as is asked for."""
    folder = job.text or job.out / "text"
    if job.sources:
        return prepare(job.sources, folder, kind=job.kind, case=job.case, jobs=job.jobs, say=say)
    meta = _read_meta(folder)
    for key, value, usual in (("input", job.kind, "text"), ("case", job.case, "lower")):
        if value not in (usual, meta.get(key)):
            what = f"holds text prepared with {key} '{meta.get(key)}', not '{value}'"
            remedy = "Give the text again, and another folder."
            raise SennaError(what, where=str(folder), remedy=remedy)
    return read_text(folder)


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
                remedy = "Give one word per line, or a word, a tab and its count."
                raise SennaError("not a word and its count", where=where, remedy=remedy)
            if word.strip() and line_of.setdefault(word, number) < number:
                what = f"'{word}' is already on line {line_of[word]}"
                raise SennaError(what, where=where, remedy="Every word may occur only once.")
    if not line_of:
        raise SennaError("no words in it", where=str(path), remedy="Give one word per line.")
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


# --------------------------------------------------------------------------- pieces of text


class Piece(NamedTuple):
    """Some text, and the number of its source."""

    source: int
    text: str


class Numbers(dict[str, int]):
    """Words to numbers from 1 on, in the order of their first lookup."""

    def __missing__(self, word: str) -> int:
        self[word] = number = len(self) + 1
        return number


def read_pieces(sources: Sequence[Path], kind: str) -> Iterator[Piece]:
    """The pieces of all sources.

    Raises SennaError, with the line, for what is not text in UTF-8 and for damaged files.
    """
    for index, source in enumerate(sources):
        lines = 0
        with open_text(source) as stream:
            raw = kind == "text"
            for text in (text for _, text in segments(stream, PIECE)) if raw else _lines(stream):
                if (nul := text.find("\0")) >= 0:
                    where = f"{source}:{lines + text.count(chr(10), 0, nul) + 1}"
                    remedy = "Give plain text in UTF-8 (.xz, .gz and .bz2 too)."
                    raise SennaError("a NUL byte: this is not text", where=where, remedy=remedy)
                lines += text.count("\n")
                yield Piece(index, text)


def _lines(stream: TextIO) -> Iterator[str]:
    """Whole lines; the words of a very long line (some corpora are one) come in several pieces."""
    rest = stream.read(1).removeprefix("\ufeff")  # byte order mark
    while more := stream.read(PIECE):
        rest += more
        if cut := rest.rfind("\n") + 1 or _last_gap(rest):
            yield rest[:cut]
            rest = rest[cut:]
    yield rest + "\n"  # the last line ends too


def _last_gap(text: str) -> int:
    """The end of the last white space; 0 if there is none and the word may continue."""
    if text[-1].isspace() or len(text) >= LONGEST_WORD:
        return len(text)
    return len(text) - len(text.rsplit(None, 1)[-1])


def number_words(piece: Piece, kind: str, case: str) -> tuple[Ids, list[str]]:
    """The words of a piece as ids, and its distinct words: id i is words[i - 1].

    0 ends a sentence; a line without words is an empty sentence.
    """
    forms = Numbers()
    ids: list[int] = []
    if kind == "text":
        for sentence in split(piece.text):
            ids += [forms[form] for form, _, _ in sentence]
            ids.append(0)
    else:
        for line in piece.text.split("\n"):
            ids += [forms[form] for form in line.split()]
            ids.append(0)
        ids.pop()  # the rest after the last line feed is no line, or continues in the next piece
    words = Numbers()
    table = [0, *(words[plain(form, case)] for form in forms)]
    return np.array(table, np.uint32)[np.array(ids, np.intp)], list(words)


def plain(form: str, case: str) -> str:
    """The word of a form: as the taggers look it up ("lower"), or with its capitals ("keep")."""
    return normalise(form) if case == "lower" else _DIGITS.sub("0", form)
