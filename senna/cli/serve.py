"""`senna serve`: a page to try text on, and the same over HTTP for programs."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from senna.cli.terminal import report_no_kernel

EXAMPLE = "Example: senna serve --model mine=runs/mine/model --jobs 4"


def serve_command(
    host: Annotated[
        str,
        typer.Option("--host", metavar="HOST", help="The address to listen on; 0.0.0.0 is all."),
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, metavar="N", help="The port; 0 takes any free one.")
    ] = 8080,
    model: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=DIR",
            help="A model to publish under NAME beside those of the package. Repeatable.",
        ),
    ] = None,
    jobs: Annotated[
        int, typer.Option(min=1, metavar="N", help="The number of processes that tag.")
    ] = 1,
    max_bytes: Annotated[
        int, typer.Option(min=1, metavar="N", help="The largest request, in bytes.")
    ] = 1_000_000,
    timeout: Annotated[
        float, typer.Option(min=0.1, metavar="SECONDS", help="The longest time for one request.")
    ] = 30.0,
    origin: Annotated[
        list[str] | None,
        typer.Option(metavar="URL", help="A site whose pages may send requests. Repeatable."),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Hide the log of requests.")] = False,
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
            mend = "Example: --model mine=runs/mine/model"
            raise SennaError(f"{text!r} is not NAME=DIR of a new name", where="--model", mend=mend)
        models[name] = path
    settings = Settings(host, port, models, jobs, max_bytes, timeout, tuple(origin or ()), quiet)

    def say(address: str) -> None:
        sys.stdout.write(f"{address}\n")
        sys.stdout.flush()

    serve(settings, say)
