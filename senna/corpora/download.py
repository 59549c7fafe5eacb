"""Download of files: checked against their digests, never left half-written."""

from __future__ import annotations

import hashlib
import http.client
import os
import shutil
import tempfile
import time
import urllib.error
import urllib.request
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from senna.corpora.catalogue import SourceFile
from senna.errors import SennaError

CHUNK = 1 << 16  # bytes read at a time, and more than headers have
TIMEOUT = 60.0  # seconds without an answer, or behind the slowest rate
SLOWEST = 1000  # bytes per second


def most_of(size: int) -> int:
    """The limit in bytes for a download of that size in the catalogue: sizes may be estimates."""
    return 2 * size + CHUNK


def digest_of(path: Path, kind: str) -> str:
    """The hexadecimal "sha256" of a file, its "git_blob" id, or the "git_tree" id of a .zip."""
    if kind == "git_tree":
        with ZipFile(path) as files:
            return _git_tree({name: _git_id("blob", files.read(name)) for name in files.namelist()})
    if kind == "git_blob":
        return _git_id("blob", path.read_bytes())
    if kind != "sha256":
        raise ValueError(f"unknown kind of digest: {kind}")
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _git_id(kind: str, content: bytes) -> str:
    """Git's id of an object."""
    head = b"%s %d\0" % (kind.encode(), len(content))
    return hashlib.sha1(head + content, usedforsecurity=False).hexdigest()


def _git_tree(blobs: Mapping[str, str]) -> str:
    """Git's id of a folder from those of its files, by path; no file may be executable."""
    entries = {}
    for name, paths in groupby(sorted(blobs), lambda path: path.partition("/")[0]):
        files = {path.partition("/")[2]: blobs[path] for path in paths}
        is_file = "" in files
        # git sorts folders as if their names ended in a slash
        entry = (b"100644 ", files[""]) if is_file else (b"40000 ", _git_tree(files))
        entries[os.fsencode(name) + b"/" * (not is_file)] = entry
    lines = (
        mode + name.rstrip(b"/") + b"\0" + bytes.fromhex(digest)
        for name, (mode, digest) in sorted(entries.items())
    )
    return _git_id("tree", b"".join(lines))


def stored_path(source: SourceFile, folder: Path) -> Path:
    """The path of a source in `folder`, by its digest; corpora that share a file share its copy."""
    return folder / source.digest.replace(":", "-")


def is_intact(path: Path, digest: str) -> bool:
    """Whether the file is there, can be read, and has that "kind:hexadecimal" digest."""
    kind, _, expected = digest.partition(":")
    try:
        return path.is_file() and digest_of(path, kind) == expected
    except (OSError, BadZipFile, EOFError, zlib.error, RecursionError):
        return False


def download(source: SourceFile, folder: Path, advance: Callable[[int], object]) -> Path:
    """Download a file into `folder`, unless it is already there, and return its path.

    `advance` gets the number of bytes of each piece received. Raises SennaError when the address
    does not answer, the transfer breaks off, the content differs from the catalogue, or the folder
    cannot be written.
    """
    path = stored_path(source, folder)
    if is_intact(path, source.digest):
        advance(source.size)
        return path
    return keep(source, folder, [(source.name, transfer(source.address, source.size, advance))])


def keep(source: SourceFile, folder: Path, files: Iterable[tuple[str, Iterable[bytes]]]) -> Path:
    """Write (path, content in pieces) of one file or of a folder's, and check them.

    They are moved into `folder` if they are what the catalogue says. Raises SennaError if they are
    not, immediately if they are far too long, and when the folder cannot be written.
    """
    path = stored_path(source, folder)
    room = most_of(source.size)
    with partial_in(folder) as unfinished:
        place = unfinished / "file"
        with ZipFile(place, "w", ZIP_DEFLATED) if source.is_folder else nullcontext() as packed:
            for name, pieces in files:
                with packed.open(name, mode="w") if packed else place.open("wb") as out:
                    for piece in pieces:
                        room -= len(piece)
                        if room < 0:
                            what = f"the download is larger than the {source.size} bytes expected"
                            raise changed(what, source.address)
                        out.write(piece)
        if not is_intact(place, source.digest):
            what = f"the downloaded file is not the one expected ({source.digest})"
            raise changed(what, source.address)
        place.replace(path)
    return path


