"""Many files of one repository, taken from its archive: one download instead of hundreds.

Servers refuse clients that ask for hundreds of files one by one. The archive is packed anew at each
request and has no digest of its own; each file taken from it is checked against the catalogue's.
"""

from __future__ import annotations

import re
import tarfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

from senna.corpora.catalogue import Archive, Source
from senna.corpora.download import CHUNK, changed, is_intact, keep, most_of, stored_path, transfer

_PACKING = 20  # times, at most, that an archive is smaller than its content; of text it is 13


def unpack(
    archive: Archive, sources: Sequence[Source], folder: Path, advance: Callable[[int], object]
) -> None:
    """Bring files of an archive into `folder`; those that are there already are left alone.

    It is read as it comes and no further than the last of them; nothing else of it is written.
    `advance` is told how many bytes have come, piece by piece. Raises SennaError when the address
    does not answer, the transfer breaks off, a file is missing or not what the catalogue says, or
    the folder cannot be written.
    """
    lacking = {
        source.name: source
        for source in sources
        if not is_intact(stored_path(source, folder), source.digest)
    }
    if not lacking:
        advance(archive.size)
        return
    with opened(archive, advance) as files:
        for name, content in files:
            if name in lacking:
                keep(lacking[name], folder, content)
                del lacking[name]
            if not lacking:
                return
    what = f"{len(lacking)} files are not in the archive, as {next(iter(lacking))}"
    raise changed(what, archive.address)


@contextmanager
def opened(
    archive: Archive, advance: Callable[[int], object]
) -> Iterator[Iterator[tuple[str, Iterator[bytes]]]]:
    """(path, content in pieces) of each file of an archive, while it comes; see `unpack`."""
    try:
        yield _files(_Incoming(transfer(archive.address, archive.size, advance)), archive)
    except (tarfile.TarError, EOFError, zlib.error) as error:
        raise changed(f"not a whole .tar.gz archive ({error})", archive.address) from error


def _files(incoming: _Incoming, archive: Archive) -> Iterator[tuple[str, Iterator[bytes]]]:
    """(name below the archive's one folder, content in pieces) of each file, as git packs them.

    tarfile would unfold sparse files and take in headers of any length: those are SennaErrors here,
    as is an archive with far more in it than its size can hold.
    """
    room = _PACKING * most_of(archive.size)
    pax = b""  # what the last header adds to the next
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
    """The tar archive in what a server answers, unpacked as it comes."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.pieces = pieces
        self.unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)  # gzip

    def take(self, size: int) -> Iterator[bytes]:
        """The next `size` bytes, in pieces; EOFError where there are fewer."""
        while size:
            packed = self.unpacker.unconsumed_tail or next(self.pieces, b"")
            if not packed or self.unpacker.eof:
                raise EOFError("it ends too early")
            piece = self.unpacker.decompress(packed, min(size, CHUNK))
            size -= len(piece)
            yield piece
