"""Files and folders that are written whole or not at all, and locks."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, ENOENT, ENOSPC, ENOTDIR
from glob import escape
from pathlib import Path
from typing import IO, Any

from senna.errors import SennaError
from senna.files import NOT_READ, PACKED, open_packed

REMEDIES = {
    ENOENT: "Make its folder first.",
    ENOTDIR: "Name a file in a folder.",
    EACCES: "Check the permissions.",
    ENOSPC: "Make room on the disk.",
}
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
def replacing_packed(path: Path, remedy: str = "") -> Iterator[IO[bytes]]:
    """A new file, compressed as its name says, which then replaces `path` (see `replacing`)."""
    suffix = path.suffix.lower()
    if suffix in NOT_READ.values():
        what, choose = f"{suffix} cannot be written", "Choose .gz, .xz or .bz2."
        raise SennaError(what, where=str(path), remedy=choose)
    with replacing(path, remedy) as temporary, temporary.open("wb") as file:
        if suffix == ".gz":
            import gzip

            # As the program gzip, without name and time: the same bytes each time.
            packed: Any = gzip.GzipFile("", "wb", compresslevel=6, fileobj=file, mtime=0)
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
    remedy = remedy or REMEDIES.get(getattr(error, "errno", 0) or 0, "")
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
