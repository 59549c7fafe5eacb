"""Download of one file: checked against its digest, never left half-written."""

from __future__ import annotations

import hashlib
import http.client
import os
import tempfile
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import IO

from senna.corpora.catalogue import Source
from senna.errors import SennaError

CHUNK = 1 << 16  # bytes read at a time
TIMEOUT = 60.0  # seconds without an answer
_MUCH_TOO_LONG = 2  # times the expected size, after which a download is given up


def digest_of(path: Path, kind: str) -> str:
    """The hexadecimal digest of a file: kind "sha256", or "git_blob", git's id of its content."""
    if kind == "sha256":
        digest = hashlib.sha256()
    elif kind == "git_blob":
        digest = hashlib.sha1(b"blob %d\0" % path.stat().st_size, usedforsecurity=False)
    else:
        raise ValueError(f"unknown kind of digest: {kind}")
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def stored_path(source: Source, folder: Path) -> Path:
    """Where a file of that digest is kept; corpora that share a file share its copy."""
    return folder / source.digest.replace(":", "-")


def is_intact(path: Path, digest: str) -> bool:
    """Whether the file is there and has that "kind:hexadecimal" digest."""
    kind, _, expected = digest.partition(":")
    return path.is_file() and digest_of(path, kind) == expected


def download(source: Source, folder: Path, advance: Callable[[int], object]) -> Path:
    """Bring a file into `folder` and return its path; nothing is done when it is there already.

    `advance` is told how many bytes have come, piece by piece. Raises SennaError when the address
    does not answer, the transfer breaks off, the content is not what the catalogue says, or the
    folder cannot be written.
    """
    path = stored_path(source, folder)
    try:
        if is_intact(path, source.digest):
            advance(source.size)
            return path
    except OSError as error:
        raise unwritable(folder, error) from error
    return keep(source, folder, lambda out: _transfer(source, out, advance))


def keep(source: Source, folder: Path, fill: Callable[[IO[bytes]], object]) -> Path:
    """Have `fill` write a file, and put it into `folder` if it is what the catalogue says.

    Raises SennaError if it is not, and when the folder cannot be written.
    """
    path = stored_path(source, folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=folder, prefix=".partial-")
    except OSError as error:
        raise unwritable(folder, error) from error
    partial = Path(name)
    try:
        with os.fdopen(handle, "wb") as out:
            fill(out)
        if not is_intact(partial, source.digest):
            raise SennaError(
                f"the file that came is not the one expected ({source.digest})",
                where=source.address,
                mend="Try again; if it stays so, the file was changed at its source: "
                "please report it.",
            )
        partial.replace(path)
    except OSError as error:
        raise unwritable(folder, error) from error
    finally:
        partial.unlink(missing_ok=True)
    return path


def reach(source: Source) -> None:
    """Ask for a file and take nothing of it; SennaError where the address does not answer."""
    open_address(source.archive.address if source.archive else source.address).close()


def unwritable(folder: Path, error: OSError) -> SennaError:
    """What to tell about a folder that cannot be written, or a disk that is full."""
    return SennaError(
        f"cannot be read or written: {error.strerror or error}",
        where=str(folder),
        mend="Make room or change its permissions, or name another folder with --data.",
    )


def _transfer(source: Source, out: IO[bytes], advance: Callable[[int], object]) -> None:
    """Copy the answer of the source's address to `out`."""
    with open_address(source.address) as answer:
        announced = answer.headers.get("Content-Length")
        received = 0
        while True:
            chunk = read_some(answer, source.address, received)
            if not chunk:
                break
            received += len(chunk)
            if received > _MUCH_TOO_LONG * source.size + CHUNK:
                raise SennaError(
                    f"more came than the {source.size} bytes expected",
                    where=source.address,
                    mend="A proxy or login page may stand in between: try another network.",
                )
            out.write(chunk)
            advance(len(chunk))
    if announced is not None and received < int(announced):
        raise broken_off(source.address, received, f"{announced} bytes were announced")


def read_some(answer: http.client.HTTPResponse, address: str, received: int) -> bytes:
    """The next bytes of an answer, empty at its end; SennaError where it breaks off."""
    try:
        return answer.read(CHUNK)
    except (OSError, http.client.HTTPException) as error:
        raise broken_off(address, received, str(error) or type(error).__name__) from error


def broken_off(address: str, received: int, why: str) -> SennaError:
    """What to tell about a download that ended too early."""
    return SennaError(
        f"the download broke off after {received} bytes ({why})",
        where=address,
        mend="Run the command again: files that came whole are kept.",
    )


def open_address(address: str) -> http.client.HTTPResponse:
    """The answer of a server; SennaError where there is none, or an error."""
    request = urllib.request.Request(address, headers={"User-Agent": "senna"})
    try:
        answer: http.client.HTTPResponse = urllib.request.urlopen(request, timeout=TIMEOUT)
        return answer
    except urllib.error.HTTPError as error:
        error.close()
        raise SennaError(
            f"the server answers {error.code} {error.reason}",
            where=address,
            mend="Try again later; docs/corpora.md says how to bring a file in by hand.",
        ) from error
    except (OSError, http.client.HTTPException) as error:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        raise SennaError(
            f"cannot be reached: {reason}",
            where=address,
            mend="Check the network, or name a folder that has the corpus with --data.",
        ) from error
