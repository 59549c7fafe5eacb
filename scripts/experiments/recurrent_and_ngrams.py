"""Train a recurrent language model on more and more words, and compare it with n-grams.

usage: python scripts/experiments/recurrent_and_ngrams.py IDS [--words 200000 2000000]
           [--epochs 4 4] [--size 20000] [--held-out 50000] [--out runs/recurrent]
           [--set KEY=VALUE ...]

IDS is a folder of tokenised text (`senna pretrain --ids`). The model reads forwards alone; `--set`
changes its settings. Every perplexity is of all words of the last `--held-out` tokens, with the
same dictionary; n-grams are Kneser-Ney's, of the words that the model has read. "Both" is the mean
of the probabilities of the model and of the longest n-grams. A finished run is not repeated and an
interrupted one continues: the same command prints the table.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch

from senna.lab.pretraining.language import LanguageRun
from senna.pretraining.config import Job, Pretraining, read_pretraining
from senna.pretraining.run import pretrain
from senna.training.loop import log_metrics

ORDERS = (2, 3, 4, 5)
SETTINGS = (
    *("ahead=true", "hidden=256", "projection=0"),
    *("batch=1024", "sample=2048", "network_rate=0.002", "baseline=0"),
)
HEADING = (
    "words",
    *(f"{n}-grams" for n in ORDERS),
    *("recurrent", "both", "epochs", "CPU minutes", "words/s"),
)


def run(words: int, epochs: float, chosen: argparse.Namespace) -> Path:
    """Train a model, go on with it, or leave it as it is; its folder."""
    common = [f"sizes=[{chosen.size}]", f"words={words}", f"held_out={chosen.held_out}"]
    common.append(f"epochs={epochs}")
    config = read_pretraining(None, "recurrent", [*common, *SETTINGS, *chosen.set])
    out: Path = chosen.out / f"{words}"
    job = Job(out, text=chosen.ids, command="scripts/experiments/recurrent_and_ngrams.py")
    began = time.process_time()
    try:
        pretrain(config, job, say, resume=(out / "checkpoint.pt").exists())
    finally:
        log_metrics(out, {"cpu_seconds": round(time.process_time() - began, 1)})
    return out


def say(line: str) -> None:
    print(f"  {line}", file=sys.stderr, flush=True)


def row(out: Path) -> Iterator[str]:
    """The cells of a run."""
    model = LanguageRun.load(out)
    config: Pretraining = model.config
    lines = [json.loads(line) for line in (out / "metrics.jsonl").read_text("utf-8").splitlines()]
    rows = model.own_text[1]
    scores = model.score(rows)
    yield f"{config.words:,}"
    for order in ORDERS:
        ngrams = model.score_by_ngrams(rows, order)
        yield f"{ngrams.perplexity:.1f}"
    both = np.logaddexp(scores.logs, ngrams.logs) - math.log(2)
    yield f"{scores.perplexity:.1f}"
    yield f"{math.exp(-both.mean()):.1f}"
    seconds = sum(line.get("cpu_seconds", 0) for line in lines)
    yield f"{config.epochs:g}"
    yield f"{seconds / 60:.1f}"
    yield f"{config.words * config.epochs / seconds:,.0f}"


def table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Markdown."""
    yield f"| {' | '.join(HEADING)} |"
    yield "|---:" * len(HEADING) + "|"
    for cells in rows:
        yield f"| {' | '.join(cells)} |"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("ids", type=Path)
    parser.add_argument("--words", type=int, nargs="+", default=[200_000, 2_000_000])
    parser.add_argument("--epochs", type=float, nargs="+", default=[4, 4], help="of each size")
    parser.add_argument("--size", type=int, default=20_000)
    parser.add_argument("--held-out", type=int, default=50_000)
    parser.add_argument("--out", type=Path, default=Path("runs/recurrent"))
    parser.add_argument("--set", nargs="+", default=[], metavar="KEY=VALUE")
    parser.add_argument("--threads", type=int, default=1)
    chosen = parser.parse_args(arguments)
    torch.set_num_threads(chosen.threads)
    if len(chosen.epochs) != len(chosen.words):
        parser.error("--epochs needs a number for each of --words")
    sizes = zip(chosen.words, chosen.epochs, strict=True)
    print("\n".join(table([list(row(run(*each, chosen))) for each in sizes])))


if __name__ == "__main__":
    main()
