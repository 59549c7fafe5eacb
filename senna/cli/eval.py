"""`senna eval`: score tagged columns as conlleval does, and semantic roles as srl-eval does."""

from __future__ import annotations

from typing import Annotated

import typer

from senna.cli.options import choice, corpus_file
from senna.cli.terminal import progress, report_no_kernel, report_waiting
from senna.errors import SennaError
from senna.tasks import TASKS
from senna.text.capitals import CASES

# `senna --help` imports this file: what the command needs is imported in it.

EXAMPLE = "Example: senna tag --task ner --input columns < gold.txt | senna eval --task ner"


def eval_command(
    task: Annotated[str, choice(TASKS, help="The task of the tags.", show_default=False)],
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            callback=corpus_file,
            help="Columns, of which the last two are gold and predicted; or a part of a corpus, "
            "for "
            "example pos/ewt:test.",
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
    model: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|DIR",
            help="Tag FILE, whose last column is gold, with this model: one of the package, for "
            "example "
            "ner, or a folder (./ner).",
            show_default=False,
        ),
    ] = None,
    as_is: Annotated[
        bool,
        typer.Option(
            "--as-is", help="Read all tags as conlleval does, IOBES, BILOU and brackets too."
        ),
    ] = False,
    raw: Annotated[
        bool, typer.Option("--raw", "-r", help="Tags are bare types; each token is a phrase.")
    ] = False,
    delimiter: Annotated[
        str | None,
        typer.Option(
            "--delimiter",
            "-d",
            metavar="REGEX",
            help="The column separator, a Python regular expression. Default: a tab if the first "
            "line "
            "has one, else a space; with --as-is a space.",
            show_default=False,
        ),
    ] = None,
    outside: Annotated[
        str,
        typer.Option("--outside", "-o", metavar="TAG", help="With --raw: the tag outside phrases."),
    ] = "O",
    latex: Annotated[bool, typer.Option("--latex", "-l", help="Print a LaTeX table.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
    confusion: Annotated[
        bool, typer.Option("--confusion", help="Add a table of gold types by predicted types.")
    ] = False,
    relaxed: Annotated[
        bool,
        typer.Option(
            "--relaxed",
            help="Add the measures of SemEval 2013 that forgive wrong bounds or types: strict, "
            "exact, partial, type.",
        ),
    ] = False,
    merge_to: Annotated[
        bool,
        typer.Option(
            "--merge-to",
            help='Count IN and TO as one tag of "to", and "," and ":" as one tag of ";".',
        ),
    ] = False,
    errors: Annotated[
        int,
        typer.Option(
            min=0, metavar="N", help="Add the N most frequent errors.", show_default=False
        ),
    ] = 0,
    predicates: Annotated[
        str,
        typer.Option(
            metavar="gold|auto|pos|FILE|DIR",
            help="For srl with --model: which predicates get roles; gold, or the values of senna "
            "tag.",
        ),
    ] = "gold",
    kinds: Annotated[
        str,
        typer.Option(
            metavar="LIST",
            help="For srl and predicates with --model: the kinds of gold predicates, for example "
            "v,lv,n, or all; v,lv are all verbs but be and auxiliaries.",
        ),
    ] = "v,lv",
    columns: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="For srl with --model: the names of the columns before the roles, for example "
            "word,-,predicate.",
        ),
    ] = "",
    levels: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            callback=corpus_file,
            help="With a --model that reads levels of trees: their gold levels, for example "
            "pt0/ewt:test.levels.",
        ),
    ] = "",
    from_text: Annotated[
        bool,
        typer.Option(
            "--from-text",
            help="For dep with --model: split the text into sentences and words first; without "
            "it, the words are those of FILE.",
        ),
    ] = False,
    memory: Annotated[
        bool,
        typer.Option(
            "--memory/--no-memory", help="With --model: use names found earlier in a document."
        ),
    ] = True,
    case: Annotated[
        str | None,
        choice(
            CASES,
            "--case",
            help="With --model: convert the words to this case first.",
            show_default=False,
        ),
    ] = None,
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
    from senna.evaluation import evaluate
    from senna.scoring.tagged import ColumnsError

    if latex and json:
        raise SennaError("--latex and --json exclude each other", mend="Choose one of them.")
    report_waiting((file, predicted), "eval", "a file with gold tags")
    if model is not None:
        report_no_kernel()
    try:
        with progress(model is not None) as bar:
            evaluation = evaluate(
                task,
                file,
                predicted,
                model=model,
                tagged=bar.update if bar is not None else lambda n_words: None,
                as_is=as_is,
                raw=raw,
                delimiter=delimiter,
                outside=outside,
                latex=latex,
                confusion=confusion,
                relaxed=relaxed,
                merge_to=merge_to,
                errors=errors,
                predicates=predicates,
                kinds=kinds,
                columns=columns,
                levels=levels,
                from_text=from_text,
                case=case,
                memory=memory,
            )
    except ColumnsError as error:
        if not as_is:
            raise
        typer.echo(error.reference_message.encode("utf-8", "surrogateescape"), err=True)
        raise typer.Exit(error.reference_status) from None
    for note in evaluation.notes:
        typer.echo(note.encode("utf-8", "surrogateescape"), err=True)
    # What was no UTF-8 goes out as it came in; in JSON it is an escape.
    text = evaluation.json() if json else evaluation.report()
    typer.echo(text.encode("utf-8", "backslashreplace" if json else "surrogateescape"), nl=False)
    if evaluation.status:
        typer.echo(f"{evaluation.stop}; scoring stopped", err=True)
        raise typer.Exit(evaluation.status)
    if evaluation.stop and not json:
        raise SennaError(evaluation.stop, mend="Score without --confusion.")
