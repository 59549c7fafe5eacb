"""Silent connections, too many of them, and the end, for which uvicorn has no setting."""

from __future__ import annotations

import asyncio
import json
import signal
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.supervisors import Multiprocess

MOST = 1_024  # connections of a process
QUEUE = 1_024  # connections that wait to be accepted
SHARE = 2  # the least number of file descriptors per connection: one of them is for all else


def last_answer(status: str, error: str, *headers: str) -> bytes:
    """An answer with an error, which closes the connection."""
    body = json.dumps({"error": error}).encode()
    lines = [f"HTTP/1.1 {status}", "content-type: application/json", *headers, "connection: close"]
    return "\r\n".join([*lines, f"content-length: {len(body)}", "\r\n"]).encode() + body


FULL = last_answer("503 Service Unavailable", "too many connections", "retry-after: 2")


def most_connections() -> int:
    """The number of connections that leaves file descriptors for the rest of the program."""
    try:
        import resource
    except ImportError:  # Windows
        return MOST
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if files == resource.RLIM_INFINITY else min(MOST, files // SHARE)


class Connection(H11Protocol):
    """A connection that is closed where it sends no whole headers within `seconds`.

    Above `most` connections the answer is 503: after the request if it comes within a second, and
    at once where a quarter more are open.
    """

    def __init__(self, *arguments: Any, seconds: float, most: int, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.seconds, self.most, self.refused = seconds, most, False
        self.timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.refused = len(self.connections) > self.most
        if self.refused:
            transport.write(FULL)
            wait = len(self.connections) <= self.most + self.most // 4
            self.timer = self.loop.call_later(wait, transport.abort)
        else:
            self._wait()

    def data_received(self, data: bytes) -> None:
        if self.refused:
            self.transport.close()
        else:
            super().data_received(data)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP."""
        self.transport.write(last_answer("400 Bad Request", msg))
        self.transport.close()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self.timer is not None:
            self.timer.cancel()

    def _wait(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
        self.timer = self.loop.call_later(self.seconds, self._late)

    def _late(self) -> None:
        """Close a connection without a request; abort one whose client does not read the rest."""
        if self.transport.is_closing():
            self.transport.abort()
            return
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()
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
