"""Archives made to fill a disk, to take forever or to lead elsewhere: one line, little written."""

from __future__ import annotations

import gzip
import hashlib
import io
import tarfile
from pathlib import Path

import pytest

from senna.corpora.archives import unpack
from senna.corpora.catalogue import Archive, SourceFile
from senna.corpora.download import stored_path
from senna.errors import SennaError

CONTENT = b"Ada\tB-PER\n"
END = bytes(1024)


def member(
    name: str = "repo/dev",
    content: bytes = CONTENT,
    *,
    kind: bytes = tarfile.REGTYPE,
    size: int | None = None,
    pax: dict[str, str] | None = None,
) -> bytes:
    """One member of a tar archive, which may lie about its size."""
    info = tarfile.TarInfo(name)
    info.type = kind
    info.size = len(content) if size is None else size
    info.pax_headers = pax or {}
    info.linkname = "/etc/passwd" if kind in (tarfile.SYMTYPE, tarfile.LNKTYPE) else ""
    kept = tarfile.GNU_FORMAT if size is not None else tarfile.PAX_FORMAT
    return info.tobuf(kept) + content + bytes(-len(content) % 512)


def pax(records: bytes, size: int | None = None) -> bytes:
    return member("PaxHeader", records, kind=tarfile.XHDTYPE, size=size)


def old_sparse(real_size: int, *, extended: bool = False, junk: bytes = b"") -> bytes:
    """A member of GNU's first kind of sparse files: 10 bytes, then a hole."""
    block = bytearray(member(kind=tarfile.GNUTYPE_SPARSE, size=len(CONTENT)))
    block[386:410] = b"%011o\0%011o\0" % (0, len(CONTENT))
    block[482] = extended
    block[483:495] = b"%011o\0" % real_size
    block[386 : 386 + len(junk)] = junk
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block[:512])
    return bytes(block)


def sparse(**fields: str) -> bytes:
    return member(pax={f"GNU.sparse.{key}": value for key, value in fields.items()})


TOO_MUCH = "it holds too much: "
SPARSE = "its 'repo/dev' is sparse"
BROKEN = "not a whole .tar.gz archive"
LACKING = "1 files are not in the archive, for example dev"
HUGE = str(400 * 10**9)

TARS = {
    "longer than catalogued": (
        member(content=bytes(200_000)),
        "the download is larger than the 10",
    ),
    "another": (member(content=b"Ida\tB-PER\n"), "not the one expected"),
    "6 GB that nobody asked for": (member("repo/x", b"", size=6 * 10**9), TOO_MUCH),
    "6 GB that came": (member("repo/x", bytes(3_000_000)), TOO_MUCH),
    "a directory of 6 GB": (member("repo/x", b"", kind=tarfile.DIRTYPE, size=6 << 30), TOO_MUCH),
    "many members": (member("repo/x", bytes(50_000)) * 60, TOO_MUCH),
    "empty members": (member("repo/x", b"") * 6000, TOO_MUCH),
    "a negative size": (member(size=-512), TOO_MUCH),
    "a long pax header": (pax(b"", 1 << 30), TOO_MUCH),
    "a pax header that came": (pax(b"30 comment=" + b"x" * 70_000) + member(), TOO_MUCH),
    "a long long name": (member("x", b"", kind=tarfile.GNUTYPE_LONGNAME, size=1 << 40), TOO_MUCH),
    "pax headers in a row": (pax(b"10 path=x\n") * 2000, LACKING),
    "long names in a row": (member("x", kind=tarfile.GNUTYPE_LONGNAME) * 2000, LACKING),
    "old sparse": (old_sparse(400 * 10**9 % 8**11), SPARSE),
    "old sparse, extended": (old_sparse(10, extended=True), SPARSE),
    "old sparse, not in octal": (old_sparse(10, junk=b"x" * 12), BROKEN),
    "sparse 0.0": (sparse(size=HUGE, numblocks="1", offset="0", numbytes="1"), SPARSE),
    "sparse 0.1": (sparse(size=HUGE, numblocks="1", map="0,1"), SPARSE),
    "sparse 1.0": (sparse(major="1", minor="0", realsize=HUGE, name="repo/dev"), SPARSE),
    "sparse by size alone": (sparse(size=HUGE), SPARSE),
    "sparse with an odd map": (sparse(map="x,,-1", size="y"), SPARSE),
    "sparse with an odd version": (sparse(major="x", minor=""), SPARSE),
    "sparse, not asked for": (
        member("repo/x", pax={"GNU.sparse.size": HUGE}),
        "its 'repo/x' is sparse",
    ),
    "odd pax records": (pax(b"x y=z\n-3 path=\n9999999999 a") + member("repo/x"), LACKING),
    "pax digits": (pax(b"9" * 5000) + member("repo/x"), LACKING),
    "an odd pax size": (member("repo/x", pax={"size": "-100", "mtime": "nan"}), LACKING),
    "a symbolic link": (member(content=b"", kind=tarfile.SYMTYPE), LACKING),
    "a hard link": (member(content=b"", kind=tarfile.LNKTYPE), LACKING),
    "a device": (member(content=b"", kind=tarfile.CHRTYPE), LACKING),
    "a pipe": (member(content=b"", kind=tarfile.FIFOTYPE), LACKING),
    "a folder": (member(content=b"", kind=tarfile.DIRTYPE), LACKING),
    "an absolute name": (member("/tmp/senna-dev"), LACKING),
    "a name that leads out": (member("repo/../../dev"), LACKING),
    "a name that is not text": (member("repo/\udcff\n\x1b[0m", b"", size=6 << 40), TOO_MUCH),
    "a header only": (member()[:512], BROKEN + ".*too early"),
    "half a header": (member()[:300], BROKEN + ".*too early"),
    "a checksum that is wrong": (b"x" + member()[1:], BROKEN + ".*bad checksum"),
    "digits that are none": (b"y" * 512, BROKEN),
    "no end": (member("repo/x"), BROKEN + ".*too early"),
}

