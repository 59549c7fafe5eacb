"""`senna pretrain`: text in, word vectors or an encoder out; `senna lm`: use a language model."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from senna.cli.options import DEVICE, SETTINGS, Program, command_line, say
from senna.cli.train import refuse_beside_resume, stoppable
from senna.errors import SennaError
from senna.settings import Option, switch
from senna.training.start import import_torch

# `senna --help` imports this file: what the commands need is imported in them.
if TYPE_CHECKING:
    from senna.pretraining.language import LanguageRun

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


# --------------------------------------------------------------------------- language models

ABOUT = "Use a language model: how probable a text is, and random text."
lm_app = Program(help=ABOUT, no_args_is_help=True)

MODEL = Option("The folder of a run of senna pretrain.", Path, metavar="DIR", required=True)
SCORE = {
    "model": MODEL,
    "kind": KIND,
    "ngrams": Option(
        "Also print the perplexity by Kneser-Ney n-grams of this order, counted in the text that "
        "the run was trained on. Repeatable.",
        list[int],
        least=1,
        most=10,
        metavar="N",
    ),
}
SAMPLE = {
    "model": MODEL,
    "n": Option("The number of lines.", int, flag="--number", short="-n", least=1, default=5),
    "length": Option("The number of words per line.", int, least=1, default=20),
    "start": Option("The words that each line begins with.", metavar="TEXT", default=""),
    "temperature": Option(
        "Below 1, probable words are drawn more often.", float, metavar="X", default=1.0
    ),
    "seed": Option("The seed of the random numbers.", int, least=0, default=1),
}
WORDS = 50_000  # of what a run has held out


@lm_app.command("score", SCORE, epilog="Example: senna lm score text.txt --model runs/lm")
def score_text(
    sources: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="TEXT",
            help=f"{TEXTS} Default: the text that the run held out, of at most 50,000 words.",
        ),
    ] = None,
    *,
    model: Path,
    kind: str,
    ngrams: list[int] | None,
) -> None:
    """Print the perplexity of a text: the lower, the better the model predicts it.

    A word that is not in the dictionary counts as the unknown word.
    """
    run = _run(model)
    if sources:
        rows = run.read(sources, kind)
    else:
        own = run.own_text[1]
        rows = own[: int((own > 0).cumsum().searchsorted(WORDS)) + 1]
    scores = run.score(rows)
    given = "those before it" if run.ahead else "the words on both sides"
    share = f"{scores.unknown:.2%} of them unknown, each given {given}"
    typer.echo(f"perplexity {scores.perplexity:.2f} of {len(scores.logs):,} words, {share}")
    for order in ngrams or ():
        value = run.score_by_ngrams(rows, order).perplexity
        typer.echo(f"perplexity {value:.2f} by Kneser-Ney n-grams of order {order}")


@lm_app.command(
    "sample", SAMPLE, epilog="Example: senna lm sample --model runs/lm --start 'the council'"
)
def sample_text(*, model: Path, n: int, start: str, seed: int, **drawn: Any) -> None:
    """Print random text, drawn word by word, by a model that predicts from left to right.

    Such models are recurrent ones, and others that were trained with --set ahead=true. They do not
    predict the ends of sentences.
    """
    if drawn["temperature"] <= 0:
        where = f"--temperature {drawn['temperature']}"
        raise SennaError("expected a number above 0", where=where)
    run = _run(model)
    for number in range(n):
        words = run.sample(start=start.split(), seed=seed + number, **drawn)
        typer.echo(" ".join([*start.split(), *words]).encode("utf-8", "surrogateescape"))


def _run(model: Path) -> LanguageRun:
    import_torch()
    from senna.pretraining.language import LanguageRun

    return LanguageRun.load(model)
