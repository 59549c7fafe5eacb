"""A server from its settings: socket, workers, uvicorn."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from senna.errors import SennaError
from senna.model.folder import model_path, models_in
from senna.serve.work import Settings
from senna.serve.workers import Workers

GRACE = 5  # seconds for requests that run when the server has to end
QUEUE = 1_024  # connections that wait to be accepted


def serve(settings: Settings, say: Callable[[str], None]) -> None:
    """Answer requests until Ctrl-C or SIGTERM; `say` gets the address.

    Raises SennaError if the address is in use, a model is missing or the extra is not installed.
    """
    for model in settings.models.values():
        models_in(model_path(model))
    listening = _listen(settings.host, settings.port)
    with listening:
        asyncio.run(_serve(settings, listening, say))


def _listen(host: str, port: int) -> socket.socket:
    where = f"{host}:{port}"
    if port > 65_535:
        raise SennaError(f"{port} is not a port", where="--port", mend="Ports end at 65535.")
    try:
        [(family, _, _, _, address), *_] = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        # asyncio sends small answers at once only through sockets that name their protocol.
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    except (OSError, OverflowError) as error:
        raise SennaError(f"no address to listen at: {error}", where=where) from None
    try:
        if sys.platform != "win32":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(QUEUE)
    except (OSError, OverflowError) as error:
        listening.close()
        what = f"cannot listen: {getattr(error, 'strerror', None) or error}"
        raise SennaError(what, where=where, mend="Choose another --port; 0 takes any.") from None
    return listening


async def _serve(settings: Settings, listening: socket.socket, say: Callable[[str], None]) -> None:
    workers = Workers(settings.models, settings.jobs, settings.timeout)
    workers.start()
    await asyncio.sleep(0)  # the processes load while this one does
    try:
        await _listening(settings, listening, workers, say)
    finally:
        await workers.end()


async def _listening(
    settings: Settings, listening: socket.socket, workers: Workers, say: Callable[[str], None]
) -> None:
    try:
        import uvicorn

        from senna.serve.app import App
        from senna.serve.connections import Connection, most_connections
    except ImportError:
        mend = "Run: pip install starlette uvicorn"
        raise SennaError("a server needs Starlette and uvicorn", mend=mend) from None

    most = most_connections()
    http: Any = partial(Connection, seconds=settings.timeout, most=most)
    config = uvicorn.Config(
        App(workers, settings).asgi,
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
    server = uvicorn.Server(config)
    hang_up = getattr(signal, "SIGHUP", None)
    if hang_up is not None and signal.getsignal(hang_up) != signal.SIG_IGN:  # uvicorn has none
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(hang_up, signal.raise_signal, signal.SIGTERM)
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    say(f"http://{shown}:{port}")
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    await asyncio.wait({serving, workers.ready}, return_when=asyncio.FIRST_COMPLETED)
    if workers.ready.done() and workers.ready.exception():
        server.should_exit = True
        await serving
        workers.ready.result()
    if server.started:
        listening.listen(QUEUE)  # asyncio has set it to the number that it accepts at once
    await serving
