"""From text to word ids, in parts, so that an interrupted preparation can be resumed.

Worker processes number the words of each piece of text separately. Here the pieces are merged in
the order of the text: a word gets its number at its first occurrence. Every finished part of the
text is a file; a second run reads the text up to there again, which is fast compared with
tokenising it.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import numpy as np
from numpy.typing import NDArray

from senna.errors import SennaError
from senna.files import make_folder, open_text, replacing, unwritable
from senna.pool import in_order
from senna.text.features import normalise
from senna.text.sentences import segments, split

PIECE = 1 << 18  # characters, roughly, per task of a process: a second at most
PART = 20_000_000  # characters, roughly, of a part
LONGEST_WORD = 1 << 20  # characters without white space before one is cut anywhere
GO_ON = "Make room or choose another folder; the same command continues where it stopped."

Ids = NDArray[np.uint32]

_DIGITS = re.compile("[0-9]+")


class Piece(NamedTuple):
    """Some text of a source, and where it ends in it, in characters."""

    source: int
    end: int
    text: str


class Numbers(dict[str, int]):
    """Words to numbers from 1 on, in the order of their first lookup."""

    def __missing__(self, word: str) -> int:
        self[word] = number = len(self) + 1
        return number


# --------------------------------------------------------------------------- reading


def read_pieces(
    sources: Sequence[Path], kind: str, source: int = 0, end: int = 0
) -> Iterator[Piece]:
    """The pieces of all sources, from character `end` of source number `source` on.

    Raises SennaError, with the line, for what is not text in UTF-8 and for damaged files.
    """
    for index in range(source, len(sources)):
        done = end if index == source else 0
        yield from (piece for piece in _pieces_of(sources, index, kind) if piece.end > done)


def _pieces_of(sources: Sequence[Path], index: int, kind: str) -> Iterator[Piece]:
    name = str(sources[index])
    lines = end = 0
    with open_text(name) as stream:
        raw = kind == "text"
        for text in (text for _, text in segments(stream, PIECE)) if raw else _lines(stream):
            if (nul := text.find("\0")) >= 0:
                line = lines + text.count("\n", 0, nul) + 1
                mend = "Give plain text in UTF-8 (.xz, .gz and .bz2 too)."
                raise SennaError("a NUL byte: this is not text", where=f"{name}:{line}", mend=mend)
            lines += text.count("\n")
            end += len(text)
            yield Piece(index, end, text)


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


# --------------------------------------------------------------------------- numbering


def number_words(text: str, kind: str, case: str) -> tuple[Ids, list[str]]:
    """The words of a piece as ids, and its distinct words: id i is words[i - 1].

    0 ends a sentence; a line without words is an empty sentence.
    """
    forms = Numbers()
    ids: list[int] = []
    if kind == "text":
        for sentence in split(text):
            ids += [forms[form] for form, _, _ in sentence]
            ids.append(0)
    else:
        for line in text.split("\n"):
            ids += [forms[form] for form in line.split()]
            ids.append(0)
        ids.pop()  # the rest after the last line feed is no line, or continues in the next piece
    words = Numbers()
    table = [0, *(words[plain(form, case)] for form in forms)]
    return np.array(table, np.uint32)[np.array(ids, np.intp)], list(words)


def plain(form: str, case: str) -> str:
    """The word of a form: as the taggers look it up ("lower"), or with its capitals ("keep")."""
    return normalise(form) if case == "lower" else _DIGITS.sub("0", form)


def number_pieces(
    pieces: Iterator[Piece], kind: str, case: str, jobs: int
) -> Generator[tuple[Piece, tuple[Ids, list[str]]], None, None]:
    """Number pieces here, or in `jobs` processes; results come in the order of the text."""
    return in_order(partial(partial, _number, kind=kind, case=case), pieces, jobs)


def _number(piece: Piece, kind: str, case: str) -> tuple[Ids, list[str]]:
    return number_words(piece.text, kind, case)


# --------------------------------------------------------------------------- parts


@dataclass
class FinishedParts:
    """The parts of a text that are done, in files, and the one at hand, in memory.

    A file (.npz) holds the words that are new in it, one per line, its ids, which are numbers of
    `numbers`, and what `source`, `end`, `n_words` and `bounded` are at its end.
    """

    folder: Path
    numbers: Numbers = field(default_factory=Numbers)
    n_parts: int = 0
    n_words: int = 0  # running words
    source: int = 0  # the text is done to character `end` of this source
    end: int = 0
    bounded: bool = True  # the last id was 0
    _ids: list[Ids] = field(default_factory=list)
    _size: int = 0  # characters of the part at hand
    _known: int = 0  # distinct words of the finished parts

    @classmethod
    def open(cls, folder: Path, plan: dict[str, Any]) -> FinishedParts:
        """Find the finished parts of the text that `plan` describes; those of another go."""
        parts = cls(folder)
        plan = plan | {"piece": PIECE}  # sentences may depend on where pieces are cut
        try:
            ours = json.loads((folder / "plan.json").read_bytes()) == plan
        except (OSError, ValueError):
            ours = False
        while ours and parts._read_next():
            pass
        try:
            parts.remove(parts.n_parts)  # later parts depend on the damaged one
        except OSError as error:
            raise unwritable(folder, error, GO_ON) from None
        make_folder(folder, GO_ON)
        with replacing(folder / "plan.json", GO_ON) as place:
            place.write_text(json.dumps(plan), encoding="utf-8", newline="\n")
        return parts

    def remove(self, first: int = 0) -> None:
        """Remove part files from number `first` on; with the first the folder goes too."""
        for path in self.folder.glob("[0-9]*.part"):
            if path.stem.isdecimal() and int(path.stem) >= first:
                path.unlink()
        for path in self.folder.glob("*.tmp"):  # left by a run that was killed
            path.unlink()
        if not first:
            (self.folder / "plan.json").unlink(missing_ok=True)
            with suppress(OSError):  # not there, or somebody's own files are in it
                self.folder.rmdir()

    def path(self, n: int) -> Path:
        """The file of part number n."""
        return self.folder / f"{n:04d}.part"

    def _read_next(self) -> bool:
        """Read the next part file, if it exists and is complete."""
        try:
            with np.load(self.path(self.n_parts)) as part:
                _, ends = part["ids"], part["ends"].tolist()  # read, and so known to be complete
                words = part["words"].tobytes().decode().split("\n")[:-1]
                self.source, self.end, self.n_words, self.bounded = ends
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return False
        self.numbers.update(zip(words, count(self._known + 1), strict=False))
        self._known = len(self.numbers)
        self.n_parts += 1
        return True

    def add(self, piece: Piece, ids: Ids, words: list[str]) -> int:
        """Add a numbered piece; returns how many running words it has."""
        table = np.array([0, *map(self.numbers.__getitem__, words)], np.uint32)
        before = np.concatenate(([0 if self.bounded else 1], ids[:-1]))[: len(ids)]
        ids = table[ids[(ids != 0) | (before != 0)]]  # no boundary after an empty sentence
        if len(ids):
            self.bounded = not ids[-1]
        self._ids.append(ids)
        self._size += len(piece.text)
        self.source, self.end = piece.source, piece.end
        n_words = int(np.count_nonzero(ids))
        self.n_words += n_words
        if self._size >= PART:
            self.finish()
        return n_words

    def finish(self) -> None:
        """Write the part at hand, if there is one."""
        if not self._size:
            return
        new = "".join(f"{word}\n" for word in islice(self.numbers, self._known, None)).encode()
        ends = np.array([self.source, self.end, self.n_words, self.bounded])
        with replacing(self.path(self.n_parts), GO_ON) as place, place.open("wb") as file:
            words = np.frombuffer(new, np.uint8)
            np.savez(file, ids=np.concatenate(self._ids), words=words, ends=ends)
        self._ids, self._size = [], 0
        self._known = len(self.numbers)
        self.n_parts += 1

    def read_ids(self) -> Iterator[Ids]:
        """The ids of every finished part."""
        for n in range(self.n_parts):
            with np.load(self.path(n)) as part:
                yield part["ids"]
