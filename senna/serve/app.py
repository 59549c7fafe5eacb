"""The answers to requests, by path, and which requests are answered at all."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from ipaddress import ip_address
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.config import STARTUP_FAILURE

from senna.drawing.html import NO_SCRIPT
from senna.errors import SennaError, plain
from senna.pipeline.workers import end_with_parent
from senna.serve.page import ASKED, EXAMPLE, POLICY, description, interface, page
from senna.serve.requests import RefusedError, Work, body_of, media_type, view_of_page, work_of
from senna.serve.settings import Settings, allowed, parts_of
from senna.serve.tagging import Tagger

QUEUE = 64  # requests that wait in a process
AGAIN = "2"  # seconds after which a client that found too many before it may try again
HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
}


def application(settings: Settings) -> ASGIApp:
    """Make the application of a process, which ends with its parent."""
    if hasattr(os, "setsid"):  # Ctrl-C is for the parent, which lets its processes finish
        os.setsid()
    end_with_parent()
    try:
        return App(settings).asgi
    except SennaError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(STARTUP_FAILURE)


class App:
    """The paths of a server. One thread tags: a part of each request that is there, in turn."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.tagger = Tagger(settings.models)
        self.thread, self.turn = ThreadPoolExecutor(1), asyncio.Lock()
        self.requests = 0  # that wait or are tagged
        self.tagger.answer(Work([EXAMPLE]))  # the usual tasks are ready
        self.example = self.tagger.answer(Work([EXAMPLE], view="names")).decode()
        routes = [
            Route("/", self.page, methods=["GET", "POST"]),
            Route("/view", self.view, methods=["POST"]),
            Route("/v1/tag", self.tag, methods=["POST"]),
            Route("/v1/models", self.models),
            Route("/health", self.health),
            Route("/openapi.json", self.openapi),
            Route("/api", self.interface),
        ]
        handlers: Any = {
            HTTPException: _not_found,
            RefusedError: _refused,
            SennaError: _refused,
            ClientDisconnect: _left,
            Exception: _failed,
        }
        self.asgi = Guard(Starlette(routes=routes, exception_handlers=handlers), settings)

    async def health(self, request: Request) -> Response:
        """The process that answers, and how many requests it has."""
        running = min(self.requests, 1)
        state = {"waiting": self.requests - running, "running": running}
        return JSONResponse(
            {"status": "ok", **state, "workers": self.settings.jobs, "process": os.getpid()}
        )

    async def models(self, request: Request) -> Response:
        """The published models, by name, with their tasks."""
        models = [{"name": name, "tasks": tasks} for name, tasks in self.tagger.tasks.items()]
        return JSONResponse({"models": models})

    async def openapi(self, request: Request) -> Response:
        """The description of this interface."""
        return JSONResponse(description())

    async def interface(self, request: Request) -> Response:
        """The same for people, with an answer."""
        headers = {"content-security-policy": f"{NO_SCRIPT};img-src data:"}
        work = Work([str(ASKED["text"])], options={"tasks": ASKED["tasks"]})
        answer = (await self.answer(request, work)).decode()
        limits = self.settings.max_bytes, self.settings.timeout
        return HTMLResponse(interface(str(request.base_url), answer, *limits), headers=headers)

    async def page(self, request: Request) -> Response:
        """The page; as the answer to its form, without JavaScript, with the drawings in it."""
        fields, drawn, error, status = {"text": EXAMPLE}, self.example, "", 200
        if request.method == "POST":
            fields, drawn = {}, ""
            try:
                work = view_of_page(request, await body_of(request, self.settings.max_bytes))
                fields = {"text": work.texts[0], "view": work.view, "other": work.other}
                fields["model"] = work.options["model"]
                drawn = (await self.answer(request, work)).decode()
            except (RefusedError, SennaError) as refused:
                error, status = str(refused), getattr(refused, "status", 400)
        text = page(self.tagger.tasks, fields, drawn, error)
        headers = {"content-security-policy": POLICY, "cache-control": "no-cache"}
        return Response(text, status, headers, "text/html; charset=utf-8")

    async def view(self, request: Request) -> Response:
        """The drawings of a text, for the page."""
        return await self.tagged(request, view_of_page)

    async def tag(self, request: Request) -> Response:
        """The tags of a text."""
        return await self.tagged(request, work_of)

    async def tagged(self, request: Request, read: Callable[[Request, str], Work]) -> Response:
        """The answer to a request; the client connects anew, to any process, where others wait."""
        work = read(request, await body_of(request, self.settings.max_bytes))
        answer = await self.answer(request, work)
        headers = {"cache-control": "no-store", "content-type": media_type(work)}
        if self.requests and self.settings.jobs > 1:
            headers["connection"] = "close"
        return Response(answer, headers=headers)

    async def answer(self, request: Request, work: Work) -> bytes:
        """Tag a text part by part, as long as the client is there and has time."""
        if self.requests > QUEUE:
            raise RefusedError(503, "too many requests wait")
        loop, steps, answer = asyncio.get_running_loop(), self.tagger.steps(work), None
        self.requests += 1
        try:
            while answer is None:
                async with self.turn:  # those that wait have one after the other
                    if await request.is_disconnected():
                        raise ClientDisconnect
                    answer = await loop.run_in_executor(self.thread, next, steps)
        finally:
            self.requests -= 1
        return answer


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


