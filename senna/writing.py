"""Writing files completely or not at all, and locks against other processes."""

from __future__ import annotations

import gzip
import os
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from senna.errors import SennaError
from senna.files import NOT_UNPACKED, PACKED, open_packed

TRIES, PAUSE = 10, 0.02  # for a lock: `is_locked` holds it for a moment
# In names of temporary files: a folder may be shared with machines that have other processes. Empty
# on Windows: os.kill(pid, 0), which looks for a process elsewhere, would end it there.
_HOST = f"{os.uname().nodename}-" if hasattr(os, "uname") else ""


def _mark() -> str:
    """A suffix that no other thread or machine uses for the same file."""
    return f"{_HOST}{os.getpid()}-{threading.get_native_id()}"


@contextmanager
def replacing(path: Path, mend: str = "") -> Iterator[Path]:
    """A temporary path next to `path` for a new file or folder, which then replaces `path`.

    The old one stays until the new one is complete, and after any error; nothing half-written is
    left behind, and what a killed process left is removed. Of a link the target is replaced. Raises
    SennaError, with the advice `mend`, if it cannot be written.
    """
    target = path.resolve()
    temporary = target.with_name(f"{target.name}.{_mark()}.tmp")
    try:
        sweep(target)
        yield temporary
        _put(temporary, target)
    except OSError as error:
        raise unwritable(path, error, mend) from None
    finally:
        _remove(temporary)


def put_text(path: Path, text: str, mend: str = "") -> None:
    """Write a file of UTF-8 whole or not at all: see `replacing`."""
    with replacing(path, mend) as place:
        place.write_text(text, encoding="utf-8", newline="\n")


@contextmanager
def replacing_packed(path: Path) -> Iterator[IO[bytes]]:
    """A new file, compressed as its name says, which then replaces `path` (see `replacing`)."""
    suffix = path.suffix.lower()
    if suffix in NOT_UNPACKED.values():
        mend = "Choose .gz, .xz or .bz2."
        raise SennaError(f"{suffix} cannot be written", where=str(path), mend=mend)
    with replacing(path) as temporary, temporary.open("wb") as file:
        if suffix == ".gz":
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


def unwritable(path: Path, error: OSError, mend: str = "") -> SennaError:
    """The error for a path that cannot be written, or a full disk."""
    # NumPy's own errors have no strerror.
    return SennaError(f"cannot write: {error.strerror or error}", where=str(path), mend=mend)


def make_folder(path: Path, mend: str = "") -> None:
    """Make a folder, and those above it, unless it is there; SennaError if it cannot be made."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(path, error, mend) from None


@contextmanager
def locked(path: Path, mend: str = "") -> Iterator[None]:
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
            raise SennaError("another process is writing it", where=str(path), mend=mend)
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


def _put(new: Path, target: Path) -> None:
    if not (target.is_dir() and new.is_dir()):
        os.replace(new, target)
        return
    old = target.with_name(f"{target.name}.{_mark()}.old.tmp")
    os.replace(target, old)  # a folder cannot take the place of another
    try:
        os.replace(new, target)
    except BaseException:
        os.replace(old, target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def sweep(target: Path) -> None:
    """Remove temporary files of a file or folder that ended processes of this machine left.

    A folder that was about to be replaced is put back.
    """
    if not _HOST:
        return
    for left in target.parent.iterdir() if target.parent.is_dir() else ():
        mark = left.name.removeprefix(f"{target.name}.{_HOST}")
        threads, _, kind = mark.partition(".")
        number = threads.partition("-")[0]
        if not number.isdecimal() or kind not in ("tmp", "old.tmp") or _runs(int(number)):
            continue
        if kind == "old.tmp" and not target.exists():
            os.replace(left, target)
        else:
            _remove(left)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # it is another user's
        pass
    return True


def _remove(path: Path) -> None:
    with suppress(OSError):  # it may never have been made
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def forget_output() -> None:
    """Drop what standard output cannot write: Python would try again as it ends, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
