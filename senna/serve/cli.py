"""`senna serve`: a page to try text on, and the same over HTTP for programs."""

from __future__ import annotations

import sys
from typing import Any

from senna.cli.terminal import report_no_kernel
from senna.settings import Option, switch

EXAMPLE = "Example: senna serve --model mine=runs/mine/model --jobs 4"


OPTIONS = {
    "host": Option(
        "The address to listen on; 0.0.0.0 is all.", metavar="HOST", default="127.0.0.1"
    ),
    "port": Option("The port; 0 takes any free one.", int, least=0, default=8080),
    "model": Option(
        "A model to publish under NAME beside those of the package. Repeatable.",
        list,
        metavar="NAME=DIR",
    ),
    "jobs": Option("The number of processes that tag.", int, least=1, default=1),
    "max_bytes": Option("The largest request, in bytes.", int, least=1, default=1_000_000),
    "timeout": Option(
        "The longest time for one request.", float, least=0.1, metavar="SECONDS", default=30.0
    ),
    "origin": Option("A site whose pages may send requests. Repeatable.", list, metavar="URL"),
    "quiet": switch("Hide the log of requests.", short="-q"),
}


def serve_command(
    *, model: list[str] | None, origin: list[str] | None, quiet: bool, **options: Any
) -> None:
    """Serve a page to try text on, and an interface for programs: see docs/serve.md.

    The command prints the address and runs until Ctrl-C or SIGTERM. It listens to this machine
    alone unless --host says otherwise.
    """
    from senna.errors import SennaError
    from senna.serve.server import serve
    from senna.serve.settings import PACKAGE, Settings

    if not quiet:
        report_no_kernel()
    models = {}
    for text in model or ():
        name, _, path = text.partition("=")
        if not name or not path or name in models or name == PACKAGE:
            remedy = "Example: --model mine=runs/mine/model"
            raise SennaError(
                f"{text!r} is not NAME=DIR of a new name", where="--model", remedy=remedy
            )
        models[name] = path
    settings = Settings(models=models, origins=tuple(origin or ()), quiet=quiet, **options)

    def say(address: str) -> None:
        sys.stdout.write(f"{address}\n")
        sys.stdout.flush()

    serve(settings, say)
