"""`senna neighbors`: the nearest words of given words."""

from __future__ import annotations

from typing import Annotated

import typer

from senna.cli.options import choice
from senna.lab.vectors import MEASURES

# `senna --help` imports this file: what the command needs is imported in it.

EXAMPLE = "Example: senna neighbors france jesus xbox reddish scratched megabits"


def neighbors_command(
    words: Annotated[list[str], typer.Argument(metavar="WORD", show_default=False)],
    vectors: Annotated[
        str,
        typer.Option(metavar="V", help="A file, a folder or a model; base is the package's table."),
    ] = "base",
    by: Annotated[
        str, choice(MEASURES, help="The measure of distance (the paper: euclidean).")
    ] = "cosine",
    number: Annotated[
        int,
        typer.Option(
            "--number", "-n", min=1, metavar="N", help="The number of neighbours per word."
        ),
    ] = 10,
    distances: Annotated[
        bool, typer.Option("--distances", help="Add the cosines or distances.")
    ] = False,
    format_: Annotated[
        str,
        choice(
            ("table", "tsv", "jsonl"),
            "--format",
            help="An aligned table, tab-separated columns, or JSON with one word per line.",
        ),
    ] = "table",
) -> None:
    """Print the nearest words of each WORD: one column per word, below its rank in the table.

    A word is looked up as given, then in lower case with each run of digits replaced by 0.
    """
    from senna.lab.vectors.neighbours import aligned, as_json, as_table, nearest
    from senna.vectors.read import load_vectors

    table = load_vectors(vectors)
    neighbours = nearest(table, words, number, by, where=vectors)
    if format_ == "jsonl":
        lines = [as_json(table, item, by) for item in neighbours]
    elif format_ == "tsv":
        lines = ["\t".join(row) for row in as_table(table, neighbours, distances)]
    else:
        lines = aligned(as_table(table, neighbours, distances))
    typer.echo("".join(line + "\n" for line in lines).encode("utf-8"), nl=False)
