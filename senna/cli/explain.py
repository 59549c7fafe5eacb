"""`senna explain`: what tags mean."""

from __future__ import annotations

from typing import Annotated

import typer

from senna.cli.terminal import note
from senna.errors import SennaError
from senna.settings import Option
from senna.tasks import TASKS

# `senna --help` imports this file: what the command needs is imported in it.

EXAMPLE = "Example: senna explain AM-DIS nsubj:pass 'WP$'"


OPTIONS = {"task": Option("The task that gives the tags. Default: any.", choices=[*TASKS])}


def explain_command(
    tags: Annotated[
        list[str] | None,
        typer.Argument(metavar="TAG", help="A tag, for example NNP or B-NP.", show_default=False),
    ] = None,
    *,
    task: str | None,
) -> None:
    """Print what each TAG means, with an example in which [brackets] mark the words that have it.

    Without a TAG, all tags of the task are printed. A tag may have a prefix of a tag scheme (B-NP).
    """
    from senna import explain

    unknown = None
    for tag in tags or [""]:
        try:
            for meaning in explain(tag, task or ""):
                typer.echo(f"{meaning}")
        except SennaError as error:
            if unknown is not None:
                note(unknown.line)
            unknown = error
    if unknown is not None:
        raise unknown
