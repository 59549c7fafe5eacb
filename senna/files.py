"""Files: reading text, writing whole or not at all, locks, and the package's resources."""

from __future__ import annotations

import codecs
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import ENOSPC
from glob import escape
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO, TextIO, cast

from senna.errors import SennaError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

# --------------------------------------------------------------------------- reading

TO_UTF8 = "Convert the file to UTF-8."


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
    b"\x28\xb5\x2f\xfd": ".zst", b"PK\x03\x04": ".zip", b"%PDF-": ".pdf", b"{\\rtf": ".rtf"
}  # fmt: skip
_UNPACK = f"Decompress it first, or use {', '.join(PACKED)}."
_INTO_TEXT = dict.fromkeys((".pdf", ".rtf", ".docx", ".odt", ".epub"), "Save it as plain text.")
_INTO_TEXT |= dict.fromkeys((".xlsx", ".ods"), "Save the sheet as CSV.")
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


# --------------------------------------------------------------------------- writing

FULL = 1 << 20  # bytes: with fewer a disk is full
TRIES, PAUSE = 10, 0.02  # for a lock: `is_locked` holds it for a moment


@contextmanager
def replacing(path: Path, remedy: str = "") -> Iterator[Path]:
    """A temporary path for a new file or folder, which then replaces `path`.

    It stands in a folder next to `path`, with a lock. The old one stays until the new one is
    complete, and after any error; nothing half-written is left behind, and what a killed process
    left is removed. Of a link the target is replaced. Raises SennaError, with `remedy`, if it
    cannot be written.
    """
    from tempfile import mkdtemp  # what only writing needs takes time to load

    target, held = path.resolve(), None
    try:
        sweep(target)
        folder = Path(mkdtemp(".tmp", f"{target.name}.", target.parent))
    except OSError as error:
        raise unwritable(path, error, remedy) from None
    try:
        held = _held(folder)
        yield folder / target.name
        _put(folder, target)
    except OSError as error:
        raise unwritable(path, error, remedy) from None
    finally:
        if held is not None:
            held.close()
        _remove(folder)


def put_text(path: Path, text: str, remedy: str = "") -> None:
    """Write a file of UTF-8 whole or not at all: see `replacing`."""
    with replacing(path, remedy) as place:
        place.write_text(text, encoding="utf-8", newline="\n")


@contextmanager
def replacing_packed(path: Path) -> Iterator[IO[bytes]]:
    """A new file, compressed as its name says, which then replaces `path` (see `replacing`)."""
    suffix = path.suffix.lower()
    if suffix in NOT_READ.values():
        remedy = "Choose .gz, .xz or .bz2."
        raise SennaError(f"{suffix} cannot be written", where=str(path), remedy=remedy)
    with replacing(path) as temporary, temporary.open("wb") as file:
        if suffix == ".gz":
            import gzip

            packed: Any = gzip.GzipFile("", "wb", fileobj=file, mtime=0)  # the same bytes each time
        else:
            packed = open_packed(file, "wb", suffix) if suffix in PACKED else file
        with packed:
            yield packed


@contextmanager
def replacing_or_device(path: Path) -> Iterator[IO[bytes]]:
    """A file for output: a device or a pipe as it is, any other as `replacing_packed` makes it."""
    if path.exists() and not path.is_file():
        try:
            with path.open("wb") as out:
                yield out
        except OSError as error:
            raise unwritable(path, error) from None
    else:
        with replacing_packed(path) as out:
            yield out


def unwritable(path: Path, error: Exception, remedy: str = "") -> SennaError:
    """The error for a path that cannot be written, or a full disk."""
    reason = getattr(error, "strerror", None)
    if reason is None:  # the errors of NumPy and PyTorch, which do not name a full disk
        from shutil import disk_usage

        full = path.parent.exists() and disk_usage(path.parent).free < FULL
        reason = os.strerror(ENOSPC) if full else str(error).partition("\n")[0]
    return SennaError(f"cannot write: {reason}", where=str(path), remedy=remedy)