async def _refused(request: Request, error: Any) -> Response:
    status = getattr(error, "status", 400)
    if status == 413:
        return _TooLong({"error": str(error)}, status, {"connection": "close"})
    headers = {"retry-after": AGAIN} if status == 503 else {}
    return JSONResponse({"error": str(error)}, status, headers)


async def _not_found(request: Request, error: Any) -> Response:
    said = error.detail
    if error.status_code == 405:
        said = f"{request.method} is not answered here. Send {error.headers['Allow']}."
    return JSONResponse({"error": said}, error.status_code, error.headers)


async def _left(request: Request, error: Exception) -> Response:
    return Response(status_code=499)  # for the log, as nginx has it


async def _failed(request: Request, error: Exception) -> Response:
    traceback.print_exception(error)
    return JSONResponse({"error": "the program failed; its log says why"}, 500)


# --------------------------------------------------------------------------- hosts and origins


class Guard:
    """Checks Host and Origin of each request and its time, adds headers, and writes the log.

    A site that another name leads to (DNS rebinding) may not read answers: hosts are numbers, which
    no site can have made its own, this machine's names, and those of `origins`. Pages of `origins`
    may send requests; those of all other sites may not.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self.hosts, self.origins = allowed(settings)

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
            async with asyncio.timeout(self.settings.timeout):
                await app(scope, receive, answer)
        except TimeoutError:
            if status:  # the answer has begun: uvicorn closes the connection
                raise
            await JSONResponse({"error": "the request took too long"}, 504)(scope, receive, answer)
        finally:
            if not self.settings.quiet:
                self._log(scope, status, time.perf_counter() - began)

    def _refusal(self, host: str, origin: str) -> str:
        """Why a request is refused; "" if it is not."""
        is_host = host.isascii() and not set(host) & set("/?#@\\ ")
        name = (parts_of(f"//{host}").hostname or "") if is_host else ""
        if name not in self.hosts and not _is_number(name):
            remedy = f"Start it with --origin http://{host if name else 'HOST':.80}."
            return f"the host {host!r:.80} is not this server's. {remedy}"
        if origin and origin not in self.origins and parts_of(origin).netloc != host.lower():
            return f"pages of {origin!r:.80} may not ask. Start it with --origin {origin:.80}."
        return ""

    def _log(self, scope: Scope, status: int, seconds: float) -> None:
        """A line per request: neither text nor options are in it."""
        client = (scope.get("client") or ["-"])[0]
        said = (
            f"{client} {scope['method']} {scope['path']} {status or 'left'} {seconds * 1e3:.0f} ms"
        )
        sys.stderr.write(f"{time.strftime('%Y-%m-%dT%H:%M:%S')} {plain(said)}\n")


def _is_number(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
