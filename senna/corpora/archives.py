"""Files of one repository, taken from its archive: one download instead of hundreds.

Servers refuse clients that ask for hundreds of single files. The archive is packed again at each
request and has no digest of its own; what is taken from it is checked against the catalogue.
"""

from __future__ import annotations

import re
import tarfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, groupby, islice
from pathlib import Path

from senna.corpora.catalogue import Archive, SourceFile
from senna.corpora.download import (
    CHUNK,
    changed,
    is_intact,
    keep,
    most_of,
    stored_path,
    transfer,
)

_PACKING = 20  # an archive's content is at most so many times its size; for text it is 13


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
    try:
        yield _files(_Incoming(transfer(archive.address, archive.size, advance)), archive)
    except (tarfile.TarError, EOFError, zlib.error) as error:
        raise changed(f"not a whole .tar.gz archive ({error})", archive.address) from error


def _files(incoming: _Incoming, archive: Archive) -> Iterator[tuple[str, Iterator[bytes]]]:
    """(name below the archive's one folder, content in pieces) of each file, as git packs them.

    tarfile would expand sparse files and read headers of any length. Both are a SennaError here,
    and so is far more content than an archive of that size can hold.
    """
    room = _PACKING * most_of(archive.size)
    pax = b""  # records of the last extended header
    while (header := b"".join(incoming.take(tarfile.BLOCKSIZE))).strip(b"\0"):
        member = tarfile.TarInfo.frombuf(header, "utf-8", "surrogateescape")
        is_pax = member.type == tarfile.XHDTYPE
        room -= tarfile.BLOCKSIZE + member.size
        if room < 0 or not 0 <= member.size <= (CHUNK if is_pax else room):
            what = f"it holds too much: {member.name!r} of {member.size} bytes"
            raise changed(what, archive.address)
        if member.type == tarfile.GNUTYPE_SPARSE or re.search(rb"^\d+ GNU\.sparse\.", pax, re.M):
            raise changed(f"its {member.name!r} is sparse", archive.address)
        content = incoming.take(member.size)
        if member.isreg():
            long_name = re.search(rb"^\d+ path=(.*)$", pax, re.M)
            name = long_name[1].decode("utf-8", "surrogateescape") if long_name else member.name
            yield name.partition("/")[2], content
        pax = b"".join(content) if is_pax else b""
        for _ in chain(content, incoming.take(-member.size % tarfile.BLOCKSIZE)):
            pass


class _Incoming:
    """The tar archive in a server's answer, decompressed during the download."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.pieces = pieces
        self.unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)  # gzip

    def take(self, size: int) -> Iterator[bytes]:
        """The next `size` bytes, in pieces; EOFError if there are fewer."""
        while size:
            packed = self.unpacker.unconsumed_tail or next(self.pieces, b"")
            if not packed or self.unpacker.eof:
                raise EOFError("it ends too early")
            piece = self.unpacker.decompress(packed, min(size, CHUNK))
            size -= len(piece)
            yield piece
