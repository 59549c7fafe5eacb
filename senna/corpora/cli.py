"""`senna data`: list, download and find the corpora that models learn from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from senna.cli.options import Program, say
from senna.settings import Option

# `senna --help` imports this file: what the commands need is imported in them.

ABOUT = "List, download and find corpora to train and test on."
data_app = Program(help=ABOUT, no_args_is_help=True)

OPTIONS = {
    "data": Option(
        "The folder of corpora to search before $SENNA_DATA and the user's cache.",
        Path,
        metavar="DIR",
    )
}
NAME = typer.Argument(metavar="NAME", help="The corpus, for example ner/docred.")


@data_app.command("list", OPTIONS, epilog="Example: senna data list")
def list_corpora(*, data: Path | None) -> None:
    """List the corpora: splits, size of the download, licence, and folder."""
    from senna.corpora import store
    from senna.corpora.catalogue import read_catalogue

    typer.echo("name\tsplits\tsize\tlicence\tfolder")
    for name, corpus in read_catalogue().items():
        size = store.size_in_words(corpus.size) if corpus.sources else "-"
        path = store.lookup(name, data)
        absent = "not downloaded" if corpus.sources else "to be obtained, see docs/corpora.md"
        place = str(path) if path else absent
        typer.echo("\t".join([name, ",".join(corpus.splits), size, corpus.licence, place]))


@data_app.command("get", OPTIONS, epilog="Example: senna data get pos/ewt ner/docred")
def get_corpora(names: Annotated[list[str], NAME], *, data: Path | None) -> None:
    """Download and convert corpora that are missing; print their folders."""
    from senna.corpora import store

    for name in names:
        typer.echo(store.get(name, data, say=say, progress=True))


@data_app.command("path", OPTIONS, epilog="Example: senna data path ner/docred")
def corpus_path(name: Annotated[str, NAME], *, data: Path | None) -> None:
    """Print the folder of a downloaded corpus; the command downloads nothing."""
    from senna.corpora import store

    typer.echo(store.find(name, data))
