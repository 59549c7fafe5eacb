"""`senna neighbors`: the nearest words of given words."""

from __future__ import annotations

from typing import Annotated

import typer

from senna.lab.vectors import MEASURES, SOURCE
from senna.options import Option, switch

# `senna --help` imports this file: what the command needs is imported in it.

EXAMPLE = "Example: senna neighbors france jesus xbox reddish scratched megabits"
OPTIONS = {
    "vectors": Option(SOURCE, metavar="V", default="base"),
    "by": Option(
        "The measure of distance (the paper: euclidean).", choices=MEASURES, default="cosine"
    ),
    "number": Option(
        "The number of neighbours per word.", int, least=1, short="-n", metavar="N", default=10
    ),
    "distances": switch("Add the cosines or distances."),
    "format": Option(
        "An aligned table, tab-separated columns, or JSON with one word per line.",
        choices=("table", "tsv", "jsonl"),
        default="table",
    ),
}


def neighbors_command(
    words: Annotated[list[str], typer.Argument(metavar="WORD", show_default=False)],
    *,
    vectors: str,
    by: str,
    number: int,
    distances: bool,
    format: str,
) -> None:
    """Print the nearest words of each WORD: one column per word, below its rank in the table.

    A word is looked up as given, then in lower case with each run of digits replaced by 0.
    """
    from senna.lab.vectors.neighbours import aligned, as_json, as_table, nearest
    from senna.vectors.read import load_vectors

    table = load_vectors(vectors)
    neighbours = nearest(table, words, number, by, where=vectors)
    if format == "jsonl":
        lines = [as_json(table, item, by) for item in neighbours]
    elif format == "tsv":
        lines = ["\t".join(row) for row in as_table(table, neighbours, distances)]
    else:
        lines = aligned(as_table(table, neighbours, distances))
    typer.echo("".join(line + "\n" for line in lines).encode("utf-8"), nl=False)
