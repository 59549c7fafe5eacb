"""Downloads, whole and broken: a file is there and right, or one line says why it is not."""

import dataclasses
import errno
import hashlib
from collections.abc import Iterator
from itertools import chain, repeat
from pathlib import Path

import pytest

from senna.corpora import download as module
from senna.corpora.catalogue import SourceFile
from senna.corpora.download import digest_of, download
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


def test_digests_are_those_of_git(tmp_path):
    # `printf 'hello\n' | git hash-object --stdin`
    (tmp_path / "hello").write_bytes(b"hello\n")
    expected = "ce013625030ba8dba906f756967f9e9ca394464a"
    assert digest_of(tmp_path / "hello", "git_blob") == expected
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
    ("address", "message"),
    [  # port 9 (discard) is not listened to
        (
            "http://127.0.0.1:9/file",
            "127.0.0.1:9/file: cannot be reached: .*refused. Check the net",
        ),
        ("http://no-such-host.invalid/file", "cannot be reached"),
    ],
)
def test_no_network(address, message, tmp_path):
    refused(SourceFile("file", address, "sha256:00", 1), tmp_path, message)


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
    address = raw_server(SLOW[fault], 0.005)
    refused_at(
        address, tmp_path, "(reached: |broke off after .*)(fewer than 100000 bytes|timed out)"
    )


def test_an_answer_that_stops(raw_server, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "TIMEOUT", 0.1)
    address = raw_server([OK + b"\r\nabc", b"d"], 0.5)
    refused_at(address, tmp_path, r"(broke off after \d bytes .|cannot be reached: )timed out")


@pytest.mark.parametrize("place", PLACES)
def test_redirects_that_lead_nowhere(place, raw_server, tmp_path):
    content = FOUND + place.encode("latin-1") + b"\r\n\r\n"
    refused_at(raw_server([content]), tmp_path, PLACES[place])
