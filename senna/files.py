"""Files: reading text, plain and compressed, and the package's resources."""

from __future__ import annotations

import codecs
import io
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO, cast

from senna.errors import SennaError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

# --------------------------------------------------------------------------- reading

TO_UTF8 = "Convert the file to UTF-8 (from Latin-1: iconv -f latin1 -t utf-8)."


def open_text(path: str | Path, errors: str = "strict", remedy: str = TO_UTF8) -> TextIO:
    """Open UTF-8 text for reading; "-" is standard input; .gz, .xz and .bz2 are decompressed.

    So is compressed text on standard input, by its first bytes. Line ends are left as they are, and
    only a line feed ends a line. `errors` is "strict" or "replace" (with U+FFFD). Raises
    SennaError when the file cannot be opened and, while reading, with the line, when it is damaged
    or, with `remedy`, not valid UTF-8 (strict). Closing does not close standard input.
    """
    piped = str(path) == "-"
    binary = standard_input() if piped else _open_binary(path)
    name = "<stdin>" if piped else str(path)
    source = _CheckedBytes(binary, name, errors == "strict", piped, remedy)
    source.live = piped or not Path(path).is_file()
    buffered = io.BufferedReader(source, 1 << 16)
    return io.TextIOWrapper(buffered, encoding="utf-8", errors=errors, newline="\n")


def standard_input() -> BinaryIO:
    """The bytes of standard input, whose reader waits until some have arrived, or the end."""
    if sys.stdin is None or sys.stdin.closed:
        raise SennaError("standard input is closed", remedy="Give a file, or pipe text in.")
    wait_for(sys.stdin)
    # Python's own buffer, held by a thread that waits for more, would not let the program end.
    return getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)


def wait_for(stream: TextIO) -> None:
    """Make a standard stream wait: one that does not block gives None, or writes only a part."""
    with suppress(OSError):  # a stream of this process has no descriptor
        os.set_blocking(stream.fileno(), True)


def _open_binary(path: str | Path) -> BinaryIO:
    where = str(path)
    if not where:
        raise SennaError("empty file name", remedy='Give a file, or "-" for standard input.')
    path = Path(path)
    suffix = path.suffix.lower()
    try:
        if suffix not in PACKED:
            return path.open("rb")
        if path.is_file() and path.stat().st_size == 0:
            raise SennaError("empty, not compressed text", where=where, remedy=_FETCH_AGAIN)
        return cast(BinaryIO, open_packed(path, "rb", suffix))
    except FileNotFoundError:
        raise SennaError("no such file", where=where, remedy="Check the path.") from None
    except IsADirectoryError:
        raise SennaError("is a folder", where=where, remedy="Name a file in it.") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = getattr(error, "strerror", None) or str(error)
        remedy = "Check its name and permissions."
        raise SennaError(f"cannot be opened: {reason}", where=where, remedy=remedy) from None


# Of compressed files: the ends of their names, and Python's modules, loaded where they are needed.
PACKED = {".gz": "gzip", ".xz": "lzma", ".bz2": "bz2"}


def open_packed(file: Any, mode: str, suffix: str) -> Any:
    """Open a compressed file, by its path or the file that holds it."""
    return import_module(PACKED[suffix]).open(file, mode)


def unpacked_name(name: str) -> str:
    """The name of what a compressed file contains: the same without .gz, .xz or .bz2."""
    return name[: name.rfind(".")] if name.lower().endswith(tuple(PACKED)) else name


def ending(name: str) -> str:
    """The end of a file's name that says what is in it: ".conllu" of "A.CoNLLU.gz"."""
    return os.path.splitext(unpacked_name(name))[1].lower()


# First bytes of compressed data. The first two are not UTF-8, the others are hardly ever text.
_MAGIC = {
    b"\x1f\x8b": ".gz",
    b"\xfd7zXZ\x00": ".xz",
    **{b"BZh%d1AY&SY" % level: ".bz2" for level in range(1, 10)},
    **{b"BZh%d\x17rE8P\x90" % level: ".bz2" for level in range(1, 10)},  # of nothing
}
# Of files that are not read: by first bytes the kind, and by kind how to make text of them.
NOT_READ = {
    b"\x28\xb5\x2f\xfd": ".zst", b"PK\x03\x04": ".zip", b"%PDF-": ".pdf", b"{\\rtf": ".rtf",
    b"\x89PNG": ".png", b"\xff\xd8\xff": ".jpeg", b"GIF89a": ".gif",
}  # fmt: skip
_UNPACK = f"Decompress it first, or use {', '.join(PACKED)}."
_INTO_TEXT = dict.fromkeys((".pdf", ".rtf", ".docx", ".odt", ".epub"), "Save it as plain text.")
_INTO_TEXT |= dict.fromkeys((".xlsx", ".ods"), "Save the sheet as CSV.")
_INTO_TEXT |= dict.fromkeys((".png", ".jpeg", ".gif"), "Name a file of text.")
_FETCH_AGAIN = "The file is cut off or damaged: fetch or compress it again."


