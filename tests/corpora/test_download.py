"""Downloads, whole and broken: a file is there and right, or one line says why it is not."""

import dataclasses
import errno
import gzip
import hashlib
import io
import lzma
import random
import tarfile
import zipfile
from collections.abc import Iterator
from itertools import chain, repeat
from pathlib import Path

import pytest

from senna.corpora import download as module
from senna.corpora import store
from senna.corpora.catalogue import Archive, Columns, Corpus, SourceFile
from senna.corpora.download import digest_of, download, stored_path, unpack
from senna.errors import SennaError

CONTENT = b"Ada\tB-person\nwaits\tO\n" * 5000


def ignore(_: int) -> None:
    pass


def refused(source: SourceFile, folder: Path, message: str) -> None:
    """One short line with advice, and nothing left behind."""
    with pytest.raises(SennaError, match=message) as caught:
        download(source, folder, ignore)
    assert caught.value.remedy
    assert len(str(caught.value).splitlines()) == 1 and len(str(caught.value)) < 700
    assert str(caught.value).isprintable()
    assert not folder.is_dir() or not list(folder.iterdir())


def test_a_digest_of_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="md5"):
        digest_of(Path(), "md5")


@pytest.mark.parametrize("kind", ["sha256", "git_blob"])
def test_a_file_arrives_whole_is_counted_and_asked_for_once(kind, server, tmp_path):
    source = server.put("whole", CONTENT)
    if kind == "git_blob":
        blob = hashlib.sha1(b"blob %d\0" % len(CONTENT) + CONTENT).hexdigest()
        source = dataclasses.replace(source, digest="git_blob:" + blob)
    for _ in range(2):
        counted: list[int] = []
        path = download(source, tmp_path / "new" / "folder", counted.append)
        assert path.read_bytes() == CONTENT
        assert sum(counted) == len(CONTENT)
    assert [path] == list(path.parent.iterdir())
    assert server.asked == ["/whole"]
    path.write_bytes(b"damaged")
    assert download(source, path.parent, ignore).read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("short", r"short: the download broke off after \d+ byt"),
        ("silent", "silent: cannot be reached: "),
        ("changed", "is not the one expected .sha256:"),
        ("gone", "gone: the server answers 404"),
        ("large", "the download is larger than the 1000 bytes expected"),
    ],
)
def test_faults_of_a_server(name, message, server, tmp_path):
    source = server.put(name, CONTENT)
    if name == "changed":
        server.files["/changed"] = CONTENT.replace(b"Ada", b"Ida")
    if name == "gone":
        del server.files["/gone"]
    if name == "large":
        source = dataclasses.replace(source, size=1000)
        server.files["/large"] = CONTENT * 10
    refused(source, tmp_path, message)


@pytest.mark.parametrize(
    ("host", "message"),
    [  # port 9 (discard) is not listened to
        ("127.0.0.1:9", "127.0.0.1:9/file: cannot be reached: .*refused. Check the net"),
        ("no-such-host.invalid", "cannot be reached"),
    ],
)
def test_no_network(host, message, tmp_path):
    refused(SourceFile("file", f"http://{host}/file", "sha256:00", 1), tmp_path, message)


def test_a_folder_that_cannot_be_written(server, tmp_path, monkeypatch):
    source = server.put("whole", CONTENT)
    (tmp_path / "file").write_bytes(b"")
    refused(source, tmp_path / "file" / "below", "file/below.*cannot write")

    def full(*_: object) -> Iterator[bytes]:
        raise OSError(errno.ENOSPC, "No space left on device")
        yield b""

    monkeypatch.setattr(module, "transfer", full)
    refused(source, tmp_path / "other", "No space left on device. Make room")


def test_ctrl_c_leaves_nothing(server, tmp_path):
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        download(server.put("whole", CONTENT), tmp_path, interrupt)
    assert not list(tmp_path.iterdir())


# --------------------------------------------------------------------------- faulty servers

OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
FOUND = b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: "

WRONG = {
    "nothing": (b"", "cannot be reached: Remote end closed connection"),
    "no HTTP": (b"220 smtp.example.com ESMTP\r\n", "cannot be reached: 220 smtp"),
    "binary": (bytes(range(256)) * 8, "cannot be reached: "),
    "a huge status": (b"HTTP/1.1 99999 Hm\r\n\r\n", "cannot be reached: HTTP/1.1 99999"),
    "no content": (b"HTTP/1.1 204 No Content\r\n\r\n", "is not the one expected"),
    "not modified": (b"HTTP/1.1 304 Not Modified\r\n\r\n", "the server answers 304 Not Modified"),
    "unauthorized": (
        b'HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm="x"\r\n\r\n',
        "the server answers 401",
    ),
    "a server's error": (b"HTTP/1.1 500 Oh\x1b[31m\x07 no\r\n\r\n", r"answers 500 Oh \[31m no\. "),
    "a long reason": (b"HTTP/1.1 500 " + b"x" * 60_000 + b"\r\n\r\n", "answers 500 x{200}[.] "),
    "a login page": (OK + b"\r\n<html>Log in first</html>", "is not the one expected"),
    "a length of letters": (OK + b"Content-Length: many\r\n\r\nabc", "is not the one expected"),
    "a length of 5,000 digits": (
        OK + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\nabc",
        "is not the one expected",
    ),
    "a negative length": (OK + b"Content-Length: -1\r\n\r\nabc", "is not the one expected"),
    "a length too long": (
        OK + b"Content-Length: 99999999999999\r\n\r\nabc",
        "broke off after 3 bytes .99999999999996 more were announced",
    ),
    "a negative chunk": (CHUNKED + b"-5\r\nabc", r"broke off after \d bytes"),
    "a chunk of letters": (CHUNKED + b"xyz\r\nabc", r"broke off after \d bytes"),
    "a chunk that is short": (CHUNKED + b"ff\r\nabc", r"broke off after \d bytes"),
    "a long chunk size": (CHUNKED + b"0" * 70_000, r"broke off after \d bytes"),
    "a long header": (OK + b"X: " + b"x" * 70_000, "cannot be reached: "),
    "many headers": (OK + b"X: x\r\n" * 200, "cannot be reached: got more than 100 headers"),
    "an odd header": (OK + b"\xff\x00: \xfe\r\n :\r\n\r\n", "is not the one expected"),
    "half a header": (OK[:9], "cannot be reached|is not the one expected"),
}


