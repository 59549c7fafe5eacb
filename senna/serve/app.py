"""The answers to requests, by path, and which requests are answered at all."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import sys
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from threading import Event
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from senna.errors import SennaError, plain
from senna.serve.cli import Settings
from senna.serve.page import API, EXAMPLE, PAGE, description, page, policy
from senna.serve.requests import Work, body_of, media_type, view_of_page, work_of
from senna.serve.server import AGAIN
from senna.serve.tagging import Tagger

QUEUE = 64  # requests that wait in a process
LOOK = 0.5  # seconds after which it is looked whether a client is still there
TURNS = 2  # requests that are tagged at a time: a short text passes a long one
HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
}


class App:
    """The paths of a server. A few requests are tagged at a time, in threads; the others wait."""

    def __init__(self, settings: Settings) -> None:
        self.settings, self.tagger = settings, Tagger(settings.models)
        self.turns = ThreadPoolExecutor(TURNS)
        self.requests = 0  # that wait or are tagged
        self.tagger.answer(Work([EXAMPLE]))  # the usual tasks are ready
        tasks, drawn = self.tagger.tasks, self.tagger.answer(Work([EXAMPLE], view="names"))
        models = [{"name": name, "tasks": own} for name, own in tasks.items()]
        csp = "content-security-policy"
        start = {csp: policy(PAGE), "cache-control": "no-cache"}
        routes = [
            Route("/", HTMLResponse(page(tasks, drawn), headers=start), methods=["GET"]),
            Route("/view", partial(self.tagged, read=view_of_page), methods=["POST"]),
            Route("/v1/tag", partial(self.tagged, read=work_of), methods=["POST"]),
            Route("/v1/models", JSONResponse({"models": models}), methods=["GET"]),
            Route("/health", self.health),
            Route("/openapi.json", JSONResponse(description()), methods=["GET"]),
            Route("/api", HTMLResponse(API, headers={csp: policy(API)}), methods=["GET"]),
        ]
        handlers: Any = {
            HTTPException: _refused,
            SennaError: lambda request, error: _error(400, str(error)),
            TimeoutError: lambda request, error: _error(504, "the request took too long"),
            ClientDisconnect: lambda request, error: Response(status_code=499),  # as nginx logs it
            Exception: _failed,
        }
        _, origins = allowed(settings)
        shared = Middleware(
            CORSMiddleware, allow_origins=sorted(origins), allow_methods=["GET", "POST"],
            allow_headers=["content-type"],
        )  # fmt: skip
        app = Starlette(routes=routes, exception_handlers=handlers, middleware=[shared])
        self.asgi = Guard(app, settings)

    async def health(self, request: Request) -> Response:
        """The process that answers, and how many requests it has."""
        running = min(self.requests, TURNS)
        state = {"waiting": self.requests - running, "running": running}
        about = {"status": "ok", **state, "workers": self.settings.jobs, "process": os.getpid()}
        return JSONResponse(about)

    async def tagged(self, request: Request, read: Callable[[Request, str], Work]) -> Response:
        """Read a request and answer it, in time."""
        async with asyncio.timeout(self.settings.timeout):
            work = read(request, await body_of(request, self.settings.max_bytes))
            answer = await self.answer(request, work)
        headers = {"cache-control": "no-store", "content-type": media_type(work)}
        if self.requests and self.settings.jobs > 1:  # the client goes to any process then
            headers["connection"] = "close"
        return Response(answer, headers=headers)

    async def answer(self, request: Request, work: Work) -> bytes:
        """Tag a text in a thread, which stops at the next sentences without time or client."""
        if self.requests >= QUEUE + TURNS:
            raise HTTPException(503, "too many requests wait", {"retry-after": AGAIN})
        stopped, loop = Event(), asyncio.get_running_loop()
        tagging = loop.run_in_executor(self.turns, self.tagger.answer, work, stopped.is_set)
        self.requests += 1
        try:
            while not (await asyncio.wait([tagging], timeout=LOOK))[0]:
                if await request.is_disconnected():
                    raise ClientDisconnect
            return tagging.result()
        finally:
            self.requests -= 1
            tagging.cancel()
            stopped.set()


# --------------------------------------------------------------------------- errors


def _error(status: int, reason: str) -> Response:
    return JSONResponse({"error": reason}, status)


async def _refused(request: Request, error: Any) -> Response:
    said = error.detail
    if error.status_code == 405:
        said = f"{request.method} is not answered here. Send {error.headers['Allow']}."
    kind = _TooLong if error.status_code == 413 else JSONResponse
    return kind({"error": said}, error.status_code, error.headers)


async def _failed(request: Request, error: Exception) -> Response:
    traceback.print_exception(error)
    return _error(500, "the program failed; its log says why")


class _TooLong(JSONResponse):
    """An answer to a client that may still send: one that has to send all first would be reset."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def unfinished(message: Message) -> None:
            await send({**message, "more_body": True})

        await super().__call__(scope, receive, unfinished)
        with suppress(ClientDisconnect):
            async for _ in Request(scope, receive).stream():
                pass
        await send({"type": "http.response.body"})


