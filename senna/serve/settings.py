"""Settings of the server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

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
