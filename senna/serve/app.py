"""The answers to requests, by path, and which requests are answered at all."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager, suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from senna.drawing.html import NO_SCRIPT
from senna.errors import SennaError, plain
from senna.serve.page import POLICY, interface, page
from senna.serve.requests import body_of, media_type, view_of_page, work_of
from senna.serve.work import Settings, Work
from senna.serve.workers import RefusedError, Workers
from senna.version import __version__

OPENAPI = Path(__file__).with_name("openapi.json")  # of this interface
AGAIN = "2"  # seconds after which a client that found too many before it may try again
HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
}


class App:
    """The paths of a server, answered by `workers`."""

    def __init__(self, workers: Workers, settings: Settings) -> None:
        self.workers, self.settings = workers, settings
        self.about = json.loads(OPENAPI.read_text(encoding="utf-8"))
        self.about["info"]["version"] = __version__
        routes = [
            Route("/", self.page, methods=["GET", "POST"]),
            Route("/view", Streamed(self, view_of_page), methods=["POST"]),
            Route("/v1/tag", Streamed(self, work_of), methods=["POST"]),
            Route("/v1/models", self.models),
            Route("/health", self.health),
            Route("/openapi.json", self.openapi),
            Route("/api", self.interface),
        ]
        handlers: Any = {HTTPException: _not_found, RefusedError: _refused, SennaError: _refused}
        self.asgi = Guard(Starlette(routes=routes, exception_handlers=handlers), settings)

    async def health(self, request: Request) -> Response:
        """Whether texts can be tagged, and how many requests there are."""
        state = self.workers.state
        ready = state["workers"] > 0
        return JSONResponse(
            {"status": "ok" if ready else "starting", **state}, 200 if ready else 503
        )

    async def models(self, request: Request) -> Response:
        """The published models, by name, with their tasks."""
        await asyncio.shield(self.workers.ready)
        models = [{"name": name, "tasks": tasks} for name, tasks in self.workers.tasks.items()]
        return JSONResponse({"models": models})

    async def openapi(self, request: Request) -> Response:
        """The description of this interface."""
        return JSONResponse(self.about)

    async def interface(self, request: Request) -> Response:
        """The same for people."""
        headers = {"content-security-policy": NO_SCRIPT}
        return HTMLResponse(interface(self.about, str(request.base_url)), headers=headers)

    async def page(self, request: Request) -> Response:
        """The page; as the answer to its form, without JavaScript, with the drawings in it."""
        await asyncio.shield(self.workers.ready)
        fields: dict[str, str] = {}
        drawn = error = ""
        status = 200
        if request.method == "POST":
            try:
                async with asyncio.timeout(self.settings.timeout):
                    body = await body_of(request, self.settings.max_bytes)
                    work = view_of_page(request, body)
                    fields = {"text": work.texts[0], "view": work.view, "other": work.other}
                    fields["model"] = work.options["model"]
                    async with aclosing(self.workers.stream(work)) as parts:
                        drawn = b"".join([part async for part, _ in parts]).decode()
            except (RefusedError, SennaError) as refused:
                error, status = str(refused), getattr(refused, "status", 400)
            except TimeoutError:
                error, status = "tagging took too long", 504
        text = page(self.workers.tasks, fields, drawn, error)
        headers = {"content-security-policy": POLICY, "cache-control": "no-cache"}
        return Response(text, status, headers, "text/html; charset=utf-8")


class Streamed:
    """A path whose answers are written as they are made; a client that leaves stops the work."""

    def __init__(self, app: App, read: Callable[[Request, str], Work]) -> None:
        self.app, self.read = app, read

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        settings = self.app.settings
        request = Request(scope, receive)
        started = False
        try:
            async with asyncio.timeout(settings.timeout):
                body = await body_of(request, settings.max_bytes)
                work = self.read(request, body)
                async with _leaving(receive), aclosing(self.app.workers.stream(work)) as parts:
                    async for message in _messages(parts, media_type(work)):
                        started = True
                        await send(message)
        except (RefusedError, SennaError, TimeoutError) as error:
            if started:
                raise _BrokenOffError from error
            slow = RefusedError(504, "the request took too long")
            answer = _refused(request, slow if isinstance(error, TimeoutError) else error)
            with suppress(ConnectionError):
                await answer(scope, receive, send)
        except (ClientDisconnect, ConnectionError):
            return


@asynccontextmanager
async def _leaving(receive: Receive) -> AsyncIterator[None]:
    """A context that is left with `ClientDisconnect` as soon as the client has gone."""
    task, gone = asyncio.current_task(), False
    assert task is not None

    async def watch() -> None:
        nonlocal gone
        while (await receive())["type"] != "http.disconnect":
            pass
        gone = True
        task.cancel()

    watcher = asyncio.create_task(watch())
    try:
        yield
    except asyncio.CancelledError:
        if not gone:
            raise
        task.uncancel()
        raise ClientDisconnect from None
    finally:
        watcher.cancel()


async def _messages(parts: AsyncIterator[tuple[bytes, bool]], kind: str) -> AsyncIterator[Any]:
    """The messages of ASGI for an answer; one of a single part has a length."""
    first, ended = await anext(parts)
    headers = [(b"content-type", kind.encode()), (b"cache-control", b"no-store")]
    if ended:
        headers.append((b"content-length", b"%d" % len(first)))
    yield {"type": "http.response.start", "status": 200, "headers": headers}
    yield {"type": "http.response.body", "body": first, "more_body": not ended}
    async for part, ended in parts:
        yield {"type": "http.response.body", "body": part, "more_body": not ended}


class _BrokenOffError(Exception):
    """An answer that cannot be finished: the server closes the connection, so that it shows."""


def _refused(request: Request, error: Any) -> Response:
    status = getattr(error, "status", 400)
    headers = {"retry-after": AGAIN} if status == 503 else {}
    return JSONResponse({"error": str(error)}, status, headers)


def _not_found(request: Request, error: Any) -> Response:
    return JSONResponse({"error": error.detail}, error.status_code, error.headers)


# --------------------------------------------------------------------------- hosts and origins


class Guard:
    """Checks Host and Origin of each request, adds headers for browsers, and writes the log.

    A site that another name leads to (DNS rebinding) may not read answers: hosts are numbers, which
    no site can have made its own, this machine's names, and those of `origins`. Pages of `origins`
    may send requests; those of all other sites may not.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.quiet = app, settings.quiet
        host, origins = settings.host, settings.origins
        self.origins = set()
        self.hosts = {"localhost", host.lower(), socket.gethostname().lower()} - {""}
        for origin in origins:
            parts = _parts(origin)
            if not parts.scheme or not parts.hostname:
                mend = "For example https://example.org:8080."
                raise SennaError(f"{origin!r:.80} is not an origin", where="--origin", mend=mend)
            self.origins.add(f"{parts.scheme}://{parts.netloc}".lower())  # a browser sends no path
            self.hosts.add(parts.hostname)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        began, status = time.perf_counter(), 0
        origin = headers.get("origin", "").lower()

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message.setdefault("headers", [])
                added = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    added.setdefault(name, value)
                if origin in self.origins:
                    added.update(
                        {
                            "access-control-allow-origin": origin,
                            "access-control-allow-headers": "content-type, accept",
                            "access-control-allow-methods": "GET, POST",
                            "vary": "origin",
                        }
                    )
            await send(message)

        try:
            refusal = self._refusal(headers.get("host", ""), origin)
            app = self.app
            if refusal:
                body = json.dumps({"error": refusal})
                app = Response(body, 403, media_type="application/json")
            elif scope["method"] == "OPTIONS" and origin in self.origins:
                app = Response(status_code=204)
            await app(scope, receive, answer)
        finally:
            if not self.quiet:
                self._log(scope, status, time.perf_counter() - began)

    def _refusal(self, host: str, origin: str) -> str:
        """Why a request is refused; "" if it is not."""
        is_host = host.isascii() and not set(host) & set("/?#@\\ ")
        name = (_parts(f"//{host}").hostname or "") if is_host else ""
        if name not in self.hosts and not _is_number(name):
            return f"the host {host!r:.80} is not this server's. Start it with --origin."
        if origin and origin not in self.origins and _parts(origin).netloc != host.lower():
            return f"pages of {origin!r:.80} may not ask. Start the server with --origin."
        return ""

    def _log(self, scope: Scope, status: int, seconds: float) -> None:
        """A line per request: neither text nor options are in it."""
        client = (scope.get("client") or ["-"])[0]
        said = (
            f"{client} {scope['method']} {scope['path']} {status or 'left'} {seconds * 1e3:.0f} ms"
        )
        sys.stderr.write(f"{time.strftime('%Y-%m-%dT%H:%M:%S')} {plain(said)}\n")


def _parts(address: str) -> SplitResult:
    """An address in its parts; they are empty if it is none."""
    try:
        return urlsplit(address)
    except ValueError:  # brackets without a number of IPv6
        return urlsplit("")


def _is_number(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
