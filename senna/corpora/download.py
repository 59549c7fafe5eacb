"""Download of files: checked against their digests, never left half-written.

Of a repository from which a corpus has hundreds of files they are taken from its archive, in one
download: servers refuse clients that ask for hundreds of single files. The archive is packed again
at each request and has no digest of its own; what is taken from it is checked.
"""

from __future__ import annotations

import hashlib
import http.client
import os
import tarfile
import time
import urllib.error
import urllib.request
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from itertools import groupby, islice
from pathlib import Path
from types import SimpleNamespace
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from senna.atomic import make_folder, replacing
from senna.corpora.catalogue import Archive, SourceFile
from senna.errors import SennaError

CHUNK = 1 << 16  # bytes read at a time
TIMEOUT = 60.0  # seconds without an answer, or more than the slowest rate takes
SLOWEST = 1000  # bytes per second
ROOM = "Make room or change its permissions, or name another folder with --data."
_PACKING = 20  # a file is at most so many times the size of its archive


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
    make_folder(folder, ROOM)
    with replacing(path, ROOM) as place:
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
    return path


def transfer(address: str, size: int, advance: Callable[[int], object]) -> Iterator[bytes]:
    """The content of an address in pieces; about `size` bytes are expected.

    Raises SennaError when there is no answer or it breaks off, is too slow or far too long.
    """
    received, began = 0, time.monotonic()
    with _open(address) as answer:
        expected = answer.length
        try:
            while received != expected and (piece := answer.read1(CHUNK)):
                received += len(piece)
                if received > most_of(size) + CHUNK:
                    raise OSError("far more than expected")
                if time.monotonic() - began > TIMEOUT + received / SLOWEST:
                    raise TimeoutError(f"fewer than {SLOWEST} bytes per second")
                advance(len(piece))
                yield piece
            if expected is not None and received < expected:
                raise EOFError(f"{expected - received} more were announced")
        except (OSError, http.client.HTTPException, ValueError, EOFError) as error:
            what = f"the download broke off after {received} bytes ({_in_words(error)})"
            remedy = "Run the command again: complete files are kept."
            raise SennaError(what, where=address, remedy=remedy) from error


def changed(what: str, address: str) -> SennaError:
    """The error for a download that differs from the catalogue."""
    remedy = "A proxy or a login page may have answered instead: try another network. "
    remedy += "If the error remains, the file was changed at its source: please report it."
    return SennaError(what, where=address, remedy=remedy)


def _in_words(why: object) -> str:
    """A short printable line, whatever a server wrote into it."""
    text = "".join(letter if letter.isprintable() else " " for letter in str(why)[:200])
    return " ".join(text.split()) or type(why).__name__


def _open(address: str) -> http.client.HTTPResponse:
    """The answer of a server; SennaError if there is none or it is an error."""
    request = urllib.request.Request(address, headers={"User-Agent": "senna"})
    try:
        answer = urllib.request.urlopen(request, timeout=TIMEOUT)
        if not isinstance(answer, http.client.HTTPResponse):  # a redirect may lead to FTP
            answer.close()
            raise ValueError("neither http nor https")
        return answer
    except urllib.error.HTTPError as error:
        error.close()
        what = f"the server answers {error.code} {_in_words(error.reason)}"
        remedy = "Try again later; docs/corpora.md says how to add a file by hand."
        raise SennaError(what, where=address, remedy=remedy) from error
    except (OSError, http.client.HTTPException, ValueError, OverflowError) as error:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        what = f"cannot be reached: {_in_words(reason)}"
        remedy = "Check the network, or name a folder that has the corpus with --data."
        raise SennaError(what, where=address, remedy=remedy) from error


# --------------------------------------------------------------------------- archives


def unpack(
    archive: Archive, sources: Sequence[SourceFile], folder: Path, advance: Callable[[int], object]
) -> None:
    """Extract files and folders of an archive into `folder`, except those already there.

    The archive is read only up to the last of them; nothing else of it is written. `advance` gets
    the number of bytes of each piece received. Raises SennaError when the address does not answer,
    the transfer breaks off, a file is missing or differs from the catalogue, or `folder` cannot be
    written.
    """
    missing = {
        source.name: source
        for source in sources
        if not is_intact(stored_path(source, folder), source.digest)
    }
    if not missing:
        advance(archive.size)
        return
    folders = tuple(f"{name}/" for name, source in missing.items() if source.is_folder)

    def source_name(member: tuple[str, Iterator[bytes]]) -> str:
        name = member[0]
        return next((start[:-1] for start in folders if name.startswith(start)), name)

    with opened(archive, advance) as members:
        for name, group in groupby(members, source_name):
            source = missing.pop(name, None)
            if source:
                files = ((path.removeprefix(f"{name}/"), content) for path, content in group)
                keep(source, folder, files if source.is_folder else islice(files, 1))
            if not missing:
                return
    what = f"{len(missing)} files are not in the archive, for example {next(iter(missing))}"
    raise changed(what, archive.address)


@contextmanager
def opened(
    archive: Archive, advance: Callable[[int], object]
) -> Iterator[Iterator[tuple[str, Iterator[bytes]]]]:
    """(path, content in pieces) of each file of an archive, during its download; see `unpack`."""
    pieces = transfer(archive.address, archive.size, advance)
    answer = SimpleNamespace(read=lambda size: next(pieces, b""))
    try:
        with tarfile.open(fileobj=answer, mode="r|gz") as members:
            yield _files(members, archive)
    except (tarfile.TarError, EOFError, zlib.error) as error:
        raise changed(f"not a whole .tar.gz archive ({error})", archive.address) from error


def _files(members: tarfile.TarFile, archive: Archive) -> Iterator[tuple[str, Iterator[bytes]]]:
    """(name below the archive's one folder, content in pieces) of each file."""
    for member in members:
        if member.size > _PACKING * most_of(archive.size):
            what = f"it holds too much: {member.name!r} of {member.size} bytes"
            raise changed(what, archive.address)
        if member.isreg() and (content := members.extractfile(member)) is not None:
            yield member.name.partition("/")[2], iter(partial(content.read, CHUNK), b"")
