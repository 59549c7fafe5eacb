"""`senna train`: corpora in, model folder out; what commands do that can be interrupted."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import typer

from senna.cli.options import DATA, DEV, DEVICE, FILES, SETTINGS, TEST, command_line, say
from senna.errors import SennaError
from senna.settings import Option
from senna.tasks import LEARNT
from senna.training.interruption import Interruption


@contextmanager
def stoppable() -> Iterator[None]:
    """Let Ctrl-C and SIGTERM end the command with one line, and with exit code 130 or 143."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise Interruption(number)

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    except KeyboardInterrupt as error:
        say(f"senna: {str(error) or 'stopped'}")
        raise SystemExit(128 + (getattr(error, "number", 0) or signal.SIGINT)) from None
    finally:
        signal.signal(signal.SIGTERM, before)


def refuse_beside_resume(context: typer.Context, *heeded: str) -> None:
    """Refuse options that a resumed run would ignore: all but those heeded."""
    params: list[Any] = context.command.params
    names = [
        param.opts[0] if param.opts[0].startswith("-") else param.metavar
        for param in params
        if param.name not in ("resume", *heeded)
        and (source := context.get_parameter_source(param.name or "")) is not None
        and source.name == "COMMANDLINE"
    ]
    if given := ", ".join(names):
        remedy = "Leave them out, or start a new run."
        raise SennaError(
            f"the run continues with its own settings, so {given} cannot be given",
            where="--resume",
            remedy=remedy,
        )


EXAMPLE = "Example: senna train --task ner --train train.txt --dev dev.txt --columns word,-,-,tag"


OPTIONS = {
    "task": Option(
        f"{', '.join(LEARNT)}; pos,ner trains one model for both.", metavar="LIST", default=""
    ),
    "config": Option(
        "The configuration: a file, or one of --list-configs. Default: that of the task.",
        metavar="FILE|NAME",
    ),
    "list_configs": Option(
        "List the configurations of the package, and exit.", bool, default=False
    ),
    "settings": SETTINGS._replace(help=SETTINGS.help.format("train.epochs=5")),
    "train": Option(
        "A training file: columns, CoNLL-U, trees, LABEL, tab, text, JSON lines with tokens "
        "and tags, or texts with spans (brat, doccano, Label Studio, Prodigy, spaCy). Repeatable.",
        FILES,
        metavar="FILE",
    ),
    "dev": DEV,
    "test": TEST,
    "columns": Option(
        "The columns of your files, for example word,pos,-,tag; for srl word,-,predicate.",
        metavar="NAMES",
        default="",
    ),
    "corpus": Option("demo is the small corpus in the package.", metavar="NAME", default=""),
    "data": DATA,
    "start_from": Option(
        "Continue training this model: one of the package, for example ner, a run or a folder.",
        flag="--from",
        metavar="MODEL",
        default="",
    ),
    "embeddings": Option(
        "The word vectors to start from; base is the package's table.", metavar="FILE", default=""
    ),
    "criterion": Option(
        "The loss: sentence (eq. 13), word (eq. 11), hinge, perceptron, word-hinge, word-binary, "
        "word-log or greedy.",
        metavar="NAME",
        default="",
    ),
    "name": Option("The name of the run, in runs/NAME.", metavar="NAME", default=""),
    "resume": Option("Continue an interrupted run, for example runs/NAME.", Path, metavar="RUN"),
    "runs": Option("Train N times, with seeds 1 to N; needs --name.", int),
    "sizes": Option(
        "A learning curve: train on so many of the sentences each time, for example 50,100,200; "
        "needs --name.",
        metavar="LIST",
        default="",
    ),
    "jobs": Option("The number of --runs or --sizes in parallel.", int, default=1),
    "device": DEVICE,
}


@stoppable()
def train_command(
    context: typer.Context,
    *,
    task: str,
    train: list[Path] | None,
    dev: list[Path] | None,
    test: list[Path] | None,
    settings: list[str] | None,
    name: str,
    sizes: str,
    resume: Path | None,
    list_configs: bool,
    **options: Any,
) -> None:
    """Train a tagger and write it to runs/NAME/model.

    Without --train or --corpus, the tagger learns from the default corpora. The command downloads
    those that $SENNA_DATA or --data do not have.

    Ctrl-C stops the training, writes the best model so far and exits with 130 (SIGTERM: 143); a
    second Ctrl-C stops at once. --resume continues after the last complete epoch or, within a long
    one, at most a minute before; for --runs, repeat the command.
    """
    if list_configs:
        from senna.training.config import configs

        for name, path in configs().items():
            heading = path.read_text(encoding="utf-8").split("\n#\n", 1)[0]
            about = " ".join(line.strip("# ") for line in heading.splitlines()).split(". ")[0]
            typer.echo(f"{name}\t{about.rstrip('.')}")
        return
    if resume is not None:
        refuse_beside_resume(context, "data", "device")
    from senna.training.start import train as start_training

    cells = [cell.strip() for cell in sizes.split(",") if cell.strip()]
    if not all(cell.isascii() and cell.isdigit() and len(cell) < 10 for cell in cells):
        raise SennaError(
            f"{sizes!r} is no list of numbers", where="--sizes", remedy="For example 50,100,200."
        )
    start_training(
        task,
        train=train or (),
        dev=dev or (),
        test=test or (),
        settings=settings or (),
        out=_run_folder(name) if name else None,
        sizes=[int(cell) for cell in cells],
        resume=resume,
        say=say,
        command=command_line(),
        **options,
    )


def _run_folder(name: str) -> Path:
    folder = Path("runs")
    path = Path(os.path.normpath(folder / name))
    if folder not in path.parents:
        raise SennaError(f"{name!r} is not the name of a folder in runs", where="--name")
    return path
