"""`senna eval --task srl`: gold props against predicted ones."""

from __future__ import annotations

from collections.abc import Mapping

import typer

from senna.errors import SennaError
from senna.scoring import roles, roles_report
from senna.text.columns import open_text
from senna.text.props import read_props


def eval_roles(
    gold: str,
    predicted: str | None,
    others: Mapping[str, object],
    *,
    latex: bool,
    json: bool,
    confusion: bool,
) -> None:
    """Score two files of props and print the report; none of the `others` may be given."""
    _refuse(gold, predicted, others)
    assert predicted is not None
    warnings: list[str] = []
    with (
        open_text(gold, errors="surrogateescape") as gold_lines,
        open_text(predicted, errors="surrogateescape") as predicted_lines,
    ):
        scores = roles.score(
            read_props(gold_lines, name=_name(gold), warn=warnings.append),
            read_props(predicted_lines, name=_name(predicted), warn=warnings.append),
            warn=warnings.append,
            with_confusion=confusion,
        )
    for warning in warnings:
        typer.echo(warning.encode("utf-8", "surrogateescape"), err=True)
    if json:
        typer.echo(roles_report.as_json(scores).encode("utf-8", "backslashreplace"), nl=False)
        return
    text = roles_report.as_text(scores, latex=latex)
    # What was no UTF-8 goes out as it came in.
    typer.echo(text.encode("utf-8", "surrogateescape"), nl=False)
    roles_report.check_confusion(scores)


def _refuse(gold: str, predicted: str | None, others: Mapping[str, object]) -> None:
    for option, given in others.items():
        if given:
            mend = "Tag first, then score." if option == "--model" else "It is for tagged columns."
            raise SennaError(f"{option} does not go with --task srl", mend=mend)
    if predicted is None:
        raise SennaError(
            "--task srl needs two files of props, gold and predicted",
            mend="Example: senna eval --task srl gold.props pred.props",
        )
    if gold == predicted == "-":
        raise SennaError("gold and predicted props cannot both come from standard input")


def _name(file: str) -> str:
    return "<stdin>" if file == "-" else file