FILES = {
    "nothing": (b"", BROKEN + ".*too early"),
    "a page": (b"<html>Log in first</html>", BROKEN),
    "another packing": (b"BZh91AY&SY" + bytes(100), BROKEN),
    "an empty archive": (gzip.compress(END), LACKING),
    "cut off": (gzip.compress(member() + END)[:40], BROKEN + ".*too early"),
    "packed twice": (gzip.compress(gzip.compress(member())), BROKEN),
    "with a wrong checksum": (
        gzip.compress(member("repo/x"))[:-8] + bytes(8),
        BROKEN + ".*incorrect data check",
    ),
    "zeros": (gzip.compress(bytes(3_000_000)), LACKING),
    "in a long gzip name": (b"\x1f\x8b\x08\x08" + bytes(6) + b"x" * 200_000, "far more than expec"),
    "far longer than catalogued": (gzip.compress(END, 0) + bytes(200_000), LACKING),
}


def refused(server, folder: Path, content: bytes, message: str) -> None:
    """One short line with advice; and nothing left behind."""
    folder = folder / "in"
    archive = Archive(server.put("pack.tar.gz", content).address, 100)
    digest = "sha256:" + hashlib.sha256(CONTENT).hexdigest()
    source = SourceFile("dev", "http://127.0.0.1:1/dev", digest, len(CONTENT), archive)
    with pytest.raises(SennaError, match=message) as caught:
        unpack(archive, [source], folder, lambda _: None)
    assert caught.value.mend
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 700
    assert not folder.exists() or list(folder.iterdir()) == []
    assert [path.name for path in folder.parent.iterdir()] in ([], ["in"])


@pytest.mark.parametrize("fault", TARS)
def test_faulty_archives(fault, server, tmp_path, small) -> None:
    content, message = TARS[fault]
    end = b"" if "too early" in message else END
    refused(server, tmp_path, gzip.compress(content + end), message)


@pytest.mark.parametrize("fault", FILES)
def test_files_that_are_no_archives(fault, server, tmp_path, small) -> None:
    content, message = FILES[fault]
    refused(server, tmp_path, content, message)


@pytest.mark.parametrize("name", ["repo/dev", f"{'x' * 120}/dev", f"{'ü' * 120}/dev"])
@pytest.mark.parametrize("before", [b"", pax(b"13 path=a/b\n") + member("repo/l", b"", kind=b"2")])
def test_names_of_any_length(name, before, server, tmp_path) -> None:
    """Long ones stand in pax headers, which belong to the next member alone."""
    content = gzip.compress(before + member(name) + member(name, b"a second one") + END)
    archive = Archive(server.put("pack.tar.gz", content).address, len(content))
    digest = "sha256:" + hashlib.sha256(CONTENT).hexdigest()
    source = SourceFile("dev", "http://127.0.0.1:1/dev", digest, len(CONTENT), archive)
    unpack(archive, [source], tmp_path, lambda _: None)
    assert stored_path(source, tmp_path).read_bytes() == CONTENT


def test_a_size_that_is_a_guess(server, tmp_path) -> None:
    """The catalogue knows some files by git's id alone: twice its size still passes."""
    content = bytes(100_000)
    packed = gzip.compress(member(content=content) + END)
    archive = Archive(server.put("pack.tar.gz", packed).address, len(packed))
    digest = "git_blob:" + hashlib.sha1(b"blob 100000\0" + content).hexdigest()
    source = SourceFile("dev", "http://127.0.0.1:1/dev", digest, 50_000, archive)
    unpack(archive, [source], tmp_path, lambda _: None)
    assert io.FileIO(stored_path(source, tmp_path)).read() == content
