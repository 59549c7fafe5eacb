"""`senna eval`: score tagged columns as conlleval does, semantic roles as srl-eval does."""

from __future__ import annotations

from typing import Annotated

import typer

from senna.cli.options import choice, corpus_file
from senna.cli.terminal import progress, report_waiting
from senna.errors import SennaError
from senna.tasks import TASKS
from senna.text.capitals import CASES

# `senna --help` imports this file: what the command needs is imported in it.

EXAMPLE = "Example: senna tag --task ner --input columns < gold.txt | senna eval --task ner"


def eval_command(
    task: Annotated[str, choice(TASKS, help="What the tags are.", show_default=False)],
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            callback=corpus_file,
            help="Columns, the last two gold and predicted; of a corpus: pos/ewt:test.",
        ),
    ] = "-",
    predicted: Annotated[
        str | None,
        typer.Argument(
            metavar="PRED",
            help="For srl, psg and label, whose FILE is gold props, trees or labels: predicted.",
            show_default=False,
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|DIR",
            help="Tag FILE, whose last column is gold, with this model: one that ships (ner), or a "
            "folder (./ner).",
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
        bool, typer.Option("--raw", "-r", help="Tags are bare types, each token a phrase.")
    ] = False,
    delimiter: Annotated[
        str | None,
        typer.Option(
            "--delimiter",
            "-d",
            metavar="REGEX",
            help="What parts the columns, in Python's dialect. Default: a tab if the first line "
            "has one, else a space; with --as-is a space.",
            show_default=False,
        ),
    ] = None,
    outside: Annotated[
        str, typer.Option("--outside", "-o", metavar="TAG", help="Outside phrases, with --raw.")
    ] = "O",
    latex: Annotated[bool, typer.Option("--latex", "-l", help="Print a LaTeX table.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
    confusion: Annotated[
        bool, typer.Option("--confusion", help="Add a table: gold types by predicted types.")
    ] = False,
    merge_to: Annotated[
        bool,
        typer.Option(
            "--merge-to",
            help='Count IN and TO as one tag of "to", and a comma\'s and a colon\'s as one of ";".',
        ),
    ] = False,
    errors: Annotated[
        int,
        typer.Option(min=0, metavar="N", help="Add the N commonest errors.", show_default=False),
    ] = 0,
    predicates: Annotated[
        str,
        typer.Option(
            metavar="gold|auto|pos|FILE|DIR",
            help="For srl with --model: of which predicates; as in senna tag.",
        ),
    ] = "gold",
    kinds: Annotated[
        str,
        typer.Option(
            metavar="LIST",
            help="For srl, predicates with --model: kinds of gold predicates, v,n; all.",
        ),
    ] = "v",
    columns: Annotated[
        str,
        typer.Option(
            metavar="NAMES", help="The same: columns before the roles, as word,-,predicate."
        ),
    ] = "",
    levels: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            callback=corpus_file,
            help="With --model: gold levels of trees, for one that reads them; as "
            "pt0/ewt:test.levels.",
        ),
    ] = "",
    memory: Annotated[
        bool,
        typer.Option(
            "--memory/--no-memory", help="With --model: a document's names help to see them again."
        ),
    ] = True,
    case: Annotated[
        str | None,
        choice(
            CASES, "--case", help="With --model: give it the words so written.", show_default=False
        ),
    ] = None,
) -> None:
    """Score predicted tags against gold ones; print what conlleval prints, or accuracy for pos.

    Columns in IOBES (an S-, or E- beside B-), BILOU (an L- or U-) and brackets, which conlleval
    would misread, are read as what they are. --as-is and --raw make conlleval's report for pos too.

    For srl give two files of props, gold and predicted: srl-eval's report, with --confusion as
    its -C. Or a --model and one gold file: words, predicates and a column of roles for each;
    arguments of predicates that gold lacks, which srl-eval.pl leaves out, then count as excess.

    For psg give two files with a bracketed tree a line: evalb's report, by its COLLINS conventions.
    Or a --model and one file of gold trees.

    For label give two files of LABEL, tab, text: accuracy and the figures of each label. Or a
    --model and one such file.
    """
    from senna.evaluation import evaluate
    from senna.scoring.tagged import ColumnsError

    if latex and json:
        raise SennaError("--latex and --json exclude each other", mend="Choose one of them.")
    report_waiting((file, predicted), "eval", "a file with gold tags")
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
                merge_to=merge_to,
                errors=errors,
                predicates=predicates,
                kinds=kinds,
                columns=columns,
                levels=levels,
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
        typer.echo(f"{evaluation.stop}: given up", err=True)
        raise typer.Exit(evaluation.status)
    if evaluation.stop and not json:
        raise SennaError(evaluation.stop, mend="Score without --confusion.")
