"""`senna train`: corpora in, model folder out."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from senna.cli.options import DataOption, DevOption, TestOption, say
from senna.cli.resumable import refuse_beside_resume, stoppable
from senna.errors import SennaError
from senna.tasks import TASKS

EXAMPLE = "Example: senna train --task ner --train train.txt --dev dev.txt --columns word,-,-,tag"


@stoppable()
def train_command(
    context: typer.Context,
    task: Annotated[
        str,
        typer.Option(metavar="LIST", help=f"{', '.join(TASKS)}; pos,ner: one model."),
    ] = "",
    config: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Default: the package's configs/<task>.toml."),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Override, as train.epochs=5."),
    ] = None,
    train: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Yours: columns, trees, or LABEL, tab, text."),
    ] = None,
    dev: DevOption = None,
    test: TestOption = None,
    columns: Annotated[
        str,
        typer.Option(
            metavar="NAMES", help="Of your files, as word,pos,-,tag; for srl as word,-,predicate."
        ),
    ] = "",
    corpus: Annotated[
        str, typer.Option(metavar="NAME", help="demo: the small corpus in the package.")
    ] = "",
    data: DataOption = None,
    start_from: Annotated[
        str,
        typer.Option(
            "--from", metavar="MODEL", help="Train this on: one that ships (ner), a run, a folder."
        ),
    ] = "",
    embeddings: Annotated[
        str, typer.Option(metavar="FILE", help="Word vectors to start from; base: ours.")
    ] = "",
    criterion: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="sentence (eq. 13), word (eq. 11), hinge, perceptron, word-hinge, word-binary, "
            "word-log or greedy.",
        ),
    ] = "",
    name: Annotated[str, typer.Option(metavar="NAME", help="Of the run: runs/NAME.")] = "",
    resume: Annotated[
        Path | None, typer.Option(metavar="RUN", help="Go on with an interrupted run, runs/NAME.")
    ] = None,
    runs: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Train with seeds 1 to N; needs --name.", show_default=False
        ),
    ] = None,
    jobs: Annotated[int, typer.Option(metavar="N", help="Of --runs, how many at a time.")] = 1,
    device: Annotated[str, typer.Option(help="cpu, cuda, cuda:1, ...")] = "cpu",
) -> None:
    """Train a tagger and write it to runs/NAME/model.

    Without --train or --corpus it learns from the default corpora, which it downloads where
    $SENNA_DATA or --data do not have them.

    Ctrl-C stops, writes the best model so far and exits with 130 (SIGTERM: 143); a second one
    stops at once. --resume goes on after the last whole epoch; with --runs the same command does.
    """
    if resume is not None:
        refuse_beside_resume(context, "data", "device")
    from senna.training.start import train as start_training

    start_training(
        task,
        train=train or [],
        dev=dev or [],
        test=test or [],
        columns=columns,
        corpus=corpus,
        config=config,
        settings=settings or [],
        start_from=start_from,
        embeddings=embeddings,
        criterion=criterion,
        data=data,
        out=_run_folder(name) if name else None,
        resume=resume,
        runs=runs,
        jobs=jobs,
        device=device,
        say=say,
        command=shlex.join(["senna", *sys.argv[1:]]),
    )


def _run_folder(name: str) -> Path:
    folder = Path("runs")
    path = Path(os.path.normpath(folder / name))
    if folder not in path.parents:
        raise SennaError(f"{name!r} is no folder in runs", where="--name")
    return path
