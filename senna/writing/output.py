"""What an output format is; `senna.writing.FORMATS` is the table of all formats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import NamedTuple

from senna.errors import SennaError
from senna.outputs.base import Annotation, Line


class Style(NamedTuple):
    """What a user may choose of a format."""

    scheme: str = "iobes"
    offsets: bool = False
    keep: Sequence[str] = ()  # the columns of an input table that are written too
    table: bool = False  # whether the input is a table


class Format(NamedTuple):
    """How sentences are written.

    `write` gets some of them and the answers of each task for them. `head` and `foot` are written
    before the first and after the last. `end` ends a document: it is written at the end, and
    `write` puts it before each that opens, where it is left out at the beginning. `tasks` are run
    where none is named; where it `needs` them, no less.
    """

    write: Callable[[Sequence[Line], Annotation, Style], str]
    tasks: tuple[str, ...] = ()
    needs: bool = False
    scheme: str = "iobes"  # where none is named
    offsets: bool = False  # whether it can show them
    head: str | Callable[[Style], str] = ""
    foot: str = ""
    end: str = ""
    file_end: str = ""  # how each sentence ends, where each gets a file of its own

    def begin(self, style: Style) -> str:
        """What is written before the first sentence."""
        return self.head(style) if callable(self.head) else self.head


def format_of(name: str) -> Format:
    """The format of a name in `senna.writing.FORMATS`."""
    module = import_module(f"senna.writing.{name}")
    format_: Format = module.FORMAT
    return format_


def tasks_for(name: str, asked: Sequence[str], own_model: bool) -> list[str] | None:
    """The tasks to run for a format where a user names some; None: all of the model, or package.

    Raises SennaError where they are not what the format needs.
    """
    form = format_of(name)
    missing = [task for task in form.tasks if task not in asked] if form.needs else []
    missing = [] if "all" in asked else missing
    if asked and missing:
        mend = f"Add it to --task: {','.join([*asked, *missing])}."
        raise SennaError(f"needs task {missing[0]}", where=f"--format {name}", mend=mend)
    if asked or (own_model and not form.needs):
        return [*asked] or None
    return [*form.tasks] or None
