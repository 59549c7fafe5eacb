"""`senna pretrain`: text in, word vectors or an encoder out."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from senna.cli.options import KindOption, say
from senna.cli.resumable import (
    DeviceOption,
    refuse_beside_resume,
    start_torch,
    stoppable,
)
from senna.errors import SennaError

EXAMPLE = "Example: senna pretrain news.txt.xz --out vectors --size 30000"


@stoppable()
def pretrain_command(
    context: typer.Context,
    sources: Annotated[
        list[Path] | None,
        typer.Argument(metavar="TEXT", help="Text files; they may be compressed (.xz, .gz, .bz2)."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The folder for the result.")
    ] = None,
    objective: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="The objective, for example ranking, skipgram or encoder."
        ),
    ] = "",
    kind: KindOption = "text",
    cased: Annotated[
        bool, typer.Option("--cased", help="Keep capitals: Apple and apple are two words.")
    ] = False,
    size: Annotated[
        int | None, typer.Option(metavar="N", help="The number of words of the (last) dictionary.")
    ] = None,
    dictionary: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The words of the dictionary, instead of the most frequent ones.",
        ),
    ] = None,
    dimension: Annotated[int | None, typer.Option(metavar="N", help="The vector size.")] = None,
    window: Annotated[
        int | None, typer.Option(metavar="N", help="The window size in words.")
    ] = None,
    epochs: Annotated[
        float | None,
        typer.Option(metavar="X", help="Passes over the text with the last dictionary."),
    ] = None,
    initial: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="The vectors to start from (base is the package's table), or the encoder.",
        ),
    ] = "",
    config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The configuration. Default: the package's configs/pretrain/*.toml.",
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="Override a setting, for example hidden=200."
        ),
    ] = None,
    text: Annotated[
        Path | None,
        typer.Option(
            "--ids",
            metavar="DIR",
            help="The folder of the tokenised text, which is reused if it exists.",
        ),
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Continue an interrupted run.")
    ] = None,
    jobs: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="The number of processes that tokenise and, for an encoder on a GPU, make "
            "batches (at most 8). Default: all cores.",
            show_default=False,
        ),
    ] = 0,
    device: DeviceOption = "cpu",
) -> None:
    """Learn word vectors from unlabelled text, for senna train --embeddings.

    With --objective encoder the command learns an encoder, for senna train --set train.encoder=DIR.

    The text is tokenised once, into the folder of --ids or DIR/text. Ctrl-C writes the result as
    it is and exits with 130 (SIGTERM: 143); --resume DIR continues the run.

    Several processes share the work: torchrun --nproc-per-node 2 -m senna pretrain TEXT --out DIR
    """
    if resume is not None:
        refuse_beside_resume(context, "device", "jobs")
    start_torch()
    from senna.model.folder import model_path
    from senna.pretraining.config import ENCODER, Job, read_pretraining, with_size
    from senna.pretraining.run import pretrain, read_job

    if resume is not None:
        resolved, job = read_job(resume, device, jobs)
        pretrain(resolved, job, say, resume=True)
        return
    if out is None:
        raise SennaError("no output folder is given", where="--out", mend=EXAMPLE)
    if not sources and text is None:
        raise SennaError("no text is given", where="TEXT", mend=EXAMPLE)
    given = {  # whole paths: --resume may be given in another folder
        "dictionary": str(dictionary.resolve()) if dictionary else "",
        "dimension": dimension,
        "window": window,
        "epochs": epochs,
        "initial": str(model_path(initial).resolve()) if initial else "",
    }
    values: dict[str, object] = {
        name: value for name, value in given.items() if value not in (None, "")
    }
    resolved = read_pretraining(config, objective, settings or [], values)
    if size is not None:
        resolved = with_size(resolved, size)
    command = shlex.join(["senna", *sys.argv[1:]])
    case = "keep" if cased or resolved.objective == ENCODER else "lower"
    job = Job(out, tuple(sources or ()), text, kind, case, device, jobs, command)
    pretrain(resolved, job, say)
