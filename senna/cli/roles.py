"""`senna eval --task srl`: gold props against predicted ones, or what a model finds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

import typer

from senna.cli.tag import finder_of
from senna.errors import SennaError
from senna.files import open_text
from senna.infer.model_folder import shipped
from senna.infer.pipeline import Given, Pipeline
from senna.infer.stream import LINES
from senna.scoring import roles, roles_report
from senna.scoring.conlleval import Figures
from senna.text.props import PropsSentence, read_props
from senna.text.roles import Listed, RolesSentence, props_of, read_predicates, read_roles


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
    refuse(others)
    _refuse(gold, predicted)
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
    _print(scores, latex=latex, json=json)


def _print(scores: roles.RoleScores, *, latex: bool, json: bool) -> None:
    if json:
        typer.echo(roles_report.as_json(scores).encode("utf-8", "backslashreplace"), nl=False)
        return
    text = roles_report.as_text(scores, latex=latex)
    # What was no UTF-8 goes out as it came in.
    typer.echo(text.encode("utf-8", "surrogateescape"), nl=False)
    roles_report.check_confusion(scores)


def eval_model(
    file: str,
    model: Path,
    predicates: str,
    kinds: str,
    columns: str,
    *,
    latex: bool,
    json: bool,
    confusion: bool,
) -> None:
    """Find the roles of a gold file's sentences with a model, score them and print the report.

    `predicates` is "gold" or as for `senna tag`; `kinds` of gold predicates count, parted by
    commas, or all. What is found of predicates is told on standard error.
    """
    finder, listed = ("given", "") if predicates == "gold" else finder_of(predicates)
    if not model.exists():
        model = shipped().get(str(model), model)
    pipeline = Pipeline.load(["srl"], model, finder)
    chosen = [] if kinds == "all" else [kind.strip() for kind in kinds.split(",")]
    gold: list[PropsSentence] = []
    found: list[PropsSentence] = []
    counts = [0, 0, 0]  # of predicates: in gold, found, right
    with open_text(file) as lines:
        read = read_roles(lines, name=_name(file), names=columns)
        given = _given(listed) if listed else None
        while piece := list(islice(read, LINES)):
            own = [sentence.of_kinds(chosen) for sentence in piece]
            places = None
            if predicates == "gold":
                places = [[p.position for p in sentence] for sentence in own]
            elif given is not None:
                places = [_next(given, sentence, listed) for sentence in piece]
            tagged = pipeline.roles([s.forms for s in piece], places, _columns(piece))
            for sentence, right, guess in zip(piece, own, tagged, strict=True):
                gold.append(props_of(sentence.forms, right)._replace(line=sentence.line))
                found.append(props_of(sentence.forms, guess))
                both = {p.position for p in right} & {p.position for p in guess}
                counts = [
                    a + b for a, b in zip(counts, map(len, (right, guess, both)), strict=True)
                ]
    scores = roles.score(gold, found, with_confusion=confusion)
    if predicates != "gold":
        own_figures = Figures.of(*counts)
        typer.echo(
            f"predicates: precision {own_figures.precision:.2f}, "
            f"recall {own_figures.recall:.2f}, F1 {own_figures.f1:.2f}",
            err=True,
        )
    _print(scores, latex=latex, json=json)


def _given(file: str) -> Iterator[Listed]:
    with open_text(file) as lines:
        yield from read_predicates(lines, name=file)


def _next(given: Iterator[Listed], sentence: RolesSentence, file: str) -> list[int]:
    listed = next(given, None)
    if listed is None:
        raise SennaError("ends before the sentences do", where=file)
    return listed.of(sentence.forms)


def _columns(piece: list[RolesSentence]) -> Given:
    """The file's own parts of speech and PT0, for models that were trained on such columns."""
    pos, pt0 = [s.pos or [] for s in piece], [s.pt0 or [] for s in piece]
    return Given(pos if all(pos) else None, pt0 if all(pt0) else None)


def refuse(others: Mapping[str, object]) -> None:
    """None of some options may be given."""
    for option, given in others.items():
        if given:
            mend = "It is for tagged columns."
            raise SennaError(f"{option} does not go with --task srl", mend=mend)


def _refuse(gold: str, predicted: str | None) -> None:
    if predicted is None:
        raise SennaError(
            "--task srl needs two files of props, gold and predicted, or a --model",
            mend="Example: senna eval --task srl gold.props pred.props",
        )
    if gold == predicted == "-":
        raise SennaError("gold and predicted props cannot both come from standard input")


def _name(file: str) -> str:
    return "<stdin>" if file == "-" else file
