"""A web server on this machine that hands out made-up files, well and badly."""

import hashlib
import socket
import threading
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from senna.corpora.catalogue import SourceFile


class Server:
    """`files` are handed out by path; `asked` are the paths that were asked for."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.files: dict[str, bytes] = {}
        self.asked: list[str] = []

    def put(self, name: str, content: bytes) -> SourceFile:
        """Hand out `content`, and say so as the catalogue does."""
        self.files["/" + name] = content
        digest = "sha256:" + hashlib.sha256(content).hexdigest()
        return SourceFile(name, f"{self.address}/{name}", digest, len(content))


@pytest.fixture
def server() -> Iterator[Server]:
    """A path that starts with /short breaks off half-way, /silent ends without an answer."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            web_server.asked.append(self.path)
            content = web_server.files.get(self.path)
            if self.path.startswith("/silent"):
                self.close_connection = True
                return
            if content is None:
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            half = self.path.startswith("/short")
            self.wfile.write(content[: len(content) // 2] if half else content)

        def log_message(self, format: str, *args: object) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    web_server = Server(f"http://127.0.0.1:{http.server_port}")
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield web_server
    http.shutdown()
    thread.join()
    http.server_close()


@pytest.fixture
def raw_server() -> Iterator[Callable[[Iterable[bytes], float], str]]:
    """Answers every request with the same bytes, piece by piece; given them, it is an address."""
    stop = threading.Event()
    threads: list[threading.Thread] = []
    listening = socket.create_server(("127.0.0.1", 0))
    listening.settimeout(0.01)
    address = f"http://127.0.0.1:{listening.getsockname()[1]}/file"

    def answer(pieces: Iterable[bytes], pause: float) -> None:
        while not stop.is_set():
            with suppress(OSError), listening.accept()[0] as connection:
                connection.settimeout(0.2)
                connection.recv(1 << 16)
                for piece in pieces:
                    if stop.is_set():
                        break
                    connection.sendall(piece)
                    stop.wait(pause)

    def start(pieces: Iterable[bytes], pause: float = 0) -> str:
        threads.append(threading.Thread(target=answer, args=(pieces, pause)))
        threads[-1].start()
        return address

    yield start
    stop.set()
    for thread in threads:
        thread.join()
    listening.close()


@pytest.fixture
def small() -> Iterator[None]:
    """What a test does stays small: no file longer than a megabyte, no more than five of memory."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, hard))
    tracemalloc.start()
    yield
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert most < 5_000_000


@pytest.fixture(autouse=True)
def no_data_of_the_user(tmp_path, monkeypatch) -> None:
    """Tests neither see nor touch the corpora of whoever runs them, nor a proxy."""
    monkeypatch.delenv("SENNA_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("no_proxy", "*")