class _CheckedBytes(io.RawIOBase):
    """Bytes of a file; faults during reading are raised as SennaError with their line.

    It validates UTF-8 block by block below Python's text layer, which does not know the line.
    """

    live = False  # whether it may come from a running program or a keyboard

    def __init__(self, binary: BinaryIO, name: str, strict: bool, piped: bool, remedy: str) -> None:
        """piped: its first bytes say if it is compressed; remedy: of bytes that are not UTF-8."""
        self.name, self.remedy = name, remedy
        self._binary, self._piped = binary, piped
        self._lines = 0  # line feeds before the block at hand
        self._decoder = codecs.getincrementaldecoder("utf-8")() if strict else None
        self._first = True  # whether nothing has been read yet

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer)
        # read1: one read of a pipe at most, so that a stream is not held back
        read = getattr(self._binary, "read1", self._binary.read)
        try:
            block: bytes = read(len(view)) or b""
            if self._first:
                self._first = False
                block = self._unpacked(block, len(view)) if self._piped else block
                self._refuse_packed(block)
        except _damage() as error:
            where = f"{self.name}:{self._lines + 1}"
            raise SennaError(f"cannot be read: {error}", where=where, remedy=_FETCH_AGAIN) from None
        if self._decoder is not None:
            self._check(self._decoder, block)
        self._lines += block.count(b"\n")
        view[: len(block)] = block
        return len(block)

    def _unpacked(self, start: bytes, size: int) -> bytes:
        """The first bytes, decompressed if they are compressed data, as will be the rest."""
        while any(magic.startswith(start) and magic != start for magic in _MAGIC):
            more = self._binary.read(1) if start else b""
            if not more:
                return start
            start += more
        suffix = next((ending for magic, ending in _MAGIC.items() if start.startswith(magic)), "")
        if not suffix:
            return start
        whole = io.BufferedReader(_Rejoined(start, self._binary))
        self._binary = cast(BinaryIO, open_packed(whole, "rb", suffix))
        block: bytes = self._binary.read1(size)  # type: ignore[attr-defined]
        return block

    def _refuse_packed(self, start: bytes) -> None:
        for magic, kind in NOT_READ.items():
            if start.startswith(magic):
                if kind == ".zip" and ending(self.name) in _INTO_TEXT:  # of files in an archive
                    kind = ending(self.name)
                what = f"is a {kind} file, which senna does not read"
                raise SennaError(what, where=self.name, remedy=_INTO_TEXT.get(kind, _UNPACK))

    def _check(self, decoder: codecs.IncrementalDecoder, block: bytes) -> None:
        try:
            decoder.decode(block, final=not block)
        except UnicodeDecodeError as error:
            line = self._lines + error.object.count(b"\n", 0, error.start) + 1
            byte = error.object[error.start]
            what, where = f"not valid UTF-8 (byte 0x{byte:02x})", f"{self.name}:{line}"
            remedy = self.remedy
            if line == 1 and error.object[:2] in (b"\xff\xfe", b"\xfe\xff"):
                remedy = "It seems to be UTF-16. Convert the file to UTF-8."
            elif b"\0" in error.object:
                remedy = "It has null bytes: is it text?"
            raise SennaError(what, where=where, remedy=remedy) from None

    def close(self) -> None:
        if not self._piped and not self.closed:  # standard input stays open
            self._binary.close()
        super().close()


def _damage() -> tuple[type[Exception], ...]:
    """The errors of reading what is cut off or damaged, compressed or not."""
    from lzma import LZMAError
    from zlib import error

    return EOFError, LZMAError, error, OSError


class _Rejoined(io.RawIOBase):
    """Bytes that were already read, then the rest."""

    def __init__(self, start: bytes, rest: BinaryIO) -> None:
        self._start, self._rest = start, rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer)
        block = self._start[: len(view)] or self._rest.read(len(view)) or b""
        self._start = self._start[len(block) :]
        view[: len(block)] = block
        return len(block)


class Arriving:
    """Text from `open_text` in blocks as it arrives; `pausing`: no more has arrived yet."""

    pausing = False

    def __init__(self, stream: TextIO) -> None:
        self._buffer = cast(io.BufferedReader, stream.buffer)
        self._live = getattr(self._buffer.raw, "live", False)
        self._decoder = codecs.getincrementaldecoder("utf-8")(stream.errors or "strict")

    def read(self, size: int = 1 << 16) -> str:
        """The next characters, `size` at most; an empty string only at the end."""
        text = ""
        while len(text) < size:
            missing = size - len(text)
            block = self._buffer.read1(missing)
            text += self._decoder.decode(block, final=not block)
            self.pausing = self._live and 0 < len(block) < missing
            if not block or (self.pausing and text):
                break
        return text

    def lines(self) -> Iterator[list[str]]:
        """The complete lines of each block, perhaps none; only a line feed ends a line."""
        rest = ""
        while text := self.read():
            rest += text
            cut = rest.rfind("\n", len(rest) - len(text)) + 1
            yield io.StringIO(rest[:cut], newline="\n").readlines()
            rest = rest[cut:]
        if rest:
            yield [rest]


# --------------------------------------------------------------------------- other files


def forget_output() -> None:
    """Drop what standard output cannot write: Python would try again as it ends, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def resource(name: str) -> Path:
    """A file or folder shipped with the package: ``configs/ner.toml``, ``data/demo``.

    In an installed wheel it is in ``senna/resources``, in a checkout next to ``senna``.
    """
    package = Path(__file__).parent
    for root in (package / "resources", package.parent):
        if (root / name).exists():
            return root / name
    raise SennaError("missing from the package", where=name, remedy="Install senna again.")
