"""Servers that answer wrongly, slowly or without end: one line, in bounded time and space."""

from __future__ import annotations

from itertools import chain, repeat
from pathlib import Path

import pytest

from senna.corpora import download as module
from senna.corpora.catalogue import SourceFile
from senna.corpora.download import download
from senna.errors import SennaError

OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
FOUND = b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: "
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"

WRONG = {
    "nothing": (b"", "cannot be reached: Remote end closed connection"),
    "no HTTP": (b"220 smtp.example.com ESMTP\r\n", "cannot be reached: 220 smtp"),
    "binary": (bytes(range(256)) * 8, "cannot be reached: "),
    "a status without number": (b"HTTP/1.1 OK\r\n\r\n", "cannot be reached: HTTP/1.1 OK"),
    "a huge status": (b"HTTP/1.1 99999 Hm\r\n\r\n", "cannot be reached: HTTP/1.1 99999"),
    "an unknown version": (b"HTTP/9.9 200 OK\r\n\r\n", "cannot be reached: HTTP/9.9"),
    "no content": (b"HTTP/1.1 204 No Content\r\n\r\n", "is not the one expected"),
    "not modified": (b"HTTP/1.1 304 Not Modified\r\n\r\n", "the server answers 304 Not Modified"),
    "unauthorized": (
        b'HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm="x"\r\n\r\n',
        "the server answers 401",
    ),
    "early hints only": (b"HTTP/1.1 103 Early Hints\r\n\r\n", "the server answers 103"),
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
    "a negative chunk": (CHUNKED + b"-5\r\nabc", "broke off after 0 bytes"),
    "a chunk of minus one": (CHUNKED + b"-1\r\nabc", "broke off after 0 bytes"),
    "a chunk of letters": (CHUNKED + b"xyz\r\nabc", "broke off after 0 bytes"),
    "a chunk without size": (CHUNKED + b"\r\n\r\n", "broke off after 0 bytes"),
    "a chunk that is short": (CHUNKED + b"ff\r\nabc", "broke off after 0 bytes"),
    "a huge chunk": (CHUNKED + b"f" * 40 + b"\r\nabc", "broke off after 0 bytes"),
    "a long chunk size": (CHUNKED + b"0" * 70_000, "broke off after 0 bytes"),
    "chunks without end mark": (CHUNKED + b"3\r\nabc\r\n", "broke off after 0 bytes"),
    "a long header": (OK + b"X: " + b"x" * 70_000, "cannot be reached: "),
    "many headers": (OK + b"X: x\r\n" * 200, "cannot be reached: got more than 100 headers"),
    "an odd header": (OK + b"\xff\x00: \xfe\r\n :\r\n\r\n", "is not the one expected"),
    "half a header": (OK[:9], "cannot be reached|is not the one expected"),
}


def endless(*first: bytes, piece: bytes = b"x" * 5000):
    return chain(first, repeat(piece))


ENDLESS = {
    "content": (endless(OK, b"\r\n"), "the download is larger than the 10 bytes expected"),
    "headers of interim answers": (endless(piece=CONTINUE * 100), "cannot be reached: far more"),
    "headers": (endless(OK, piece=b"X: x\r\n"), "cannot be reached: got more than 100 headers"),
    "a status line": (endless(b"HTTP/1.1 "), "cannot be reached: "),
    "one chunk": (endless(CHUNKED, b"fffffff\r\n"), "the download is larger than the 10 bytes"),
    "a chunk of minus one": (endless(CHUNKED, b"-1\r\n"), "broke off after 0 bytes .far more"),
    "small chunks": (endless(CHUNKED, piece=b"1\r\nx\r\n" * 99), "broke off after 0 bytes .far mo"),
    "trailers": (
        endless(CHUNKED, b"0\r\n", piece=b"X: x\r\n" * 99),
        "broke off after 0 bytes .far more than expected",
    ),
    "a redirect's page": (
        endless(FOUND.replace(b"Content-Length: 0\r\n", b"") + b"/\r\n\r\n"),
        "cannot be reached: far more than expected",
    ),
}

SLOW = {
    "a status line": endless(b"HTTP/1.1 ", piece=b"2"),
    "headers": endless(OK + b"X: ", piece=b"x"),
    "interim answers": endless(piece=CONTINUE[:5]),
    "content": endless(OK, b"\r\n", piece=b"x"),
    "content after a good start": endless(OK, b"\r\n", b"x" * 5000, piece=b"x"),
    "a chunk's size": endless(CHUNKED, piece=b"1"),
    "trailers": endless(CHUNKED, b"0\r\n", piece=b"x"),
}

