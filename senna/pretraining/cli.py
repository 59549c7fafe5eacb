"""`senna pretrain`: text in, word vectors or an encoder out."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from senna.cli.options import DEVICE, SETTINGS, command_line, say
from senna.cli.train import refuse_beside_resume, stoppable
from senna.errors import SennaError
from senna.settings import Option, switch
from senna.training.start import import_torch

KIND = Option(
    "text: raw English; tokens: one sentence per line, in any language.",
    choices=("text", "tokens"),
    flag="--input",
    default="text",
)
IDS = Option(
    "The folder of the tokenised text, which is reused if it exists.",
    Path,
    flag="--ids",
    metavar="DIR",
)
TEXTS = "Text files; they may be compressed (.xz, .gz, .bz2)."


def start_torch() -> None:
    """Load PyTorch, with one thread per core unless OMP_NUM_THREADS says otherwise."""
    torch = import_torch()
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", 0)) or os.cpu_count() or 1)


EXAMPLE = "Example: senna pretrain news.txt.xz --out vectors --size 30000"


OPTIONS = {
    "out": Option("The folder for the result.", Path, metavar="DIR"),
    "objective": Option(
        "The objective, for example ranking, skipgram or encoder.", metavar="NAME", default=""
    ),
    "kind": KIND,
    "cased": switch("Keep capitals: Apple and apple are two words."),
    "size": Option("The number of words of the (last) dictionary.", int),
    "dictionary": Option(
        "The words of the dictionary, instead of the most frequent ones.", Path, metavar="FILE"
    ),
    "dimension": Option("The vector size.", int),
    "window": Option("The window size in words.", int),
    "epochs": Option("Passes over the text with the last dictionary.", float, metavar="X"),
    "initial": Option(
        "The vectors to start from (base is the package's table), or the encoder.",
        metavar="FILE",
        default="",
    ),
    "config": Option(
        "The configuration. Default: the package's configs/pretrain/*.toml.", Path, metavar="FILE"
    ),
    "settings": SETTINGS._replace(help=SETTINGS.help.format("hidden=200")),
    "text": IDS,
    "resume": Option("Continue an interrupted run.", Path, metavar="DIR"),
    "jobs": Option(
        "The number of processes that tokenise and, for an encoder on a GPU, make batches (at "
        "most 8). Default: all cores.",
        int,
    ),
    "device": DEVICE,
}


@stoppable()
def pretrain_command(
    context: typer.Context,
    sources: Annotated[list[Path] | None, typer.Argument(metavar="TEXT", help=TEXTS)] = None,
    *,
    out: Path | None,
    objective: str,
    kind: str,
    cased: bool,
    size: int | None,
    config: Path | None,
    settings: list[str] | None,
    text: Path | None,
    resume: Path | None,
    jobs: int | None,
    device: str,
    **values: Any,
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
        resolved, job = read_job(resume, device, jobs or 0)
        pretrain(resolved, job, say, resume=True)
        return
    if out is None:
        raise SennaError("no output folder is given", where="--out", remedy=EXAMPLE)
    if not sources and text is None:
        raise SennaError("no text is given", where="TEXT", remedy=EXAMPLE)
    for name, place in (("dictionary", Path), ("initial", model_path)):
        if values[name]:  # whole paths: --resume may be given in another folder
            values[name] = str(place(values[name]).resolve())
    values = {name: value for name, value in values.items() if value not in (None, "")}
    resolved = read_pretraining(config, objective, settings or [], values)
    if size is not None:
        resolved = with_size(resolved, size)
    case = "keep" if cased or resolved.objective == ENCODER else "lower"
    job = Job(out, tuple(sources or ()), text, kind, case, device, jobs or 0, command_line())
    pretrain(resolved, job, say)
