"""Many files from one archive: only those asked for, checked, and no more than once.

Archives made to fill a disk, to take forever or to lead elsewhere: one line, little written.
"""

import gzip
import hashlib
import io
import lzma
import random
import tarfile
import zipfile

import pytest

from senna.corpora import store
from senna.corpora.catalogue import Archive, Columns, Corpus, SourceFile
from senna.corpora.download import stored_path, unpack
from senna.errors import SennaError

FILES = {"train": b"Ada\tB-person\n", "dev": b"Nobody\tO\n", "a/other": b"x" * 100_000}


def ignore(received: int) -> None:
    """For downloads whose progress nobody looks at."""


def packed(files: dict[str, bytes]) -> bytes:
    """An archive as a server makes it: in a folder with the repository's name."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz", format=tarfile.PAX_FORMAT) as tar:
        folder = tarfile.TarInfo("project-1a2b")
        folder.type = tarfile.DIRTYPE
        tar.addfile(folder)
        for name, content in files.items():
            member = tarfile.TarInfo(f"project-1a2b/{name}")
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


def served(server, name: str = "pack.tar.gz", content: bytes | None = None) -> Archive:
    content = packed(FILES) if content is None else content
    return Archive(server.put(name, content).address, len(content))


def source(name: str, archive: Archive) -> SourceFile:
    content = FILES.get(name, b"")
    digest = "sha256:" + hashlib.sha256(content).hexdigest()
    return SourceFile(name, f"http://127.0.0.1:1/{name}", digest, len(content), archive)


def test_only_what_is_asked_for_is_kept(server, tmp_path):
    archive = served(server)
    wanted = [source("dev", archive), source("train", archive)]
    came: list[int] = []
    unpack(archive, wanted, tmp_path, came.append)
    assert [stored_path(one, tmp_path).read_bytes() for one in wanted] == [
        FILES["dev"],
        FILES["train"],
    ]
    assert len(list(tmp_path.iterdir())) == 2
    assert 0 < sum(came) <= archive.size
    unpack(archive, wanted, tmp_path, came.append)
    assert server.asked == ["/pack.tar.gz"]
    assert came[-1] == archive.size


def test_only_what_is_lacking_is_asked_for(server, tmp_path):
    archive = served(server)
    unpack(archive, [source("dev", archive)], tmp_path, ignore)
    unpack(archive, [source("dev", archive), source("train", archive)], tmp_path, ignore)
    assert len(list(tmp_path.iterdir())) == 2
    assert len(server.asked) == 2


def test_a_missing_file_is_an_error(server, tmp_path):
    archive = served(server)
    with pytest.raises(SennaError, match="1 files are not in the archive, for example none"):
        unpack(archive, [source("dev", archive), source("none", archive)], tmp_path, ignore)
    assert len(list(tmp_path.iterdir())) == 1  # what came is kept


@pytest.mark.parametrize("name", ["short.tar.gz", "silent.tar.gz", "none.tar.gz"])
def test_downloads_that_fail(name, server, tmp_path):
    archive = served(server, name)
    if name.startswith("none"):
        server.files.clear()
    with pytest.raises(SennaError, match="broke off|cannot be reached|404"):
        unpack(archive, [source("none", archive)], tmp_path, ignore)


def test_a_corpus_of_single_files_and_archives(server, monkeypatch):
    archive = served(server)
    files = (
        server.put("train", FILES["train"]),
        source("dev", archive),
        source("a/other", archive),
    )
    tiny = Corpus(
        "ner/tiny",
        ("ner",),
        ("train", "dev"),
        "CC0",
        "Us.",
        "",
        False,
        files,
        Columns({"PER": "person"}),
    )
    assert tiny.size == len(FILES["train"]) + archive.size
    # The converter takes all sources for splits: a third one is not among the corpus's.
    monkeypatch.setattr(store, "read_catalogue", lambda: {"ner/tiny": tiny})
    path = store.get("ner/tiny")
    with lzma.open(path / "dev.xz", "rt", encoding="utf-8") as file:
        assert file.read() == "Nobody\tO\n\n"
    terms = (path / "LICENCE.txt").read_text(encoding="utf-8")
    assert terms.endswith(f"from:\n{files[0].address}\n{archive.address}\n")


TREE = {"a-b": b"1", "a/c.txt": b"2", "a/d/e": b"", "a0": b"3"}


def git_id(kind: str, content: bytes) -> bytes:
    return hashlib.sha1(f"{kind} {len(content)}\0".encode() + content).digest()


def tree_id() -> str:
    """Git's id of a folder with the files of TREE, level by level: names sort as a-b, a/, a0."""
    blobs = {name: git_id("blob", content) for name, content in TREE.items()}
    d = git_id("tree", b"100644 e\0" + blobs["a/d/e"])
    a = git_id("tree", b"100644 c.txt\0" + blobs["a/c.txt"] + b"40000 d\0" + d)
    top = b"100644 a-b\0" + blobs["a-b"] + b"40000 a\0" + a + b"100644 a0\0" + blobs["a0"]
    return "git_tree:" + git_id("tree", top).hex()