PLACES = {
    "/again": "answers 302 The HTTP server returned a redirect error.*infinite loop",
    "file:///etc/passwd": "the server answers 302 Found - Redirection to url 'file:.*not allowed",
    "data:,abc": "the server answers 302 Found - Redirection to url",
    "ftp://127.0.0.1:9/file": "cannot be reached: unknown url type: ftp",
    "http://[::1": "cannot be reached: Invalid IPv6 URL",
    "http://[zz::1]/": "cannot be reached: ",
    "http://": "answers 302|cannot be reached",
    "http:///file": "answers 302|cannot be reached",
    "http://127.0.0.1:x/": "cannot be reached: nonnumeric port: 'x'",
    "http://127.0.0.1:99999/": "cannot be reached: ",
    "http://127.0.0.1:-1/": "cannot be reached: ",
    f"http://{'a' * 70}.invalid/": "cannot be reached: ",
    "http://a..invalid/": "cannot be reached: ",
    "http://.invalid/": "cannot be reached: ",
    "http://a b/": "cannot be reached: ",
    "http://\xfc/": "cannot be reached: ",
    "https://127.0.0.1:9/": "cannot be reached: ",
    "gopher://127.0.0.1/": "the server answers 302",
    "\x00": "cannot be reached|answers 302",
    "": "cannot be reached|answers 302",
}


def refused(address: str, folder: Path, message: str) -> None:
    """One short line with advice, and nothing left behind."""
    source = SourceFile("file", address, "sha256:00", 10)
    with pytest.raises(SennaError, match=message) as caught:
        download(source, folder, lambda _: None)
    assert caught.value.mend
    assert len(str(caught.value).splitlines()) == 1
    assert len(str(caught.value)) < 700
    assert str(caught.value).isprintable()
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("fault", WRONG)
def test_wrong_answers(fault, raw_server, tmp_path) -> None:
    content, message = WRONG[fault]
    refused(raw_server([content]), tmp_path, message)


@pytest.mark.parametrize("fault", ENDLESS)
def test_endless_answers(fault, raw_server, tmp_path, small) -> None:
    pieces, message = ENDLESS[fault]
    refused(raw_server(pieces), tmp_path, message)


@pytest.mark.parametrize("fault", SLOW)
def test_answers_that_trickle(fault, raw_server, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(module, "TIMEOUT", 0.1)
    monkeypatch.setattr(module, "SLOWEST", 100_000)
    address = raw_server(SLOW[fault], 0.005)
    refused(address, tmp_path, "(reached: |broke off after .*)(fewer than 100000 bytes|timed out)")


def test_an_answer_that_stops(raw_server, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(module, "TIMEOUT", 0.1)
    address = raw_server([OK + b"\r\nabc", b"d"], 0.5)
    refused(address, tmp_path, "(broke off after 0 bytes .|cannot be reached: )timed out")


@pytest.mark.parametrize("place", PLACES)
def test_redirects_that_lead_nowhere(place, raw_server, tmp_path) -> None:
    content = FOUND + place.encode("latin-1") + b"\r\n\r\n"
    refused(raw_server([content]), tmp_path, PLACES[place])


@pytest.mark.parametrize(
    ("seconds", "given_up"),
    [
        ([50.0] * 100, 0),  # 1,200 bytes per second
        ([59.0, 1.0] * 100, 0),
        ([61.0 + 60.0], 1),
        ([1.0] * 500 + [90.0] * 3, 503),  # what came fast before does not count
    ],
)
def test_what_is_given_up(seconds, given_up, monkeypatch) -> None:
    """Of pieces of 60,000 bytes and the seconds each is waited for, the first that is too late."""
    clock = 0.0

    def wait(buffer: list[float]) -> int:
        nonlocal clock
        clock += buffer[0]
        return 60_000

    monkeypatch.setattr(module.time, "monotonic", lambda: clock)
    web = module._Web()
    web.room = 1 << 40
    for number, wanted in enumerate(seconds, start=1):
        if number == given_up:
            with pytest.raises(TimeoutError, match="fewer than 1000 bytes per second"):
                web.count(wait, [wanted])
            return
        web.count(wait, [wanted])
        clock += 1000.0  # what is done with it in between is not the server's fault
    assert not given_up
