"""`senna train`: corpora in, model folder out."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from senna.cli.options import DataOption, DevOption, TestOption, say
from senna.cli.resumable import DeviceOption, refuse_beside_resume, stoppable
from senna.errors import SennaError
from senna.tasks import LEARNT

EXAMPLE = "Example: senna train --task ner --train train.txt --dev dev.txt --columns word,-,-,tag"


@stoppable()
def train_command(
    context: typer.Context,
    task: Annotated[
        str,
        typer.Option(
            metavar="LIST", help=f"{', '.join(LEARNT)}; pos,ner trains one model for both."
        ),
    ] = "",
    config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The configuration. Default: the package's configs/<task>.toml."
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="Override a setting, for example train.epochs=5."
        ),
    ] = None,
    train: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE", help="The training file: columns, CoNLL-U, trees, or LABEL, tab, text."
        ),
    ] = None,
    dev: DevOption = None,
    test: TestOption = None,
    columns: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="The columns of your files, for example word,pos,-,tag; for srl word,-,predicate.",
        ),
    ] = "",
    corpus: Annotated[
        str, typer.Option(metavar="NAME", help="demo is the small corpus in the package.")
    ] = "",
    data: DataOption = None,
    start_from: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="MODEL",
            help="Continue training this model: one of the package, for example ner, a run or a "
            "folder.",
        ),
    ] = "",
    embeddings: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="The word vectors to start from; base is the package's table."
        ),
    ] = "",
    criterion: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="The loss: sentence (eq. 13), word (eq. 11), hinge, perceptron, word-hinge, "
            "word-binary, "
            "word-log or greedy.",
        ),
    ] = "",
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="The name of the run, in runs/NAME.")
    ] = "",
    resume: Annotated[
        Path | None,
        typer.Option(metavar="RUN", help="Continue an interrupted run, for example runs/NAME."),
    ] = None,
    runs: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Train N times, with seeds 1 to N; needs --name.", show_default=False
        ),
    ] = None,
    sizes: Annotated[
        str,
        typer.Option(
            metavar="LIST",
            help="A learning curve: train on so many of the sentences each time, for example "
            "50,100,200; needs --name.",
        ),
    ] = "",
    jobs: Annotated[
        int, typer.Option(metavar="N", help="The number of --runs or --sizes in parallel.")
    ] = 1,
    device: DeviceOption = "cpu",
) -> None:
    """Train a tagger and write it to runs/NAME/model.

    Without --train or --corpus, the tagger learns from the default corpora. The command downloads
    those that $SENNA_DATA or --data do not have.

    Ctrl-C stops the training, writes the best model so far and exits with 130 (SIGTERM: 143); a
    second Ctrl-C stops at once. --resume continues after the last complete epoch; for --runs,
    repeat the command.
    """
    if resume is not None:
        refuse_beside_resume(context, "data", "device")
    from senna.training.start import train as start_training

    start_training(
        task,
        train=train or (),
        dev=dev or (),
        test=test or (),
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
        sizes=_numbers(sizes),
        jobs=jobs,
        device=device,
        say=say,
        command=shlex.join(["senna", *sys.argv[1:]]),
    )


def _numbers(sizes: str) -> list[int]:
    cells = [cell.strip() for cell in sizes.split(",") if cell.strip()]
    if not all(cell.isascii() and cell.isdigit() and len(cell) < 10 for cell in cells):
        raise SennaError(f"{sizes!r} is no list of numbers", where="--sizes", mend="50,100,200")
    return [int(cell) for cell in cells]


def _run_folder(name: str) -> Path:
    folder = Path("runs")
    path = Path(os.path.normpath(folder / name))
    if folder not in path.parents:
        raise SennaError(f"{name!r} is not the name of a folder in runs", where="--name")
    return path
