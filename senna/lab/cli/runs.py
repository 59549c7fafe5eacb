"""`senna runs`: list training runs and draw their curves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from senna.cli.options import Program
from senna.settings import Option

# `senna --help` imports this file: what the commands need is imported in them.

runs_app = Program(help="List training runs and draw their curves.", no_args_is_help=True)


@runs_app.command("list", epilog="Example: senna runs list")
def list_runs(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the runs.")] = Path(
        "runs"
    ),
) -> None:
    """List runs: name, tasks, dev score of the model, epochs done and planned, seconds, state."""
    from senna.lab.records import runs_in

    records = runs_in(folder)
    typer.echo("name\ttasks\tdev\tepochs\tseconds\tstate")
    for record in records:
        name = record.path.relative_to(folder).as_posix()
        best = f"{record.best:.2f}" if record.dev else "-"
        epochs = f"{len(record.epochs)}/{record.planned}"
        cells = (name, ",".join(record.tasks), best, epochs, f"{record.seconds:.0f}", record.state)
        typer.echo("\t".join(cells))


OUT = Option(
    "The picture: .svg or .png.", Path, short="-o", metavar="FILE", default=Path("curves.svg")
)


@runs_app.command("plot", {"out": OUT}, epilog="Example: senna runs plot ner --out curves.svg")
def plot_runs(
    names: Annotated[
        list[str], typer.Argument(metavar="NAME", help="A run: runs/NAME, or a folder.")
    ],
    *,
    out: Path,
) -> None:
    """Draw the loss and the dev score of runs by epoch (pip install matplotlib)."""
    from senna.lab.records import records_of, write_curves

    write_curves([record for name in names for record in records_of(name)], out)
