"""`senna eval`: score tagged columns as conlleval does, and semantic roles as srl-eval does."""

from __future__ import annotations

import os
from typing import Annotated, Any

import typer

from senna.cli.terminal import progress, report_no_kernel, report_waiting
from senna.errors import SennaError
from senna.kinds.scores import OPTIONS as SCORING
from senna.registry import CORPORA, SCORERS
from senna.settings import Option, switch
from senna.tasks import TASKS

# `senna --help` imports this file: what the command needs is imported in it.

EXAMPLE = "Example: senna tag --task ner --input columns < gold.txt | senna eval --task ner"


OPTIONS = {
    "task": Option("The task of the tags.", choices=[*TASKS], required=True),
    "model": Option(
        "Tag FILE, whose last column is gold, with this model: one of the package, for example "
        "ner, or a folder (./ner).",
        metavar="NAME|DIR",
    ),
    "json": switch("Print a JSON object."),
    **SCORING,
}


def eval_command(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="Columns, of which the last two are gold and predicted; or a part of a corpus, "
            "for example pos/ewt:test.",
        ),
    ] = "-",
    predicted: Annotated[
        str | None,
        typer.Argument(
            metavar="PRED",
            help="For srl, psg, dep and label: the predicted props, trees, CoNLL-U or labels; FILE "
            "has the gold ones.",
            show_default=False,
        ),
    ] = None,
    *,
    task: str,
    model: str | None,
    json: bool,
    **options: Any,
) -> None:
    """Score predicted tags against gold ones: conlleval's report, or accuracy for pos.

    Columns in IOBES (an S-, or an E- in a column with a B-), BILOU (an L- or a U-) and brackets are
    recognised, although conlleval would misread them. With --as-is and --raw, the command prints
    conlleval's report for pos too.

    For srl, give two files of props, gold and predicted: the command prints srl-eval's report,
    with --confusion the report of srl-eval -C. Or give a --model and one gold file with words,
    predicates and one column of roles per predicate. Arguments of predicates that gold lacks then
    count as excess; srl-eval.pl leaves them out.

    For psg, give two files with one bracketed tree per line: the command prints evalb's report, by
    its COLLINS conventions. Or give a --model and one file of gold trees.

    For dep, give two files in CoNLL-U: the command prints the report of the scorer of the CoNLL
    2018 shared task. Or give a --model and one file of gold trees, with --from-text or without it.

    For label, give two files of LABEL, tab, text: the command prints the accuracy and the figures
    of each label. Or give a --model and one file of labels and texts.
    """
    from senna.pipeline.evaluate import evaluate

    file, options["levels"] = _corpus_file(file), _corpus_file(options["levels"])
    if options["latex"] and json:
        raise SennaError("--latex and --json exclude each other", remedy="Choose one of them.")
    report_waiting((file, predicted), "eval", "a file with gold tags")
    if model is not None:
        report_no_kernel()
    try:
        with progress(model is not None) as bar:
            evaluation = evaluate(task, file, predicted, model=model, tagged=bar.update, **options)
    except SCORERS["conlleval"].ColumnsError as error:
        if not options["as_is"]:
            raise
        typer.echo(error.reference_message.encode("utf-8", "surrogateescape"), err=True)
        raise typer.Exit(error.reference_status) from None
    for note in evaluation.notes:
        typer.echo(note.encode("utf-8", "surrogateescape"), err=True)
    # Bytes that are not UTF-8 are written unchanged; in JSON they are escaped.
    text = evaluation.json() if json else evaluation.report()
    typer.echo(text.encode("utf-8", "backslashreplace" if json else "surrogateescape"), nl=False)
    if evaluation.status:
        typer.echo(f"{evaluation.stop}; scoring stopped", err=True)
        raise typer.Exit(evaluation.status)
    if evaluation.stop and not json:
        raise SennaError(evaluation.stop, remedy="Score without --confusion.")


def _corpus_file(value: str) -> str:
    """A file by its path, or by a corpus and a split of it, for example pos/ewt:test."""
    name, _, split = value.rpartition(":")
    if "/" not in value or os.path.exists(value):
        return value
    store = CORPORA["store"]

    if value in CORPORA["catalogue"].read_catalogue():
        remedy = f"For example {value}:dev."
        raise SennaError("this is a corpus; its part is missing", where=value, remedy=remedy)
    if "/" not in name:
        return value
    return str(store.split_file(store.find(name), split))
