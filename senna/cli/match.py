"""`senna match`: words and tags that match a pattern."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from senna.cli.options import choice
from senna.cli.terminal import Done, advance, progress_of, report_no_kernel, report_waiting, tell
from senna.formats import INPUTS

if TYPE_CHECKING:
    from senna.matching import Hit

# `senna --help` imports this file: what the command needs is imported in it.

LARGE = 1_000_000  # bytes of text for which tagging takes longer than anybody waits twice
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
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Hide the progress bar and notes on the input.")
    ] = False,
) -> None:
    """Find words and tags in text, or in files that are tagged already (.jsonl, .conllu).

    A pattern is a row of items: a word, <key=value> and * for any words. Keys are word, text and
    the tasks: <pos=VB*> is a token, <chunk=NP> a phrase. <srl=V @1> <srl=A1 @1> are a verb and a
    role of the same verb. The page docs/api.md has the rest. Without a match the exit code is 1.
    """
    import json
    import os

    from senna.errors import SennaError
    from senna.matching import STORED, as_record, counted, in_context, search

    inputs = files or ["-"]
    if not quiet:
        report_waiting(inputs, "match", "text")
        raw = [file for file in inputs if not any(end in file for end in STORED)]
        if raw:
            report_no_kernel()
        if sum(os.path.getsize(file) for file in raw if os.path.isfile(file)) > LARGE:
            mend = "Tag the files once with senna tag --format jsonl, and search what it writes."
            tell(SennaError("the text is tagged anew for each search", mend=mend))
    options = {"model": model, "input": input_, "column": column}
    given = {name: value for name, value in options.items() if value is not None}
    matched = 0

    def counting(hits: Iterator[Hit]) -> Iterator[Hit]:
        nonlocal matched
        for hit in hits:
            matched += 1
            yield hit

    with progress_of(inputs, sys.stdout.buffer, quiet) as bar:
        hits = counting(
            search(pattern, inputs, jobs=jobs, tell=tell, tagged=advance(bar, Done()), **given)
        )
        if format_ == "counts":
            lines = (f"{count}\t{text}" for text, count in counted(hits))
        elif format_ == "jsonl":
            lines = (json.dumps(as_record(hit), ensure_ascii=False) for hit in hits)
        else:
            lines = (in_context(hit, context) for hit in hits)
        for line in lines:
            typer.echo(line.encode("utf-8", "surrogatepass"))
    if not matched:
        tell(SennaError("no match"))
        raise typer.Exit(1)
