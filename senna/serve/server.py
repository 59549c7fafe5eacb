"""A server from its settings: a socket, and uvicorn with some processes that answer at it.

uvicorn has no setting against silent connections and too many of them: see `Connection`.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from senna.errors import SennaError
from senna.model.folder import model_path, models_in
from senna.pipeline.workers import end_with_parent
from senna.serve.cli import Settings

try:
    import starlette  # noqa: F401
    import uvicorn
    from uvicorn.config import STARTUP_FAILURE
    from uvicorn.protocols.http.h11_impl import H11Protocol
    from uvicorn.supervisors import Multiprocess
except ImportError:
    remedy = "Run: pip install 'senna[serve]'"
    raise SennaError("a server needs Starlette and uvicorn", remedy=remedy) from None

GRACE = 5  # seconds for requests that run when the server has to end
MOST = 1_024  # connections of a process
QUEUE = 1_024  # connections that wait to be accepted
AGAIN = "2"  # seconds after which a client that found too many before it may try again
# One thread per process: tags then do not depend on the machine, and --jobs is what uses cores.
# glibc would keep the memory of the largest texts that a process has seen, 15 MB of arrays.
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": "1000000",
    "MALLOC_TRIM_THRESHOLD_": "2000000",
}


def serve(settings: Settings, say: Callable[[str], None]) -> None:
    """Answer requests until Ctrl-C or SIGTERM; `say` gets the address.

    Raises SennaError if the address is in use, or a model is missing.
    """
    from senna.serve.app import allowed

    allowed(settings)
    for model in filter(None, settings.models.values()):
        models_in(model_path(model))
    os.environ.update(ENVIRONMENT)
    most = most_connections()
    http: Any = partial(Connection, seconds=settings.timeout, most=most)
    config = uvicorn.Config(
        partial(_application, settings),
        factory=True,
        workers=settings.jobs,
        http=http,
        backlog=most // 8,  # all of these may be accepted before one of them is refused
        log_config=None,
        access_log=False,
        log_level="critical",
        lifespan="off",
        ws="none",
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE,
    )
    with _listen(settings.host, settings.port) as listening:
        host, port = listening.getsockname()[:2]
        processes = Processes(config, [listening])
        say(f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}")
        processes.run()
    if not processes.ended:
        raise SystemExit(2)  # a process could not load its models, and has said so
    default = signal.default_int_handler if processes.ended == signal.SIGINT else signal.SIG_DFL
    signal.signal(processes.ended, default)
    signal.raise_signal(processes.ended)


def _application(settings: Settings) -> Any:
    """Make the application of a process, which ends with its parent."""
    if hasattr(os, "setsid"):  # Ctrl-C is for the parent, which lets its processes finish
        os.setsid()
    end_with_parent()
    from senna.serve.app import App

    try:
        return App(settings).asgi
    except SennaError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(STARTUP_FAILURE)


def _listen(host: str, port: int) -> socket.socket:
    what = "no address to listen at"
    try:
        [(family, _, _, _, address), *_] = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        # asyncio sends small answers at once only through sockets that name their protocol.
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        what = "cannot listen"
        if sys.platform != "win32":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address[0], port, *address[2:]))  # which refuses numbers above 65535
        listening.listen(QUEUE)
    except (OSError, OverflowError) as error:
        what = f"{what}: {getattr(error, 'strerror', None) or error}"
        remedy = "Choose another --host or --port; port 0 is any that is free."
        raise SennaError(what, where=f"{host}:{port}", remedy=remedy) from None
    return listening


# --------------------------------------------------------------------------- connections


def most_connections() -> int:
    """The number of connections that leaves half of the file descriptors for all else."""
    try:
        import resource
    except ImportError:  # Windows
        return MOST
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if files == resource.RLIM_INFINITY else min(MOST, files // 2)


class Connection(H11Protocol):
    """A connection that is closed where it sends no whole headers within `seconds`.

    Above `most` connections the answer is 503: after the request if it comes within a second, and
    at once where a quarter more are open.
    """

    def __init__(self, *arguments: Any, seconds: float, most: int, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.seconds, self.most, self.refused = seconds, most, False
        self.timer: Any = None
        self.sending: Any = None  # the request whose answer was being sent when time was up

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        excess = len(self.connections) - self.most
        if excess > 0:
            self.refused = True
            self.send_error("503 Service Unavailable", "too many connections")
            self.timer = self.loop.call_later(excess <= self.most // 4, transport.abort)
        else:
            self.timer = self.loop.call_later(self.seconds, self._late)

    def data_received(self, data: bytes) -> None:
        if self.refused:
            self.transport.close()
        else:
            super().data_received(data)

    def send_error(self, status: str, error: str) -> None:
        """Answer with an error as JSON; the connection is to be closed."""
        body = json.dumps({"error": error})
        lines = [f"HTTP/1.1 {status}", "content-type: application/json", f"retry-after: {AGAIN}"]
        end = f"connection: close\r\ncontent-length: {len(body)}\r\n\r\n{body}"
        self.transport.write("\r\n".join([*lines, end]).encode())

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP."""
        self.send_error("400 Bad Request", msg)
        self.transport.close()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.timer.cancel()

    def _wait(self) -> None:
        self.timer.cancel()
        self.timer = self.loop.call_later(self.seconds, self._late)

    def _late(self) -> None:
        """Close a connection without a request; abort one whose client does not read its answer."""
        running = self.cycle is not None and not self.cycle.response_complete
        sending = self.cycle if running and self.cycle.response_started else None
        if self.transport.is_closing() or (sending and sending is self.sending):
            self.transport.abort()
        elif not running:
            self.transport.close()
        self.sending = sending
        self._wait()


class Processes(Multiprocess):
    """The processes of a server; `ended` is the signal that ended them, or 0."""

    def __init__(self, *arguments: Any) -> None:
        hang_up = getattr(signal, "SIGHUP", None)
        ignored = hang_up is not None and signal.getsignal(hang_up) == signal.SIG_IGN
        super().__init__(*arguments)
        if hang_up is not None and ignored:  # by nohup
            signal.signal(hang_up, signal.SIG_IGN)
        self.ended = 0

    def handle_int(self) -> None:
        """End on Ctrl-C."""
        self.ended = signal.SIGINT
        self.should_exit.set()

    def handle_term(self) -> None:
        """End on SIGTERM, and on SIGHUP, at which uvicorn would start anew."""
        self.ended = signal.SIGTERM
        self.should_exit.set()

    handle_hup = handle_term

    def keep_subprocess_alive(self) -> None:
        """Replace processes that have ended, and let as many connections wait as before them."""
        super().keep_subprocess_alive()
        self.sockets[0].listen(QUEUE)  # asyncio sets it to the number that it accepts at once
