"""`senna tag`: text in, tags out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from senna.cli.terminal import advance, progress_of, report_waiting, tell, writing
from senna.lazy import LazyModule
from senna.reading.options import Conversion, OptionError

if TYPE_CHECKING:
    import typer
else:  # `senna.cli.plain` calls the command without it
    typer = LazyModule("typer")

OPTIONS = Conversion  # the command has those of this record too
EXAMPLE = "Example: senna tag < data/sample.txt > tagged.txt"


def tag_command(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE", help="The input; - is standard input.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", show_default=False)
    ] = None,
    output_dir: Annotated[
        Path | None,
        typer.Option(
            "--output-dir",
            metavar="DIR",
            help="For svg: the folder that gets one file per sentence, 0001.svg and so on.",
            show_default=False,
        ),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, metavar="N", help="The number of processes.")] = 1,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Show no progress, and not that it waits.")
    ] = False,
    **options: Any,
) -> None:
    """Tag text: by default parts of speech, chunks, names and semantic roles.

    The output has one token per line with one column per task, and a blank line after each
    sentence. For srl there are the word where it is a predicate, and then one column of roles per
    predicate. With --scores a column of probabilities follows each column of tags.

    A list of predicates has one line per sentence: their numbers, from 1. Or it is a column: one
    line per token, - where the token is none, and a blank line after each sentence.
    """
    inputs = files or ["-"]
    if not quiet:
        report_waiting(inputs, "tag", "text")
    from senna.conversion import convert

    options["gazetteer"] = _lists(options.get("gazetteer") or [])
    with (
        writing(output, output_dir, options.get("format", "")) as out,
        progress_of(inputs, out, quiet) as bar,
    ):
        parts = convert(inputs, jobs=jobs, tell=tell, tagged=advance(bar), **options)
        for part in parts:
            out.write(part)
            out.flush()


def _lists(named: list[str]) -> dict[str, list[str]]:
    """The phrases of files that are given as TYPE=FILE."""
    from senna.files import open_text

    lists: dict[str, list[str]] = {}
    for text in named:
        kind, _, file = text.partition("=")
        if not kind or not file:
            what = f"{text!r} is not TYPE=FILE"
            raise OptionError(what, "gazetteer", mend="An example: PER=people.txt.")
        with open_text(file) as lines:
            lists.setdefault(kind, []).extend(line.strip() for line in lines)
    return lists
