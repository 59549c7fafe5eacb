"""Middleware: allowed hosts and origins, security headers, log."""

from __future__ import annotations

import json
import socket
import sys
import time
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Any
from urllib.parse import SplitResult, urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from senna.errors import SennaError, plain

HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
}


class Guard:
    """Checks Host and Origin of each request, adds headers for browsers, and writes the log.

    A site that another name leads to (DNS rebinding) may not read answers: hosts are numbers, which
    no site can have made its own, this machine's names, and those of `origins`. Pages of `origins`
    may send requests; those of all other sites may not.
    """

    def __init__(self, app: ASGIApp, host: str, origins: Sequence[str], quiet: bool) -> None:
        self.app, self.quiet = app, quiet
        self.origins = {origin.rstrip("/").lower() for origin in origins}
        self.hosts = {"localhost", host.lower(), socket.gethostname().lower()} - {""}
        for origin in origins:
            parts = _parts(origin)
            if not parts.scheme or not parts.hostname:
                mend = "For example https://example.org:8080."
                raise SennaError(f"{origin!r:.80} is not an origin", where="--origin", mend=mend)
            self.hosts.add(parts.hostname)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        began, status = time.perf_counter(), 0
        origin = headers.get("origin", "").lower()

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = self._with(message.get("headers", []), origin)
            await send(message)

        try:
            refusal = self._refusal(headers.get("host", ""), origin)
            if refusal:
                await _refuse(answer, refusal)
            elif scope["method"] == "OPTIONS" and origin in self.origins:
                await answer({"type": "http.response.start", "status": 204, "headers": []})
                await answer({"type": "http.response.body"})
            else:
                await self.app(scope, receive, answer)
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

    def _with(self, headers: Sequence[tuple[bytes, bytes]], origin: str) -> list[Any]:
        present = {name.lower() for name, _ in headers}
        more = {name: value for name, value in HEADERS.items() if name.encode() not in present}
        if origin in self.origins:
            more |= {
                "access-control-allow-origin": origin,
                "access-control-allow-headers": "content-type, accept",
                "access-control-allow-methods": "GET, POST",
                "vary": "origin",
            }
        return [
            *headers,
            *((name.encode(), value.encode("latin-1")) for name, value in more.items()),
        ]

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


async def _refuse(send: Send, reason: str) -> None:
    body = json.dumps({"error": reason}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": body})
