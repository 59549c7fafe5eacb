"""What an output format is; `senna.formats.FORMATS` is the table of all formats."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from senna.answers.base import Annotation, Line
from senna.errors import SennaError
from senna.files import unpacked_name


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
    where none is named; where it `needs` them, no less. Without `tasks` the usual ones are run, and
    of `more` those that have a model.
    """

    write: Callable[[Sequence[Line], Annotation, Style], str]
    tasks: tuple[str, ...] = ()
    needs: bool = False
    more: tuple[str, ...] = ()
    shows: Callable[[str], bool] = lambda task: True  # whether it has a place for a task
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
    """The format of a name in `senna.formats.FORMATS`."""
    module = import_module(f"senna.formats.{name}")
    format_: Format = module.FORMAT
    return format_


def tasks_for(name: str, asked: Sequence[str], own_model: bool) -> list[str] | None:
    """The tasks to run for a format where a user names some; None: all of the model, or package.

    Raises SennaError where they are not what the format needs.
    """
    form = format_of(name)
    if asked and "all" not in asked:
        mend = f"Add it to --task: {','.join([*asked, *missing_of(name, asked)])}."
        check_needs(name, asked, mend)
    if asked or (own_model and not form.needs):
        return [*asked] or None
    return [*form.tasks] or None


def missing_of(name: str, tasks: Sequence[str]) -> list[str]:
    """The tasks that a format needs and that are not among these."""
    form = format_of(name)
    return [task for task in form.tasks if task not in tasks] if form.needs else []


def check_needs(name: str, tasks: Sequence[str], mend: str = "Choose another format.") -> None:
    """Raise SennaError where the tasks that are tagged are not what a format needs."""
    if missing := missing_of(name, tasks):
        raise SennaError(f"needs task {missing[0]}", where=f"--format {name}", mend=mend)


# What the end of a file's name says that is in it: formats that may have it.
SUFFIXES = {
    ".html": ("html",), ".htm": ("html",), ".conllu": ("conllu",), ".jsonl": ("jsonl",),
    ".json": ("jsonl",), ".tsv": ("columns", "spans", "tsv"), ".csv": ("csv",),
    ".parquet": ("parquet",), ".feather": (), ".arrow": (), ".xlsx": (),
    ".xml": (), ".pdf": (), ".docx": (), ".db": (),
}  # fmt: skip


def check_target(path: Path, format: str, inputs: Sequence[str]) -> None:
    """Refuse an output file whose name says another format, and one that is an input."""
    formats = SUFFIXES.get(Path(unpacked_name(path.name)).suffix.lower())
    if formats is not None and format not in formats:
        choices = " or ".join(f"--format {known}" for known in formats)
        mend = f"Choose {choices}, or another name." if formats else "Choose another name."
        raise SennaError(f"its name says another format than {format}", where=str(path), mend=mend)
    if path.is_file() and any(os.path.exists(f) and path.samefile(f) for f in inputs):
        what = "the output would replace the input"
        raise SennaError(what, where=str(path), mend="Choose another name.")
