"""A server from its settings: a socket, and uvicorn with some processes that answer at it."""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from senna.errors import SennaError
from senna.model.folder import model_path, models_in
from senna.serve.settings import Settings, allowed

GRACE = 5  # seconds for requests that run when the server has to end
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

    Raises SennaError if the address is in use, a model is missing or the extra is not installed.
    """
    try:
        import uvicorn

        from senna.serve.connections import QUEUE, Connection, Processes, most_connections
    except ImportError:
        remedy = "Run: pip install starlette uvicorn"
        raise SennaError("a server needs Starlette and uvicorn", remedy=remedy) from None
    for model in settings.models.values():
        models_in(model_path(model))
    allowed(settings)
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
    with _listen(settings.host, settings.port, QUEUE) as listening:
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
    from senna.serve.app import application  # in a process of its own

    return application(settings)


def _listen(host: str, port: int, queue: int) -> socket.socket:
    where = f"{host}:{port}"
    if port > 65_535:
        raise SennaError(f"{port} is not a port", where="--port", remedy="Ports end at 65535.")
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
        listening.listen(queue)
    except (OSError, OverflowError) as error:
        listening.close()
        what = f"cannot listen: {getattr(error, 'strerror', None) or error}"
        raise SennaError(what, where=where, remedy="Choose another --port; 0 takes any.") from None
    return listening
