"""Settings of a server, and whom it answers."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit

from senna.errors import SennaError

PACKAGE = "senna"  # the name under which the models of the package are published


@dataclass(frozen=True)
class Settings:
    """The settings of a server: see `senna serve --help`."""

    host: str = "127.0.0.1"
    port: int = 8080  # 0: any that is free
    models: Mapping[str, str] = field(default_factory=dict)  # by published name: a name or a folder
    jobs: int = 1  # processes
    max_bytes: int = 1_000_000  # of a request
    timeout: float = 30.0  # seconds for a request
    origins: tuple[str, ...] = ()  # of other sites whose pages may send requests
    quiet: bool = False  # without a log of requests


def allowed(settings: Settings) -> tuple[set[str], set[str]]:
    """The hosts by whose names this server is asked, and the origins whose pages may ask."""
    origins = set()
    hosts = {"localhost", settings.host.lower(), socket.gethostname().lower()} - {""}
    for origin in settings.origins:
        parts = parts_of(origin)
        if not parts.scheme or not parts.hostname:
            remedy = "For example https://example.org:8080."
            raise SennaError(f"{origin!r:.80} is not an origin", where="--origin", remedy=remedy)
        origins.add(f"{parts.scheme}://{parts.netloc}".lower())  # a browser sends no path
        hosts.add(parts.hostname)
    return hosts, origins


def parts_of(address: str) -> SplitResult:
    """An address in its parts; they are empty if it is none."""
    try:
        return urlsplit(address)
    except ValueError:  # brackets without a number of IPv6
        return urlsplit("")