def folder_source(archive: Archive, digest: str, size: int = 100) -> SourceFile:
    return SourceFile("some/folder", archive.address, digest, size, archive)


def in_folder(files: dict[str, bytes]) -> dict[str, bytes]:
    inside = {f"some/folder/{name}": content for name, content in files.items()}
    return {"dev": FILES["dev"], "some/folder0": b"", **inside, "train": FILES["train"]}


def test_a_folder_is_kept_as_a_zip(server, tmp_path):
    archive = served(server, content=packed(in_folder(TREE)))
    wanted = [source("train", archive), folder_source(archive, tree_id()), source("dev", archive)]
    unpack(archive, wanted, tmp_path, ignore)
    with zipfile.ZipFile(stored_path(wanted[1], tmp_path)) as files:
        assert {name: files.read(name) for name in files.namelist()} == TREE
    assert len(list(tmp_path.iterdir())) == 3
    unpack(archive, wanted, tmp_path, ignore)
    assert server.asked == ["/pack.tar.gz"]


@pytest.mark.parametrize("change", [{"a0": b"4"}, {"a/d/f": b""}, {"../x": b""}, {"a/d/e": None}])
def test_a_folder_with_another_file_is_an_error(change, server, tmp_path):
    files = {name: content for name, content in (TREE | change).items() if content is not None}
    archive = served(server, content=packed(in_folder(files)))
    with pytest.raises(SennaError, match="not the one expected"):
        unpack(archive, [folder_source(archive, tree_id())], tmp_path, ignore)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_much_larger_than_the_catalogue_says_is_an_error(server, tmp_path):
    files = {str(i): random.Random(i).randbytes(10_000) for i in range(10)}
    archive = served(server, content=packed(in_folder(files)))
    with pytest.raises(SennaError, match="the download is larger than the 100 bytes expected"):
        unpack(archive, [folder_source(archive, tree_id())], tmp_path, ignore)
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_zip_is_downloaded_again(server, tmp_path):
    archive = served(server, content=packed(in_folder(TREE)))
    wanted = folder_source(archive, tree_id())
    stored_path(wanted, tmp_path).write_bytes(b"PK")
    unpack(archive, [wanted], tmp_path, ignore)
    assert zipfile.is_zipfile(stored_path(wanted, tmp_path))


# --------------------------------------------------------------------------- faulty archives

CONTENT = b"Ada\tB-PER\n"
END = bytes(1024)


def dev_in(archive: Archive) -> SourceFile:
    digest = "sha256:" + hashlib.sha256(CONTENT).hexdigest()
    return SourceFile("dev", "http://127.0.0.1:1/dev", digest, len(CONTENT), archive)


