"""`senna ensemble`: several models as one."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from senna.cli.options import Program

# `senna --help` imports this file: what the commands need is imported in them.

ensemble_app = Program(help="Several models as one.", no_args_is_help=True)


@ensemble_app.callback()
def _ensemble() -> None:
    """Several models as one."""


@ensemble_app.command("vote", epilog="Example: senna ensemble vote ner runs/ner --out voting")
def vote(
    models: Annotated[
        list[str],
        typer.Argument(metavar="MODEL", help="Runs or model folders, or one that ships (ner)."),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The new model folder.")],
) -> None:
    """Write a model that gives each word the tag of most of its members (section 6.4).

    The members are copied into it. Where two tags have as many votes, the first model decides.
    """
    from senna.training.copies import write_vote
    from senna.training.origin import origin_of

    command = shlex.join(["senna", *sys.argv[1:]])
    write_vote([origin_of(name) for name in models], out, command)
    typer.echo(f"{out}: a vote of {len(models)} models")
