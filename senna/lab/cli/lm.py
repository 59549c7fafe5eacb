"""`senna lm`: language models that `senna pretrain` has learnt."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from senna.cli.options import Program
from senna.errors import SennaError
from senna.pretraining.cli import KIND, TEXTS
from senna.settings import Option

# `senna --help` imports this file: what the commands need is imported in them.
if TYPE_CHECKING:
    from senna.lab.pretraining.language import LanguageRun

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
    from senna.training.start import import_torch

    import_torch()
    from senna.lab.pretraining.language import LanguageRun

    return LanguageRun.load(model)
