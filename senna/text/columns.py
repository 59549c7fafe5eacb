"""Columns: one token a line, a blank line after each sentence (the CoNLL shared tasks' format).

Columns stand apart by a tab or by spaces. Only a line feed ends a line (a carriage return before it
goes with it): tokens may hold U+0085, U+2028, no-break spaces, NUL and other control characters,
which are data. A line whose first column is ``-DOCSTART-`` starts a document.
"""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, TextIO, cast

from senna.errors import SennaError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

DOCUMENT_MARK = "-DOCSTART-"


class Sentence(NamedTuple):
    """A sentence of a column file.

    `rows` are the columns of each token, all of one length; `line` is the number of its first line,
    from 1: token i stands on line `line + i`. `mark` are the columns of the document mark that
    stood before it, if one did.
    """

    rows: list[list[str]]
    line: int
    mark: tuple[str, ...] = ()

    @property
    def opens_document(self) -> bool:
        """Whether a document mark stood before it."""
        return bool(self.mark)


def open_text(path: str | Path, errors: str = "strict") -> TextIO:
    """Open UTF-8 text for reading; "-" is standard input; .gz, .xz and .bz2 are decompressed.

    Line ends are left as they are and only a line feed ends a line. `errors` is "strict" or
    "replace" (with U+FFFD). Raises SennaError when the file cannot be opened and, while reading,
    with the line, when it is damaged or (strict) no valid UTF-8. Closing does not close standard
    input.
    """
    piped = str(path) == "-"
    binary = _standard_input() if piped else _open_binary(path)
    name = "<stdin>" if piped else str(path)
    source = _Source(binary, name, strict=errors == "strict", owned=not piped)
    buffered = io.BufferedReader(source, 1 << 16)
    return io.TextIOWrapper(buffered, encoding="utf-8", errors=errors, newline="\n")


def read_columns(
    lines: Iterable[str], *, name: str, delimiter: str | None = None
) -> Iterator[Sentence]:
    """The sentences of a column file, one at a time.

    `name` is the file's, for messages. Without `delimiter` a line is split at its tabs if it has
    any (cells may then hold spaces or nothing), else at runs of spaces; a given delimiter is taken
    literally. Lines of nothing but spaces and tabs are blank. The number of columns may differ from
    sentence to sentence; within one, SennaError names the line.
    """
    rows: list[list[str]] = []
    first = 0
    document: tuple[str, ...] = ()
    for number, line in enumerate(lines, start=1):
        if number == 1:
            line = line.removeprefix("\ufeff")  # byte order mark
        line = line.removesuffix("\n").removesuffix("\r")
        blank = not line.strip(" \t")
        row = [] if blank else _split(line, delimiter)
        mark = not blank and row[0] == DOCUMENT_MARK
        if blank or mark:
            if rows:
                yield Sentence(rows, first, document)
                rows, document = [], ()
            document = tuple(row) if mark else document
            continue
        if not rows:
            first = number
        elif len(row) != len(rows[0]):
            raise SennaError(
                f"{len(row)} columns, expected {len(rows[0])}",
                where=f"{name}:{number}",
                mend="Every line of a sentence needs as many columns as the first.",
            )
        rows.append(row)
    if rows:
        yield Sentence(rows, first, document)


def write_columns(
    out: TextIO, sentence_rows: Iterable[Iterable[Sequence[str]]], delimiter: str = "\t"
) -> None:
    """Write sentences, each given as its rows, with a blank line after each.

    `read_columns` with the same delimiter gives the rows back. A document mark is a sentence of its
    own, `[["-DOCSTART-"]]`, and a row that begins so is read as one. Raises SennaError for cells
    that would be read as something else (with a line feed or the delimiter in them) and for rows
    without any text.
    """
    for rows in sentence_rows:
        for row in rows:
            if isinstance(row, str):
                raise TypeError("write_columns takes sentences of rows: [rows], not rows")
            out.write(_line(row, delimiter))
        out.write("\n")