def make_folder(path: Path, remedy: str = "") -> None:
    """Make a folder, and those above it, unless it is there; SennaError if it cannot be made."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        what = "this is a file, where a folder is expected"
        raise SennaError(what, where=str(path), remedy="Name another folder.") from None
    except OSError as error:
        raise unwritable(path, error, remedy) from None


@contextmanager
def locked(path: Path, remedy: str = "") -> Iterator[None]:
    """Hold an exclusive lock on a file, which is created if missing.

    The file stays open, so the system releases the lock however the process ends. Raises
    SennaError if another process holds it, and not just for the moment of `is_locked`.
    """
    try:
        file = path.open("ab")
    except OSError as error:
        raise unwritable(path, error) from None
    with file:
        if not _taken(file.fileno(), tries=TRIES):
            raise SennaError("another process is writing it", where=str(path), remedy=remedy)
        yield


def is_locked(path: Path) -> bool:
    """Whether another process holds the lock of a file, which need not exist."""
    try:
        with path.open("rb") as file:
            return not _taken(file.fileno(), tries=1, shared=True)
    except OSError:
        return False


def _taken(file: int, tries: int, shared: bool = False) -> bool:
    """Whether a file could be locked; also on a file system that knows no locks."""
    import time

    for last in range(tries - 1, -1, -1):
        try:
            _lock(file, shared)
            return True
        except (BlockingIOError, PermissionError):
            if last:
                time.sleep(PAUSE)
        except OSError:
            return True
    return False


def _lock(file: int, shared: bool) -> None:
    if sys.platform == "win32":
        import msvcrt

        os.lseek(file, 1 << 30, os.SEEK_SET)  # not what others read of it
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)


LOCK, OLD = "lock", "old"  # in the folder of a temporary file: what it replaces


def _held(folder: Path) -> IO[bytes]:
    file = (folder / f"{LOCK}.new").open("wb")
    with suppress(OSError):  # a file system without locks: nobody sweeps there
        _lock(file.fileno(), shared=False)
    if sys.platform != "win32":  # where an open file cannot be renamed
        os.replace(file.name, folder / LOCK)
    return file


def _put(folder: Path, target: Path) -> None:
    new = folder / target.name
    if not (target.is_dir() and new.is_dir()):
        os.replace(new, target)
        return
    os.replace(target, folder / OLD)  # a folder cannot take the place of another
    try:
        os.replace(new, target)
    except BaseException:
        os.replace(folder / OLD, target)
        raise


def sweep(target: Path) -> None:
    """Remove temporary folders of a file or folder that ended processes left.

    A folder that was about to be replaced is put back.
    """
    for left in target.parent.glob(f"{escape(target.name)}.*.tmp"):
        if _is_left(left / LOCK):
            if (left / OLD).exists() and not target.exists():
                os.replace(left / OLD, target)
            _remove(left)


def _is_left(lock: Path) -> bool:
    """Whether a lock is there, and nobody holds it."""
    try:
        with lock.open("rb") as file:
            _lock(file.fileno(), shared=False)
    except OSError:
        return False
    return True


def _remove(path: Path) -> None:
    import shutil

    shutil.rmtree(path, ignore_errors=True)


def forget_output() -> None:
    """Drop what standard output cannot write: Python would try again as it ends, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# --------------------------------------------------------------------------- the package's own


def resource(name: str) -> Path:
    """A file or folder shipped with the package: ``configs/ner.toml``, ``data/demo``.

    In an installed wheel it is in ``senna/resources``, in a checkout next to ``senna``.
    """
    package = Path(__file__).parent
    for root in (package / "resources", package.parent):
        if (root / name).exists():
            return root / name
    raise SennaError("missing from the package", where=name, remedy="Install senna again.")