# --------------------------------------------------------------------------- hosts and origins

NUMBER = r"\[[\da-f.]*:[\da-f:.]*\]|[\d.]+"  # of a host, which no site can have made its own
HOST = re.compile(rf"(?P<host>{NUMBER}|[\w.-]+)(:\d*)?", re.ASCII)
ORIGIN = re.compile(rf"(?P<origin>[a-z][a-z\d+.-]*://{HOST.pattern})(/.*)?", re.ASCII)


class Guard:
    """Checks Host and Origin of each request, adds headers, and writes the log.

    A site that another name leads to (DNS rebinding) may not read answers: hosts are numbers, this
    machine's names, and those of `origins`. Pages of `origins` may send requests; those of all
    other sites may not.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.quiet = app, settings.quiet
        self.hosts, self.origins = allowed(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        began, status = time.perf_counter(), 0

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                added = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    added.setdefault(name, value)
            await send(message)

        reason = self._refusal(headers.get("host", "").lower(), headers.get("origin", "").lower())
        try:
            await (_error(403, reason) if reason else self.app)(scope, receive, answer)
        finally:
            if not self.quiet:  # neither text nor options are in the log
                client, ms = (scope.get("client") or "-")[0], (time.perf_counter() - began) * 1e3
                said = f"{client} {scope['method']} {scope['path']} {status or 'left'} {ms:.0f} ms"
                sys.stderr.write(f"{time.strftime('%Y-%m-%dT%H:%M:%S')} {plain(said)}\n")

    def _refusal(self, host: str, origin: str) -> str:
        """Why a request is refused; "" if it is not."""
        name = HOST.fullmatch(host)
        if not name or not (name["host"] in self.hosts or re.fullmatch(NUMBER, name["host"])):
            remedy = f"Start it with --origin http://{host if name else 'HOST':.80}."
            return f"the host {host!r:.80} is not this server's. {remedy}"
        if origin and origin not in self.origins and origin.partition("://")[2] != host:
            return f"pages of {origin!r:.80} may not ask. Start it with --origin {origin:.80}."
        return ""


def allowed(settings: Settings) -> tuple[set[str], set[str]]:
    """The hosts by whose names a server is asked, and the origins whose pages may ask."""
    hosts, origins = {"localhost", settings.host.lower(), socket.gethostname().lower()}, set()
    for origin in settings.origin or ():
        parts = ORIGIN.fullmatch(origin.lower())
        if not parts:
            remedy = "For example https://example.org:8080."
            raise SennaError(f"{origin!r:.80} is not an origin", where="--origin", remedy=remedy)
        origins.add(parts["origin"])  # a browser sends no path
        hosts.add(parts["host"])
    return hosts, origins
