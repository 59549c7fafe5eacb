"""`senna match`: words and tags that match a pattern."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from senna.cli.terminal import note, progress_of, report_no_kernel, report_waiting
from senna.registry import INPUTS
from senna.settings import Option, switch

# `senna --help` imports this file: what the command needs is imported in it.

LARGE = 1_000_000  # bytes of text for which tagging takes longer than anybody waits twice
EXAMPLE = "Example: senna match '<ner=PER> * <pos=VB*>' data/sample.txt"


OPTIONS = {
    "format": Option(
        "context: one line per match, with the text around it; jsonl: one JSON object per match; "
        "counts: how often each text is matched.",
        choices=("context", "jsonl", "counts"),
        default="context",
    ),
    "context": Option("The characters of the sentence on either side.", int, least=0, default=40),
    "model": Option("The model that tags.", metavar="NAME|DIR"),
    "input": Option(
        "The format of the input. Default: what the suffix of the files says, else text.",
        choices=[*INPUTS],
    ),
    "column": Option("The column of a table that contains the text.", metavar="NAME"),
    "jobs": Option("The number of processes.", int, least=1, default=1),
    "quiet": switch("Hide the progress bar and notes on the input.", short="-q"),
}


def match_command(
    pattern: Annotated[
        str,
        typer.Argument(metavar="PATTERN", help="The words and tags to find.", show_default=False),
    ],
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE", help="The files; - is standard input.")
    ] = None,
    *,
    format: str,
    context: int,
    jobs: int,
    quiet: bool,
    **options: Any,
) -> None:
    """Find words and tags in text, or in files that are tagged already (.jsonl, .conllu, .ann).

    A pattern is a row of items: a word, <key=value> and * for any words. Keys are word, text and
    the tasks: <pos=VB*> is a token, <chunk=NP> a phrase. <srl=V @1> <srl=A1 @1> are a verb and a
    role of the same verb. The page docs/api.md has the rest. Without a match the exit code is 1.
    """
    import json
    import os

    from senna.errors import SennaError
    from senna.extras.search.search import as_record, counted, in_context, search
    from senna.files import ending
    from senna.formats.stored import STORED

    inputs = files or ["-"]
    if not quiet:
        report_waiting(inputs, "match", "text")
        raw = [file for file in inputs if ending(file) not in STORED]
        if raw:
            report_no_kernel()
        if sum(os.path.getsize(file) for file in raw if os.path.isfile(file)) > LARGE:
            remedy = "Tag the files once with senna tag --format jsonl, and search what it writes."
            note(SennaError("the text is tagged anew for each search", remedy=remedy).line)
    given = {name: value for name, value in options.items() if value is not None}
    matched = False
    with progress_of(inputs, sys.stdout.buffer, quiet) as move:
        hits = search(
            pattern, inputs, jobs=jobs, tell=lambda error: note(error.line), tagged=move, **given
        )
        if format == "counts":
            lines = (f"{count}\t{text}" for text, count in counted(hits))
        elif format == "jsonl":
            lines = (json.dumps(as_record(hit), ensure_ascii=False) for hit in hits)
        else:
            lines = (in_context(hit, context) for hit in hits)
        for line in lines:
            matched = True
            typer.echo(line.encode("utf-8", "surrogatepass"))
    if not matched:
        note(SennaError("no match").line)
        raise typer.Exit(1)
