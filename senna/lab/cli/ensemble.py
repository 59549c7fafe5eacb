"""`senna ensemble`: combine several models."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from senna.cli.options import DATA, DEV, FILES, TEST, Program, command_line, say
from senna.settings import Option

# `senna --help` imports this file: what the commands need is imported in them.

ensemble_app = Program(help="Combine several models.", no_args_is_help=True)


@ensemble_app.callback()
def _ensemble() -> None:
    """Combine several models."""


Models = Annotated[
    list[str],
    typer.Argument(
        metavar="MODEL",
        help="Runs, model folders or models of the package, for example ner.",
    ),
]
OUT = Option("The new model folder.", Path, short="-o", metavar="DIR", required=True)
JOIN = {
    "out": OUT,
    "train": Option("The training file. Default: the first model's data.", FILES, metavar="FILE"),
    "dev": DEV,
    "test": TEST,
    "columns": Option(
        "The columns of your files, for example word,pos,-,tag.", metavar="NAMES", default=""
    ),
    "data": DATA,
}


@ensemble_app.command(
    "vote", {"out": OUT}, epilog="Example: senna ensemble vote ner runs/ner --out voting"
)
def vote(models: Models, *, out: Path) -> None:
    """Write a model that gives each word the tag of most of its members (section 6.4).

    The members are copied into the new folder. The first model breaks ties.
    """
    from senna.lab.ensembles import write_vote
    from senna.training.start_from import origin_of

    write_vote([origin_of(name) for name in models], out, command_line())
    typer.echo(f"{out}: a vote of {len(models)} models")


@ensemble_app.command(
    "join",
    JOIN,
    epilog="Example: senna ensemble join ner runs/ner --train train.txt --dev dev.txt --out joined",
)
def join(models: Models, *, out: Path, **given: Any) -> None:
    """Write a model that tags by a trained linear layer over its members' scores (section 6.4).

    The members are copied into the new folder and do not change. The layer has its own transitions.
    """
    from senna.cli.train import stoppable
    from senna.training.start import import_torch
    from senna.training.start_from import origin_of

    with stoppable():
        import_torch()
        from senna.lab.ensemble_join import write_join

        write_join([origin_of(name) for name in models], out, command_line(), say=say, **given)
    typer.echo(f"{out}: a linear layer over {len(models)} models")
