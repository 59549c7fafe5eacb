"""`senna eval`: score tagged columns as conlleval does, semantic roles as srl-eval does."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from senna.cli.options import choice, corpus_file
from senna.errors import SennaError
from senna.tasks import TASKS

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
            help="For srl, whose FILE is gold props: the predicted ones.",
            show_default=False,
        ),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR|TASK",
            help="Tag FILE, whose last column is gold, with this model (or one that ships: ner).",
            show_default=False,
        ),
    ] = None,
    as_is: Annotated[
        bool, typer.Option("--as-is", help="Read all tags as conlleval does, IOBES too.")
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
            help="What parts the columns. Default: a tab if the first line has one, else a space; "
            "with --as-is a space.",
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
        bool, typer.Option("--merge-to", help="Count IN and TO as one tag of the word to.")
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
            metavar="NAMES",
            help="The same: columns before the roles, as word,-,predicate.",
        ),
    ] = "",
) -> None:
    """Score predicted tags against gold ones; print what conlleval prints, or accuracy for pos.

    Columns in IOBES (an S-, or E- beside B-) are read as IOBES, which conlleval would misread.
    --as-is, --raw and --latex make conlleval's report for pos too.

    For srl give two files of props, gold and predicted: srl-eval's report, with --confusion as
    its -C. Or a --model and one gold file: words, predicates and a column of roles for each.
    """
    of_roles = model is not None and task in ("srl", "predicates")
    for option, given in (
        ("--predicates", predicates != "gold" and task != "srl"),
        ("--predicates", predicates != "gold" and model is None),
        ("--kinds", kinds != "v" and not of_roles),
        ("--columns", columns and not of_roles),
    ):
        if given:
            raise SennaError(f"{option} needs --task srl and a --model", where="senna eval")
    if task == "srl":
        from senna.cli.roles import eval_model, eval_roles, refuse

        _refuse_clashes(False, False, latex, json)
        others = {
            "--as-is": as_is,
            "--raw": raw,
            "--delimiter": delimiter,
            "--outside": outside != "O",
            "--merge-to": merge_to,
            "--errors": errors,
        }
        form = {"latex": latex, "json": json, "confusion": confusion}
        if model is None:
            eval_roles(file, predicted, others, **form)
        elif predicted is not None:
            raise SennaError("a second file, but --model makes it", where=predicted)
        else:
            refuse(others)
            eval_model(file, model, predicates, kinds, columns, **form)
        return
    if predicted is not None:
        raise SennaError(
            f"a second file, but --task {task} takes one", where=predicted, mend="Only srl has two."
        )
    from senna.cli import gold
    from senna.scoring.evaluation import as_json, as_text, evaluate
    from senna.scoring.tagged import ColumnsError
    from senna.text.features import normalise

    _refuse_clashes(bool(model), raw or delimiter is not None, latex, json)
    if as_is and delimiter is None:
        delimiter = " "
    tagged = (
        gold.tag_columns(model, task, file, kinds, columns)
        if model
        else gold.read_both(file, delimiter, raw, outside)
    )
    sentences = map(gold.merge_to, tagged.sentences) if merge_to else tagged.sentences
    try:
        result = evaluate(
            sentences,
            task,
            as_is=as_is or raw,
            phrases=True if as_is or raw or latex else None,
            with_confusion=confusion or errors > 0,
            known=tagged.known,
            form=normalise,
        )
    except ColumnsError as error:
        if not as_is:
            raise
        typer.echo(error.reference_message, err=True)
        raise typer.Exit(error.reference_status) from None
    if result.iobes:
        columns = " and ".join(result.iobes)
        typer.echo(f"senna: {columns} read as IOBES (--as-is: as conlleval does)", err=True)
    if json:
        text = as_json(result, with_table=confusion, errors=errors)
    else:
        text = as_text(result, latex=latex, with_table=confusion, errors=errors)
    # What was no UTF-8 goes out as it came in; in JSON it is an escape.
    typer.echo(text.encode("utf-8", "backslashreplace" if json else "surrogateescape"), nl=False)


def _refuse_clashes(model: bool, columns: bool, latex: bool, json: bool) -> None:
    if latex and json:
        raise SennaError("--latex and --json exclude each other", mend="Choose one of them.")
    if model and columns:
        raise SennaError(
            "--model does not go with --raw or --delimiter", mend="Tag first, then score."
        )