def member(
    name: str = "repo/dev",
    content: bytes = CONTENT,
    *,
    kind: bytes = tarfile.REGTYPE,
    size: int | None = None,
) -> bytes:
    """One member of a tar archive, which may lie about its size."""
    info = tarfile.TarInfo(name)
    info.type = kind
    info.size = len(content) if size is None else size
    info.linkname = "/etc/passwd" if kind in (tarfile.SYMTYPE, tarfile.LNKTYPE) else ""
    kept = tarfile.GNU_FORMAT if size is not None else tarfile.PAX_FORMAT
    return info.tobuf(kept) + content + bytes(-len(content) % 512)


TOO_MUCH = "it holds too much: "
BROKEN = "not a whole .tar.gz archive"
LACKING = "1 files are not in the archive, for example dev"

TARS = {  # packed
    "longer than catalogued": (
        member(content=bytes(200_000)),
        "the download is larger than the 10",
    ),
    "another": (member(content=b"Ida\tB-PER\n"), "not the one expected"),
    "6 GB that nobody asked for": (member("repo/x", b"", size=6 * 10**9), TOO_MUCH),
    "a symbolic link": (member(content=b"", kind=tarfile.SYMTYPE), LACKING),
    "a pipe": (member(content=b"", kind=tarfile.FIFOTYPE), LACKING),
    "a folder": (member(content=b"", kind=tarfile.DIRTYPE), LACKING),
    "an absolute name": (member("/tmp/senna-dev"), LACKING),
    "a name that leads out": (member("repo/../../dev"), LACKING),
    "a name that is not text": (member("repo/\udcff\n\x1b[0m", b"", size=6 << 40), TOO_MUCH),
    "a checksum that is wrong": (b"x" + member()[1:], BROKEN),
}

FAULTS = {name: (gzip.compress(tar + END), message) for name, (tar, message) in TARS.items()} | {
    "nothing": (b"", BROKEN),
    "a page": (b"<html>Log in first</html>", BROKEN),
    "another packing": (b"BZh91AY&SY" + bytes(100), BROKEN),
    "an empty archive": (gzip.compress(END), LACKING),
    "cut off": (gzip.compress(member() + END)[:40], BROKEN),
    "packed twice": (gzip.compress(gzip.compress(member())), BROKEN),
    "far longer than catalogued": (gzip.compress(END, 0) + bytes(200_000), LACKING),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faulty_archives(fault, server, tmp_path):
    """One short line with advice; and nothing left behind."""
    content, message = FAULTS[fault]
    folder = tmp_path / "in"
    archive = Archive(server.put("pack.tar.gz", content).address, 100)
    with pytest.raises(SennaError, match=message) as caught:
        unpack(archive, [dev_in(archive)], folder, ignore)
    assert caught.value.remedy
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 700
    assert not folder.exists() or list(folder.iterdir()) == []
    assert [path.name for path in folder.parent.iterdir()] in ([], ["in"])


@pytest.mark.parametrize("name", ["repo/dev", f"{'x' * 120}/dev", f"{'ü' * 120}/dev"])
def test_names_of_any_length(name, server, tmp_path):
    content = gzip.compress(member(name) + member(name, b"a second one") + END)
    archive = Archive(server.put("pack.tar.gz", content).address, len(content))
    source = dev_in(archive)
    unpack(archive, [source], tmp_path, ignore)
    assert stored_path(source, tmp_path).read_bytes() == CONTENT


def test_a_size_that_is_a_guess(server, tmp_path):
    """The catalogue knows some files by git's id alone: twice its size still passes."""
    content = bytes(100_000)
    packed = gzip.compress(member(content=content) + END)
    archive = Archive(server.put("pack.tar.gz", packed).address, len(packed))
    digest = "git_blob:" + hashlib.sha1(b"blob 100000\0" + content).hexdigest()
    source = SourceFile("dev", "http://127.0.0.1:1/dev", digest, 50_000, archive)
    unpack(archive, [source], tmp_path, ignore)
    assert stored_path(source, tmp_path).read_bytes() == content