def endless(*first: bytes, piece: bytes = b"x" * 5000):
    return chain(first, repeat(piece))


ENDLESS = {
    "content": (endless(OK, b"\r\n"), "the download is larger than the 10 bytes expected"),
    "headers": (endless(OK, piece=b"X: x\r\n"), "cannot be reached: got more than 100 headers"),
    "a status line": (endless(b"HTTP/1.1 "), "cannot be reached: "),
    "one chunk": (endless(CHUNKED, b"fffffff\r\n"), "the download is larger than the 10 bytes"),
    "small chunks": (endless(CHUNKED, piece=b"1\r\nx\r\n" * 99), "larger than the 10 bytes"),
}

SLOW = {
    "content": endless(OK, b"\r\n", piece=b"x"),
    "chunks": endless(CHUNKED, piece=b"1\r\nx\r\n"),
}

PLACES = {
    "/again": "answers 302 The HTTP server returned a redirect error.*infinite loop",
    "file:///etc/passwd": "the server answers 302 Found - Redirection to url 'file:.*not allowed",
    "data:,abc": "the server answers 302 Found - Redirection to url",
    "ftp://127.0.0.1:9/file": "cannot be reached: ",
    "http://[::1": "cannot be reached: Invalid IPv6 URL",
    "http://127.0.0.1:x/": "cannot be reached: nonnumeric port: 'x'",
    "http://127.0.0.1:99999/": "cannot be reached: ",
    f"http://{'a' * 70}.invalid/": "cannot be reached: ",
    "http://a..invalid/": "cannot be reached: ",
    "https://127.0.0.1:9/": "cannot be reached: ",
    "\x00": "cannot be reached|answers 302",
}


def refused_at(address: str, folder: Path, message: str) -> None:
    refused(SourceFile("file", address, "sha256:00", 10), folder, message)


@pytest.mark.parametrize("fault", WRONG)
def test_wrong_answers(fault, raw_server, tmp_path):
    content, message = WRONG[fault]
    refused_at(raw_server([content]), tmp_path, message)


@pytest.mark.parametrize("fault", ENDLESS)
def test_endless_answers(fault, raw_server, tmp_path, small):
    pieces, message = ENDLESS[fault]
    refused_at(raw_server(pieces), tmp_path, message)


@pytest.mark.parametrize("fault", SLOW)
def test_answers_that_trickle(fault, raw_server, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "TIMEOUT", 0.1)
    monkeypatch.setattr(module, "SLOWEST", 100_000)
    told = "(reached: |broke off after .*)(fewer than 100000 bytes|timed out)"
    refused_at(raw_server(SLOW[fault], 0.005), tmp_path, told)


def test_an_answer_that_stops(raw_server, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "TIMEOUT", 0.1)
    address = raw_server([OK + b"\r\nabc", b"d"], 0.5)
    refused_at(address, tmp_path, r"(broke off after \d bytes .|cannot be reached: )timed out")


@pytest.mark.parametrize("place", PLACES)
def test_redirects_that_lead_nowhere(place, raw_server, tmp_path):
    content = FOUND + place.encode("latin-1") + b"\r\n\r\n"
    refused_at(raw_server([content]), tmp_path, PLACES[place])


# --------------------------------------------------------------------------- archives

FILES = {"train": b"Ada\tB-person\n", "dev": b"Nobody\tO\n", "a/other": b"x" * 100_000}


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
    found = [stored_path(one, tmp_path).read_bytes() for one in wanted]
    assert found == [FILES["dev"], FILES["train"]]
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
    files = (server.put("train", FILES["train"]), *(source(n, archive) for n in ("dev", "a/other")))
    columns, about = Columns({"PER": "person"}), ("CC0", "Us.", "", False)
    tiny = Corpus("ner/tiny", ("ner",), ("train", "dev"), *about, files, columns)
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

MEMBER = b"Ada\tB-PER\n"
END = bytes(1024)


def dev_in(archive: Archive) -> SourceFile:
    digest = "sha256:" + hashlib.sha256(MEMBER).hexdigest()
    return SourceFile("dev", "http://127.0.0.1:1/dev", digest, len(MEMBER), archive)


def member(
    name: str = "repo/dev",
    content: bytes = MEMBER,
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
    assert stored_path(source, tmp_path).read_bytes() == MEMBER


def test_a_size_that_is_a_guess(server, tmp_path):
    """The catalogue knows some files by git's id alone: twice its size still passes."""
    content = bytes(100_000)
    packed = gzip.compress(member(content=content) + END)
    archive = Archive(server.put("pack.tar.gz", packed).address, len(packed))
    digest = "git_blob:" + hashlib.sha1(b"blob 100000\0" + content).hexdigest()
    source = SourceFile("dev", "http://127.0.0.1:1/dev", digest, 50_000, archive)
    unpack(archive, [source], tmp_path, ignore)
    assert stored_path(source, tmp_path).read_bytes() == content