def _split(line: str, delimiter: str | None) -> list[str]:
    if delimiter is None:
        if "\t" not in line:
            # not str.split(): it takes no-break spaces and control characters for separators too
            columns = line.split(" ")
            return [column for column in columns if column] if "" in columns else columns
        delimiter = "\t"
    return line.split(delimiter)


def _line(row: Sequence[str], delimiter: str) -> str:
    line = delimiter.join(row)
    if (
        line.count(delimiter) != len(row) - 1
        or "\n" in line
        or line.endswith("\r")
        or not line.strip(" \t")
        or (delimiter == " " and ("" in row or "\t" in line))
    ):
        raise SennaError(
            f"cannot write {list(row)!r} as one line of columns",
            mend="Cells hold no line end and no delimiter, and one of them is not empty.",
        )
    return line + "\n"


def _standard_input() -> BinaryIO:
    if sys.stdin is None or sys.stdin.closed:
        raise SennaError("standard input is closed", mend="Give a file, or pipe text in.")
    return sys.stdin.buffer


def _open_binary(path: str | Path) -> BinaryIO:
    where = str(path)
    if not where:
        raise SennaError("empty file name", mend='Give a file, or "-" for standard input.')
    path = Path(path)
    suffix = path.suffix.lower()
    try:
        if suffix in (".gz", ".xz", ".bz2") and path.is_file() and path.stat().st_size == 0:
            raise SennaError("empty, not compressed text", where=where, mend=_FETCH_AGAIN)
        if suffix == ".gz":
            return cast(BinaryIO, gzip.open(path, "rb"))
        if suffix == ".xz":
            return cast(BinaryIO, lzma.open(path, "rb"))
        if suffix == ".bz2":
            return cast(BinaryIO, bz2.open(path, "rb"))
        return path.open("rb")
    except FileNotFoundError:
        raise SennaError("no such file", where=where, mend="Check the path.") from None
    except IsADirectoryError:
        raise SennaError("is a folder", where=where, mend="Name a file in it.") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = getattr(error, "strerror", None) or str(error)
        raise SennaError(
            f"cannot be opened: {reason}", where=where, mend="Check its name and permissions."
        ) from None


_FETCH_AGAIN = "The file is cut off or damaged: fetch or compress it again."


class _Source(io.RawIOBase):
    """Bytes of a file, with the faults met while reading told as SennaError and their line.

    It validates UTF-8 block by block beneath Python's text layer, which cannot tell the line.
    """

    def __init__(self, binary: BinaryIO, name: str, *, strict: bool, owned: bool) -> None:
        self.name = name
        self._binary = binary
        self._owned = owned
        self._lines = 0  # line feeds before the block at hand
        self._decoder = codecs.getincrementaldecoder("utf-8")() if strict else None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer)
        # read1: one read of a pipe at most, so that a stream is not held back
        read = getattr(self._binary, "read1", self._binary.read)
        try:
            block: bytes = read(len(view))
        except (EOFError, lzma.LZMAError, zlib.error, OSError) as error:
            where = f"{self.name}:{self._lines + 1}"
            raise SennaError(f"cannot be read: {error}", where=where, mend=_FETCH_AGAIN) from None
        if self._decoder is not None:
            self._check(self._decoder, block)
        self._lines += block.count(b"\n")
        view[: len(block)] = block
        return len(block)

    def _check(self, decoder: codecs.IncrementalDecoder, block: bytes) -> None:
        try:
            decoder.decode(block, final=not block)
        except UnicodeDecodeError as error:
            line = self._lines + error.object.count(b"\n", 0, error.start) + 1
            byte = error.object[error.start]
            raise SennaError(
                f"no valid UTF-8 (byte 0x{byte:02x})",
                where=f"{self.name}:{line}",
                mend="Convert the file to UTF-8, or use --errors replace.",
            ) from None

    def close(self) -> None:
        if self._owned and not self.closed:
            self._binary.close()
        super().close()
