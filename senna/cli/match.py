"""`senna match`: words and tags that match a pattern."""

from __future__ import annotations

from typing import Annotated

import typer

from senna.cli.options import choice
from senna.cli.terminal import report_waiting, tell
from senna.formats import INPUTS

# `senna --help` imports this file: what the command needs is imported in it.

EXAMPLE = "Example: senna match '<ner=PER> * <pos=VB*>' data/sample.txt"


def match_command(
    pattern: Annotated[
        str,
        typer.Argument(metavar="PATTERN", help="The words and tags to find.", show_default=False),
    ],
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE", help="The files; - is standard input.")
    ] = None,
    format_: Annotated[
        str,
        choice(
            ("context", "jsonl", "counts"),
            "--format",
            help="context: one line per match, with the text around it; jsonl: one JSON object per "
            "match; counts: how often each text is matched.",
        ),
    ] = "context",
    context: Annotated[
        int,
        typer.Option(min=0, metavar="N", help="The characters of the sentence on either side."),
    ] = 40,
    model: Annotated[
        str | None, typer.Option(metavar="NAME|DIR", help="The model that tags.")
    ] = None,
    input_: Annotated[
        str | None,
        choice(
            INPUTS,
            "--input",
            help="The format of the input. Default: what the suffix of the files says, else text.",
        ),
    ] = None,
    column: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The column of a table that contains the text."),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, metavar="N", help="The number of processes.")] = 1,
) -> None:
    """Find words and tags in text, or in files that are tagged already (.jsonl, .conllu).

    A pattern is a row of items: a word, <key=value> and * for any words. Keys are word, text and
    the tasks: <pos=VB*> is a token, <chunk=NP> a phrase. <srl=V @1> <srl=A1 @1> are a verb and a
    role of the same verb. The page docs/api.md has the rest.
    """
    import json

    from senna.matching import as_record, counted, in_context, search

    inputs = files or ["-"]
    report_waiting(inputs, "match", "text")
    options = {"model": model, "input": input_, "column": column}
    given = {name: value for name, value in options.items() if value is not None}
    hits = search(pattern, inputs, jobs=jobs, tell=tell, **given)
    if format_ == "counts":
        lines = (f"{count}\t{text}" for text, count in counted(hits))
    elif format_ == "jsonl":
        lines = (json.dumps(as_record(hit), ensure_ascii=False) for hit in hits)
    else:
        lines = (in_context(hit, context) for hit in hits)
    for line in lines:
        typer.echo(line.encode("utf-8", "surrogatepass"))
