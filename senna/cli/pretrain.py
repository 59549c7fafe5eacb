"""`senna pretrain`: text in, word vectors out."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from senna.cli.options import TokeniseJobs, choice, say
from senna.cli.resumable import refuse_beside_resume, start_torch, stoppable
from senna.errors import SennaError

EXAMPLE = "Example: senna pretrain news.txt.xz --out vectors --size 30000"


@stoppable()
def pretrain_command(
    context: typer.Context,
    sources: Annotated[
        list[Path] | None, typer.Argument(metavar="TEXT", help="Files; .xz, .gz, .bz2 too.")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Folder for the vectors.")] = None,
    objective: Annotated[
        str,
        typer.Option(metavar="NAME", help="As ranking, skipgram, recurrent"),
    ] = "",
    kind: Annotated[
        str,
        choice(
            ("text", "tokens"),
            "--input",
            help="text: raw English; tokens: a sentence a line, any language.",
        ),
    ] = "text",
    cased: Annotated[
        bool, typer.Option("--cased", help="Keep capitals: Apple and apple are two words.")
    ] = False,
    size: Annotated[
        int | None, typer.Option(metavar="N", help="Words of the (last) dictionary.")
    ] = None,
    curriculum: Annotated[
        str, typer.Option(metavar="LIST", help="Successive dictionaries, as 5000,30000,100000.")
    ] = "",
    dictionary: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Its words, instead of the most frequent.")
    ] = None,
    dimension: Annotated[int | None, typer.Option(metavar="N", help="Numbers a word.")] = None,
    window: Annotated[int | None, typer.Option(metavar="N", help="Words of a window.")] = None,
    epochs: Annotated[
        float | None, typer.Option(metavar="X", help="Passes with the last one.")
    ] = None,
    breed: Annotated[
        int | None,
        typer.Option(metavar="K", help="Settings that compete in the beginning."),
    ] = None,
    initial: Annotated[
        str, typer.Option(metavar="FILE", help="Vectors to start from; base: ours.")
    ] = "",
    config: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Default: the package's configs/pretrain/*.toml."),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Override, as hidden=200."),
    ] = None,
    text: Annotated[
        Path | None,
        typer.Option("--ids", metavar="DIR", help="Keep the tokenised text here: used again."),
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Go on with an interrupted run.")
    ] = None,
    jobs: TokeniseJobs = 0,
    device: Annotated[str, typer.Option(help="cpu, cuda, cuda:1, ...")] = "cpu",
) -> None:
    """Learn word vectors from unlabelled text, for senna train --embeddings.

    The text is tokenised once, into the folder of --ids or DIR/text. Ctrl-C writes the vectors
    as they are and exits with 130 (SIGTERM: 143); --resume DIR goes on.

    Several processes share the work: torchrun --nproc-per-node 2 -m senna pretrain TEXT --out DIR
    """
    if resume is not None:
        refuse_beside_resume(context, "device", "jobs")
    start_torch()
    from senna.model.folder import model_path
    from senna.pretraining.config import Job, override, read_pretraining
    from senna.pretraining.run import pretrain, read_job

    if resume is not None:
        resolved, job = read_job(resume, device, jobs)
        pretrain(resolved, job, say, resume=True)
        return
    if out is None:
        raise SennaError("where to?", where="--out", mend=EXAMPLE)
    if size is not None and curriculum:
        raise SennaError("--size is the last of --curriculum", where="--size", mend="Give one.")
    if not sources and text is None:
        raise SennaError("no text given", where="TEXT", mend=EXAMPLE)
    given = {  # whole paths: --resume may be given in another folder
        "dictionary": str(dictionary.resolve()) if dictionary else "",
        "dimension": dimension,
        "window": window,
        "epochs": epochs,
        "breed": breed,
        "initial": str(model_path(initial).resolve()) if initial else "",
    }
    values: dict[str, object] = {
        name: value for name, value in given.items() if value not in (None, "")
    }
    sizes = [f"sizes=[{curriculum}]"] if curriculum else []
    resolved = read_pretraining(config, objective, [*sizes, *(settings or [])], values)
    if size is not None:
        smaller = [known for known in resolved.sizes if known < size]
        resolved = override(resolved, [], {"sizes": [*smaller, size]})
    command = shlex.join(["senna", *sys.argv[1:]])
    case = "keep" if cased else "lower"
    job = Job(out, tuple(sources or ()), text, kind, case, device, jobs, command)
    pretrain(resolved, job, say)
