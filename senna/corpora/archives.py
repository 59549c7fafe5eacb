"""Many files of one repository, taken from its archive: one download instead of hundreds.

Servers refuse clients that ask for hundreds of files one by one. The archive is packed anew at each
request and has no digest of its own; each file taken from it is checked against the catalogue's.
"""

from __future__ import annotations

import http.client
import io
import shutil
import tarfile
import zlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from senna.corpora.catalogue import Archive, Source
from senna.corpora.download import (
    broken_off,
    is_intact,
    keep,
    open_address,
    read_some,
    stored_path,
    unwritable,
)
from senna.errors import SennaError


def unpack(
    archive: Archive, sources: Sequence[Source], folder: Path, advance: Callable[[int], object]
) -> None:
    """Bring files of an archive into `folder`; those that are there already are left alone.

    It is read as it comes and no further than the last of them; nothing else of it is written.
    `advance` is told how many bytes have come, piece by piece. Raises SennaError when the address
    does not answer, the transfer breaks off, a file is missing or not what the catalogue says, or
    the folder cannot be written.
    """
    try:
        lacking = {
            source.name: source
            for source in sources
            if not is_intact(stored_path(source, folder), source.digest)
        }
    except OSError as error:
        raise unwritable(folder, error) from error
    if not lacking:
        advance(archive.size)
        return
    with open_address(archive.address) as answer:
        incoming = _Incoming(answer, archive.address, advance)
        try:
            _take(incoming, lacking, folder)
        except (tarfile.TarError, EOFError, zlib.error) as error:
            raise broken_off(archive.address, incoming.received, str(error)) from error
    if lacking:
        raise SennaError(
            f"{len(lacking)} files are not in the archive, as {next(iter(lacking))}",
            where=archive.address,
            mend="Try again; if it stays so, the archive was changed at its source: "
            "please report it.",
        )


def _take(incoming: _Incoming, lacking: dict[str, Source], folder: Path) -> None:
    """Keep the files that are `lacking`, and strike them off."""
    with tarfile.open(fileobj=incoming, mode="r|gz") as tar:
        for member in tar:
            # The archive's one folder is named after the repository.
            source = lacking.get(member.name.partition("/")[2])
            content = tar.extractfile(member) if source else None
            if source is None or content is None:
                continue
            with content as opened:
                keep(source, folder, partial(shutil.copyfileobj, opened))
            del lacking[source.name]
            if not lacking:
                return


class _Incoming(io.RawIOBase):
    """A server's answer as a file that counts what was read of it."""

    def __init__(
        self, answer: http.client.HTTPResponse, address: str, advance: Callable[[int], object]
    ) -> None:
        self.answer, self.address, self.advance = answer, address, advance
        self.received = 0

    def read(self, size: int = -1) -> bytes:
        """The next bytes, however many come."""
        chunk = read_some(self.answer, self.address, self.received)
        self.received += len(chunk)
        self.advance(len(chunk))
        return chunk