@contextmanager
def partial_in(folder: Path) -> Iterator[Path]:
    """A temporary folder in `folder`, for files that are moved up when they are complete.

    Leftovers of killed runs are removed: each run holds a shared lock on `folder`, which ends with
    its process, so a process that gets an exclusive lock knows that no other is at work. Raises
    SennaError when the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as held:
            with suppress(ImportError, OSError):  # Windows locks no folders, some systems nothing
                import fcntl

                handle = os.open(folder, os.O_RDONLY)
                held.callback(os.close, handle)
                with suppress(OSError):  # others are at work
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    for left in folder.glob(".partial-*"):
                        shutil.rmtree(left) if left.is_dir() else left.unlink()
                fcntl.flock(handle, fcntl.LOCK_SH)
            temporary = tempfile.TemporaryDirectory(dir=folder, prefix=".partial-")
            yield Path(held.enter_context(temporary))
    except OSError as error:
        what = f"cannot be read or written: {error.strerror or error}"
        mend = "Make room or change its permissions, or name another folder with --data."
        raise SennaError(what, where=str(folder), mend=mend) from error


def transfer(address: str, size: int, advance: Callable[[int], object]) -> Iterator[bytes]:
    """The content of an address in pieces; about `size` bytes are expected.

    Raises SennaError when there is no answer or it breaks off, is too slow or far too long.
    """
    received = 0
    with _open(address, size) as answer:
        try:
            while piece := answer.read(CHUNK):
                received += len(piece)
                advance(len(piece))
                yield piece
            if answer.length:
                raise EOFError(f"{answer.length} more were announced")
        except (OSError, http.client.HTTPException, ValueError, EOFError) as error:
            what = f"the download broke off after {received} bytes ({_in_words(error)})"
            mend = "Run the command again: complete files are kept."
            raise SennaError(what, where=address, mend=mend) from error


def changed(what: str, address: str) -> SennaError:
    """The error for a download that differs from the catalogue."""
    mend = "A proxy or a login page may have answered instead: try another network. "
    mend += "If the error remains, the file was changed at its source: please report it."
    return SennaError(what, where=address, mend=mend)


def _in_words(why: object) -> str:
    """A short printable line, whatever a server wrote into it."""
    text = "".join(letter if letter.isprintable() else " " for letter in str(why)[:200])
    return " ".join(text.split()) or type(why).__name__


def _open(address: str, size: int) -> http.client.HTTPResponse:
    """The answer of a server; SennaError if there is none or it is an error."""
    request = urllib.request.Request(address, headers={"User-Agent": "senna"})
    web = _Web()
    opener = urllib.request.build_opener(web)
    try:
        answer: http.client.HTTPResponse = opener.open(request, timeout=TIMEOUT)
    except urllib.error.HTTPError as error:
        error.close()
        what = f"the server answers {error.code} {_in_words(error.reason)}"
        mend = "Try again later; docs/corpora.md says how to add a file by hand."
        raise SennaError(what, where=address, mend=mend) from error
    except (OSError, http.client.HTTPException, ValueError, OverflowError) as error:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        mend = "Check the network, or name a folder that has the corpus with --data."
        raise SennaError(
            f"cannot be reached: {_in_words(reason)}", where=address, mend=mend
        ) from error
    web.room += most_of(size) + CHUNK
    return answer


class _Web(urllib.request.HTTPHandler, urllib.request.HTTPSHandler, urllib.request.FTPHandler):
    """Opens an address with limits on time and size, for headers and redirects too.

    It also replaces urllib's FTP reader, which has no such limits.
    """

    room = CHUNK  # bytes still allowed; before the answer these are headers
    behind = 0.0  # seconds behind the slowest rate

    def ftp_open(self, req: object) -> Any:
        """Redirects to FTP are not followed."""

    def do_open(self, http_class: Any, req: Any, **options: Any) -> http.client.HTTPResponse:
        """As in urllib, with responses from `answer`."""
        counted: Any = type("Counted", (http_class,), {"response_class": self.answer})
        return super().do_open(counted, req, **options)

    def answer(self, *args: Any, **kwargs: Any) -> http.client.HTTPResponse:
        """A response whose reads, headers included, pass through `count`."""
        response = http.client.HTTPResponse(*args, **kwargs)
        socket: Any = response.fp.raw
        socket.readinto = partial(self.count, socket.readinto)
        return response

    def count(self, read: Callable[[Any], int | None], buffer: Any) -> int:
        """Read from a socket; raises OSError when too much has come, or too slowly."""
        began = time.monotonic()
        size = read(buffer) or 0
        self.room -= size
        self.behind = max(0.0, self.behind + time.monotonic() - began - size / SLOWEST)
        if self.behind > TIMEOUT:
            raise TimeoutError(f"fewer than {SLOWEST} bytes per second")
        if self.room < 0:
            raise OSError("far more than expected")
        return size
