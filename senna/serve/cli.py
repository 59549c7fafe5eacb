"""`senna serve`: a page to try text on, and the same over HTTP for programs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

from senna.cli.terminal import report_no_kernel
from senna.errors import SennaError
from senna.settings import Option, number, options_of

EXAMPLE = "Example: senna serve --model mine=runs/mine/model --jobs 4"
PACKAGE = "senna"  # the name under which the models of the package are published


@dataclass(frozen=True)
class Settings:
    """The settings of a server."""

    host: Annotated[str, Option("The address to listen on; 0.0.0.0 is all.", metavar="HOST")] = (
        "127.0.0.1"
    )
    port: Annotated[int, number(0, 65_535, help="The port; 0 takes any free one.")] = 8080
    model: Annotated[
        Sequence[str] | None,
        Option(
            "A model to publish under NAME beside those of the package. Repeatable.",
            list,
            metavar="NAME=DIR",
        ),
    ] = None
    jobs: Annotated[int, number(1, help="The number of processes that tag.")] = 1
    max_bytes: Annotated[int, number(1, help="The largest request, in bytes.")] = 1_000_000
    timeout: Annotated[
        float, number(0.1, help="The longest time for one request.", metavar="SECONDS")
    ] = 30.0
    origin: Annotated[
        Sequence[str] | None,
        Option("A site whose pages may send requests. Repeatable.", list, metavar="URL"),
    ] = None
    quiet: Annotated[bool, Option("Hide the log of requests.", short="-q")] = False

    @cached_property
    def models(self) -> dict[str, str | None]:
        """The published models by name, each as it is named to `senna.load`."""
        models: dict[str, str | None] = {PACKAGE: None}
        for text in self.model or ():
            name, _, path = text.partition("=")
            if not name or not path or name in models:
                what, remedy = f"{text!r} is not NAME=DIR of a new name", "Example: mine=runs/mine"
                raise SennaError(what, where="--model", remedy=remedy)
            models[name] = path
        return models


OPTIONS = options_of(Settings)


def serve_command(**options: Any) -> None:
    """Serve a page to try text on, and an interface for programs: see docs/serve.md.

    The command prints the address and runs until Ctrl-C or SIGTERM. It listens to this machine
    alone unless --host says otherwise.
    """
    from senna.serve.server import serve

    settings = Settings(**options)
    if not settings.quiet:
        report_no_kernel()

    def say(address: str) -> None:
        sys.stdout.write(f"{address}\n")
        sys.stdout.flush()

    serve(settings, say)
