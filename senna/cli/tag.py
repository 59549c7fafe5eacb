"""`senna tag`: text in, tags out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from senna.cli.terminal import (
    note,
    progress,
    progress_of,
    report_no_kernel,
    report_waiting,
    summing,
    writing,
)
from senna.errors import SennaError
from senna.pipeline.options import Options
from senna.settings import Option, named, options_of, switch
from senna.tasks import TASKS

if TYPE_CHECKING:  # plain options need no Typer
    import typer

EXAMPLE = "Example: senna tag < data/sample.txt > tagged.txt"
OPTIONS = {  # what is left out has its default from the names of the files and the model
    name: own if own.kind is bool else own._replace(default=None)
    for name, own in options_of(Options).items()
} | named(
    {
        "output": Option(
            "The output file; .gz, .xz and .bz2 are compressed.", Path, short="-o", metavar="FILE"
        ),
        "jobs": Option("The number of processes.", int, least=1, default=1),
        "output_dir": Option(
            "The folder that gets one file per input, or for svg one per sentence.",
            Path,
            metavar="DIR",
        ),
        "resume": switch(
            "With --output-dir: leave files that are there, unless their input is newer."
        ),
        "skip_errors": switch(
            "With --output-dir: report files that cannot be tagged, and exit with 1 at the end."
        ),
        "quiet": switch(
            "Hide the progress bar and the note that senna waits for input.", short="-q"
        ),
    }
)


def tag_command(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE", help="The input; - is standard input.")
    ] = None,
    output: Path | None = None,
    jobs: int = 1,
    output_dir: Path | None = None,
    resume: bool = False,
    skip_errors: bool = False,
    quiet: bool = False,
    **options: Any,
) -> None:
    """Tag text: by default parts of speech, chunks, names and semantic roles.

    The command prints one token per line and one column per task, with a blank line after each
    sentence. The task srl has a column that repeats each predicate (- for other words), and one
    column of roles per predicate. With --scores, every tag column is followed by its probabilities.

    A file of --predicates has one line per sentence, with the word numbers of its predicates from
    1. Or it has one line per token, with - for a word that is no predicate, and a blank line after
    each sentence.
    """
    inputs = files or ["-"]
    if not quiet:
        report_waiting(inputs, "tag", "text")
        report_no_kernel()
    from senna.pipeline.files import options_for
    from senna.pipeline.files import output as output_of

    options["gazetteer"] = _lists(options.get("gazetteer") or [])
    options["model"] = _models(options.get("model") or [])
    if output and output_dir:
        raise SennaError("does not go with --output-dir", where="--output", remedy="Give one.")
    if (resume or skip_errors) and output_dir is None:
        raise SennaError("needs --output-dir", where="--resume" if resume else "--skip-errors")
    if output_dir is not None and options.get("format") != "svg":
        from senna.pipeline.output_folder import convert_each

        inputs, skipped = [*dict.fromkeys(inputs)], list[SennaError]()

        def skip(error: SennaError) -> None:
            skipped.append(error)
            note(error.line)

        with progress(not quiet, len(inputs), "files") as bar, summing(quiet) as done:
            done.left = len(inputs)
            done.remedy = "The same command with --resume tags the rest."
            options |= {"jobs": jobs, "resume": resume, "tagged": done.count}
            options["skip"] = skip if skip_errors else None
            for _ in convert_each(inputs, output_dir, **options):
                bar.update()
                done.files, done.left = done.files + 1, done.left - 1
        if skipped:
            raise SystemExit(1)
        return
    chosen = options_for(inputs, options)
    if output is not None:
        from senna.pipeline.output_folder import check_target

        check_target(output, chosen.format, inputs)
    with (
        writing(output, output_dir, chosen.format) as out,
        progress_of(inputs, out, quiet) as move,
        summing(quiet or out.isatty()) as done,
    ):
        done.remedy = f"{output} is as it was." if output else ""
        parts = output_of(inputs, chosen, jobs, lambda piece: done.count(move(piece)))
        for part in parts:
            out.write(part)
            out.flush()


def _models(named: list[str]) -> str | dict[str, str] | None:
    """A model, or those of some tasks that are given as TASK=NAME."""
    pairs = [text.partition("=") for text in named]
    for text, (task, sign, model) in zip(named, pairs, strict=True):
        if sign and model and task not in TASKS and not Path(text).exists():
            remedy = f"Known: {', '.join(TASKS)}."
            what = f"{text!r}: {task!r} is not a task"
            raise SennaError(what, where="--model", remedy=remedy)
    models = {task: model for task, _, model in pairs if model and task in TASKS}
    if len(named) > 1 and len(models) < len(named):
        remedy = "An example: --model ner=runs/mine/model --model pos=runs/other/model."
        what = "several models need TASK= each, for another task"
        raise SennaError(what, where="--model", remedy=remedy)
    return models or (named[0] if named else None)


def _lists(named: list[str]) -> dict[str, list[str]]:
    """The phrases of files that are given as TYPE=FILE."""
    from senna.files import open_text

    lists: dict[str, list[str]] = {}
    for text in named:
        kind, _, file = text.partition("=")
        if not kind or not file:
            what = f"{text!r} is not TYPE=FILE"
            raise SennaError(what, where="--gazetteer", remedy="For example PER=people.txt.")
        with open_text(file) as lines:
            lists.setdefault(kind, []).extend(line.strip() for line in lines)
    return lists


# --------------------------------------------------------------------------- plain options


FLAGS = {flag: o for o in OPTIONS.values() for flag in (o.flag, o.negation, o.short) if flag}


def tag_values(arguments: Sequence[str]) -> dict[str, Any] | None:
    """The parameters of `tag_command`, by name; None if they are not plain.

    The import of Typer takes longer than a sentence. It gets what is not plain: help, and
    what it refuses.

    >>> tag_values(["--task", "pos", "--scores", "letter.txt"])
    {'tasks': 'pos', 'scores': True, 'files': ['letter.txt']}
    """
    values: dict[str, Any] = {}
    rest = iter(arguments)
    for argument in rest:
        option = FLAGS.get(argument)
        if argument == "-" or not argument.startswith("-"):
            values.setdefault("files", []).append(argument)
        elif option is None:
            return None
        elif option.kind is bool:
            values[option.name] = argument != option.negation
        elif (text := next(rest, "-")).startswith("-"):
            return None  # an option without its value, or a value that looks like an option
        elif option.kind is list:
            values.setdefault(option.name, []).append(text)
        elif option.choices and text not in option.choices:
            return None
        elif option.kind is not int:
            values[option.name] = option.kind(text)
        elif text in map(str, range(int(option.least or 0), int(option.most or 99) + 1)):
            values[option.name] = int(text)
        else:
            return None
    return values
