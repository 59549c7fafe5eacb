"""Limits, and what a server refuses: who asks, how much, how long; how it ends."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import Any, cast
from urllib.parse import urlsplit

import pytest

from tests.serve.conftest import PROCESSES, http, httpx, serving, start

from starlette.requests import ClientDisconnect  # isort: skip
from senna.serve.app import LOOK, QUEUE, TURNS, App, Guard  # isort: skip  # after what it needs was found
from senna.serve.requests import Work  # isort: skip
from senna.serve.cli import Settings  # isort: skip

PLAIN = {"content-type": "text/plain"}
SENTENCE = "Anna Weber, who had met Bob in Rome, flew to Lisbon and gave him a book.\n\n"
LONG = SENTENCE * 4_000
MOST = len(LONG)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A server with narrow limits."""
    limits = ("--timeout", "3", "--max-bytes", str(MOST))
    with serving(*limits, "--origin", "https://Friend.example:444/page/") as address:
        yield address


def until(true: Callable[[], bool], seconds: float = 20) -> None:
    """Wait for something that comes soon."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def state(server: str) -> Any:
    return http.get(f"{server}/health").json()


def idle(server: str) -> bool:
    own = state(server)
    return bool(own["waiting"] == own["running"] == 0)


def raw(server: str, text: bytes) -> socket.socket:
    """A connection on which a request was written."""
    address = urlsplit(server)
    connection = socket.create_connection((address.hostname, address.port), timeout=20)
    connection.sendall(text)
    return connection


def request(body: bytes, length: int | None = None) -> bytes:
    size = len(body) if length is None else length
    head = "POST /v1/tag HTTP/1.1\r\nhost: localhost\r\ncontent-type: text/plain\r\n"
    return f"{head}content-length: {size}\r\n\r\n".encode() + body


# --------------------------------------------------------------------------- who asks


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("127.0.0.1:8080", "", 200),
        ("localhost", "", 200),
        ("[::1]:8080", "", 200),
        ("192.168.1.7:8080", "", 200),  # no site can have this name
        ("friend.example", "", 200),
        ("evil.example", "", 403),
        ("127.0.0.1.evil.example:8080", "", 403),
        ("localhost@evil.example", "", 403),
        ("[", "", 403),
        ("[a]", "", 403),
        ("localhost", "http://[", 403),
        ("", "", 403),
        ("localhost:8080", "http://localhost:8080", 200),
        ("localhost:8080", "https://friend.example:444", 200),
        ("localhost:8080", "http://localhost:9090", 403),
        ("localhost:8080", "https://evil.example", 403),
        ("localhost:8080", "null", 403),
    ],
)
def test_hosts_and_origins(server, host, origin, status):
    headers = {"host": host, **({"origin": origin} if origin else {})}
    answer = http.get(f"{server}/health", headers=headers)
    assert answer.status_code == status
    assert ("error" in answer.json()) == (status == 403)
    shared = answer.headers.get("access-control-allow-origin")
    assert shared == (origin if "friend" in origin else None)


def test_a_friend_may_ask_before_it_sends_json(server):
    headers = {"origin": "https://friend.example:444", "access-control-request-method": "POST"}
    answer = http.options(f"{server}/v1/tag", headers=headers)
    assert answer.status_code == 200
    assert "content-type" in answer.headers["access-control-allow-headers"]


def test_all_answers_have_headers_for_browsers(server):
    for path in ("/", "/health", "/nothing"):
        headers = http.get(server + path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert "unsafe" not in headers["content-security-policy"]
        assert "server" not in headers


def test_the_log_has_neither_text_nor_options(capsys):
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body"})

    async def nothing(*_: Any) -> None:
        return

    headers = [(b"host", b"localhost")]
    scope = {
        "type": "http", "method": "GET", "path": "/a\x1b[2J\nb", "query_string": b"text=secret",
        "headers": headers, "client": ("::1", 9),
    }  # fmt: skip
    asyncio.run(Guard(app, Settings(host="localhost"))(scope, nothing, nothing))
    log = capsys.readouterr().err
    assert log.count("\n") == 1 and "secret" not in log and "\x1b" not in log
    assert " ::1 GET /a\\x1b[2J\\nb 200 " in log


# --------------------------------------------------------------------------- how much, how long


def test_a_body_may_be_as_long_as_it_says(server):
    body = "a" * (MOST + 1)
    assert http.post(f"{server}/v1/tag", content=body, headers=PLAIN).status_code == 413
    parts = (part for part in [body[:MOST].encode(), b"b"])
    assert http.post(f"{server}/v1/tag", content=parts, headers=PLAIN).status_code == 413
    assert idle(server)


@pytest.mark.parametrize("size", [MOST + 1, 20 * MOST])
@pytest.mark.parametrize("more", ["", "expect: 100-continue\r\n"])
@pytest.mark.parametrize("sends", [True, False])
def test_a_body_that_is_too_long_is_read_before_its_answer(server, size, more, sends):
    """A simple client sends all of it before it reads; another one sees the answer at once."""
    head = f"POST /v1/tag HTTP/1.1\r\nhost: localhost\r\n{more}content-length: {size}\r\n\r\n"
    with raw(server, head.encode()) as connection:
        connection.sendall(b"a" * size * sends)
        answer = connection.recv(1_000)
        assert answer.startswith(b"HTTP/1.1 413 ") and b"connection: close" in answer


def test_a_body_of_unknown_length_that_is_too_long_is_read_before_its_answer(server):
    head = b"POST /v1/tag HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n"
    chunk = b"%x\r\n%b\r\n" % (MOST, b"a" * MOST)
    with raw(server, head + chunk * 12 + b"0\r\n\r\n") as connection:
        assert connection.recv(1_000).startswith(b"HTTP/1.1 4")


@pytest.mark.parametrize("request_", [b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01 no HTTP\r\n\r\n"])
def test_what_is_not_http_gets_an_error_as_all_others(server, request_):
    with raw(server, request_) as connection:
        answer = b"".join(iter(lambda: connection.recv(4_096), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ") and b"application/json" in head
    assert b"content-length: %d" % len(body) in head
    assert json.loads(body)["error"]


def test_connections_without_headers_are_closed(server):
    begun = [b"", b"GET /health HTT", b"GET /health HTTP/1.1\r\nhost: localhost\r\n"]
    connections = [raw(server, text) for text in begun]
    answered = raw(server, b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\nGET /")
    assert answered.recv(4_000).startswith(b"HTTP/1.1 200")
    for connection in (*connections, answered):
        while connection.recv(1_000):  # the rest of the answer, then the end
            pass
        connection.close()


def test_more_connections_than_files():
    """A server that may open few files refuses what is too much and goes on afterwards."""
    process, address = start("--quiet", limit=256)
    try:
        assert http.get(f"{address}/health").status_code == 200
        silent = [raw(address, b"") for _ in range(500)]
        with raw(address, b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n") as connection:
            assert connection.recv(1_000).startswith(b"HTTP/1.1 503 ")
        for connection in silent:
            connection.close()
        until(lambda: bool(httpx.get(f"{address}/health").status_code == 200))
    finally:
        process.terminate()
        assert process.communicate(timeout=20)[1] == ""


def test_more_requests_than_may_wait_are_to_come_again(server):
    long = [raw(server, request(LONG.encode())) for _ in range(3)]
    until(lambda: state(server)["running"] > 0)
    short = [raw(server, request(b"Bob sat.")) for _ in range(2 * QUEUE)]
    answers = [connection.recv(1 << 16) for connection in short]
    refused = [answer for answer in answers if answer.startswith(b"HTTP/1.1 503 ")]
    assert 0 < len(refused) < len(answers)
    assert all(b"retry-after: 2" in answer and b"error" in answer for answer in refused)
    for connection in (*long, *short):
        connection.close()
    until(lambda: idle(server))


class Asked:
    """In the place of a request, whose client leaves at some time."""

    def __init__(self) -> None:
        self.gone = False

    async def is_disconnected(self) -> bool:
        return self.gone


class Slow:
    """In the place of a tagger: it works until it is stopped, or finishes."""

    def __init__(self) -> None:
        self.begun, self.ended, self.finish = list[str](), list[str](), Event()

    def answer(self, work: Work, stopped: Callable[[], bool]) -> bytes:
        [text] = work.texts
        self.begun.append(text)
        while not (stopped() or self.finish.is_set()):
            time.sleep(0.01)
        self.ended.append(text)
        return text.encode()


def app_of(tagger: Any, turns: int = 1) -> App:
    app = App.__new__(App)
    app.tagger, app.requests, app.turns = tagger, 0, ThreadPoolExecutor(turns)
    return app


def test_work_whose_time_is_up_stops():
    async def ask() -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(0.1):
                await app.answer(cast(Any, Asked()), Work(["long"]))

    tagger = Slow()
    app = app_of(tagger)
    asyncio.run(ask())
    until(lambda: tagger.ended == ["long"])
    assert app.requests == 0


def test_work_whose_time_is_up_keeps_its_turn_until_it_ends():
    class Deaf(Slow):
        def answer(self, work: Work, stopped: Callable[[], bool]) -> bytes:
            return super().answer(work, lambda: False)

    async def ask() -> list[str]:
        with suppress(TimeoutError):
            async with asyncio.timeout(0.1):
                await app.answer(cast(Any, Asked()), Work(["long"]))
        short = asyncio.create_task(app.answer(cast(Any, Asked()), Work(["short"])))
        await asyncio.sleep(0.1)
        begun = [*tagger.begun]
        tagger.finish.set()
        assert await short == b"short"
        return begun

    tagger = Deaf()
    app = app_of(tagger)
    assert asyncio.run(ask()) == ["long"]


def test_work_whose_client_has_left_stops():
    async def ask() -> None:
        gone = Asked()
        long = asyncio.create_task(app.answer(cast(Any, gone), Work(["long"])))
        await asyncio.sleep(0.05)
        gone.gone = True
        with suppress(ClientDisconnect):
            await asyncio.wait_for(long, 10)

    tagger = Slow()
    app = app_of(tagger)
    asyncio.run(ask())
    until(lambda: tagger.ended == ["long"])
    assert app.requests == 0


def test_a_short_text_need_not_wait_for_a_long_one():
    class Quick(Slow):
        def answer(self, work: Work, stopped: Callable[[], bool]) -> bytes:
            return b"short" if work.texts == ["short"] else super().answer(work, stopped)

    async def ask() -> tuple[bytes, list[str]]:
        long = asyncio.create_task(app.answer(cast(Any, Asked()), Work(["long"])))
        await asyncio.sleep(0.05)
        answer, ended = await app.answer(cast(Any, Asked()), Work(["short"])), [*tagger.ended]
        tagger.finish.set()
        await long
        return answer, ended

    tagger = Quick()
    app = app_of(tagger, TURNS)
    assert asyncio.run(ask()) == (b"short", [])


def test_a_client_that_leaves_while_it_waits_is_not_tagged():
    async def ask() -> list[Any]:
        gone = Asked()
        long = asyncio.create_task(app.answer(cast(Any, Asked()), Work(["long"])))
        waiting = asyncio.create_task(app.answer(cast(Any, gone), Work(["short"])))
        await asyncio.sleep(0.05)
        gone.gone = True
        await asyncio.sleep(2 * LOOK)
        tagger.finish.set()
        return await asyncio.gather(long, waiting, return_exceptions=True)

    tagger = Slow()
    app = app_of(tagger)
    answer, error = asyncio.run(ask())
    assert answer == b"long" and isinstance(error, ClientDisconnect) and tagger.begun == ["long"]


def test_a_text_that_takes_too_long_is_broken_off(server):
    answer = http.post(f"{server}/v1/tag?tasks=all", content=LONG, headers=PLAIN)
    assert (answer.status_code, answer.json()) == (504, {"error": "the request took too long"})
    until(lambda: idle(server))


def test_a_client_that_does_not_read_its_answer_is_left(server):
    address = urlsplit(server)
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        connection.settimeout(20)
        connection.connect((address.hostname, address.port))
        connection.sendall(request(LONG.encode()).replace(b"/v1/tag", b"/v1/tag?tasks=pos"))
        time.sleep(10)  # three limits
        with suppress(ConnectionError):
            received = b"".join(iter(lambda: connection.recv(1 << 20), b""))
            assert received and not received.endswith(b"]}\n")


def test_a_body_that_does_not_come_is_waited_for_so_long(server):
    with raw(server, request(b"Bob", 1_000)) as connection:
        connection.settimeout(10)
        assert connection.recv(1_000).startswith(b"HTTP/1.1 504")


def test_a_worker_that_is_killed_is_replaced(server):
    connection = raw(server, request(LONG.encode()))
    until(lambda: state(server)["running"] == 1)
    [worker] = workers_of(server)
    os.kill(worker, signal.SIGKILL)
    with connection, suppress(ConnectionResetError):
        assert connection.recv(1_000) == b""  # no answer
    # A request that comes meanwhile waits for the next process.
    assert http.post(f"{server}/v1/tag", content="Bob sat.", headers=PLAIN).status_code == 200
    assert workers_of(server) != [worker]


def workers_of(server: str) -> list[int]:
    """The processes that tag for a server."""
    commands = {pid: Path(f"/proc/{pid}/cmdline") for pid in children(PROCESSES[server])}
    return [int(pid) for pid, path in commands.items() if b"spawn_main" in path.read_bytes()]


def children(parent: int) -> list[str]:
    return Path(f"/proc/{parent}/task/{parent}/children").read_text().split()


# --------------------------------------------------------------------------- beginning and end


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_what_runs_is_finished_and_nothing_is_left(sent):
    if signal.getsignal(sent) == signal.SIG_IGN:
        pytest.skip("started with nohup, whose processes are not hung up")
    process, address = start()
    assert http.get(f"{address}/health").status_code == 200
    workers = [int(pid) for pid in children(process.pid)]
    text = SENTENCE * 600
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(
            lambda: http.post(f"{address}/v1/tag?tasks=pos", content=text, headers=PLAIN)
        )
        until(lambda: state(address)["running"] == 1 or asked.done())
        process.send_signal(sent)
        assert len(asked.result().json()["sentences"]) == 600
    out, log = process.communicate(timeout=20)
    assert out == "" and "Traceback" not in log
    assert " POST /v1/tag 200 " in log
    ended = signal.SIGTERM if sent == signal.SIGHUP else sent
    assert process.returncode in (-ended, 128 + ended)
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))


def test_a_server_that_is_killed_leaves_no_worker():
    process, address = start("--quiet")
    assert http.get(f"{address}/health").status_code == 200
    workers = children(process.pid)
    process.kill()
    process.communicate()
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))


def test_an_address_in_use(senna):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        error = senna("serve", "--port", port).error
    assert error.startswith(f"127.0.0.1:{port}: cannot listen")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--model", "mine"), "--model: 'mine' is not NAME=DIR of a new name"),
        (("--model", "senna=ner"), "--model: 'senna=ner' is not NAME=DIR of a new name"),
        (("--port", "0", "--model", "mine=/no/such"), "/no/such"),
        (("--port", "0", "--origin", "http://["), "--origin: 'http://[' is not an origin"),
        (("--host", "no.such.host.invalid"), "no.such.host.invalid:8080: no address to listen at"),
    ],
)
def test_what_a_user_can_mend_is_one_line(senna, options, said):
    assert said in senna("serve", *options).error


def test_a_port_that_does_not_exist_is_refused_with_the_bound(senna):
    done = senna("serve", "--port", "70000")
    assert done.code == 2 and "65535" in done.err


def test_without_what_a_server_needs(senna, monkeypatch):
    """pip adds an extra to the package that is installed, with the versions that are safe."""
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "senna.serve.server", raising=False)
    assert senna("serve", "--port", "0").error.endswith(" Run: pip install 'senna[serve]'")


def test_small_answers_are_sent_at_once():
    """Asyncio switches Nagle's algorithm off only for sockets that name their protocol."""
    from senna.serve.server import _listen

    with _listen("127.0.0.1", 0) as listening:
        assert listening.proto == socket.IPPROTO_TCP
