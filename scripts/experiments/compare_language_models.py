"""Train every language model of `senna pretrain` on the same text, and print one table of them.

usage: python scripts/experiments/compare_language_models.py IDS [--clusters FILE] [--only NAME ...]
           [--size 20000] [--words 1000000] [--epochs 3] [--held-out 100000] [--out runs/lms]
           [--recurrent KEY=VALUE ...]

IDS is a folder of tokenised text (`senna pretrain --ids`), FILE is written by `senna vectors
cluster`, for the softmaxes of classes and of their tree. Settings are those of configs/pretrain;
`--recurrent` changes those of the recurrent model, for example hidden=128. It passes over the text
once. Perplexities, that of Kneser-Ney trigrams too, are of the same 50,000 held-out words; all
models have the rank of the true word among 1,000, and its logarithm. A finished run is not repeated
and an interrupted one continues: the same command prints the table.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

from senna.pretraining.config import Job, read_pretraining
from senna.pretraining.run import pretrain

AHEAD, CLASSES, TREE = "ahead=true", "softmax=classes", "softmax=tree"
MODELS: dict[str, tuple[str, str, list[str]]] = {  # what it sees, objective, settings
    "feed-forward": ("before", "likelihood", [AHEAD]),
    "feed-forward, NCE": ("before", "likelihood", [AHEAD, "softmax=nce", "learning_rate=0.03"]),
    "feed-forward, classes": ("before", "likelihood", [AHEAD, CLASSES]),
    "feed-forward, tree": ("before", "likelihood", [AHEAD, TREE]),
    "log-bilinear": ("before", "bilinear", [AHEAD]),
    "recurrent": ("all before", "recurrent", ["epochs=1"]),
    "recurrent, classes": ("all before", "recurrent", ["epochs=1", CLASSES]),
    "feed-forward, both sides": ("around", "likelihood", []),
    "log-bilinear, both sides": ("around", "bilinear", []),
    "ranking": ("around", "ranking", []),
    "skip-gram": ("around", "skipgram", []),
    "positional skip-gram": ("around", "positional", []),
    "CBOW": ("around", "cbow", []),
}


def run(name: str, chosen: argparse.Namespace) -> Path | None:
    """Train a model, go on with it, or leave it as it is; None without the clusters it needs."""
    _, objective, settings = MODELS[name]
    if CLASSES in settings or TREE in settings:
        if not chosen.clusters:
            return None
        settings = [*settings, f"clusters={chosen.clusters.resolve()}"]
    common = [f"sizes=[{chosen.size}]", f"words={chosen.words}", f"held_out={chosen.held_out}"]
    common += [f"epochs={chosen.epochs}", f"baseline={3 if name == 'feed-forward' else 0}"]
    out = chosen.out / name.replace(", ", "-").replace(" ", "-").lower()
    if objective == "recurrent":
        settings = [*settings, *chosen.recurrent]
    config = read_pretraining(None, objective, [*common, *settings])
    command = "scripts/experiments/compare_language_models.py"
    job = Job(out, text=chosen.ids, command=command)
    print(name, file=sys.stderr)
    pretrain(config, job, say, resume=(out / "checkpoint.pt").exists())
    return out


def say(line: str) -> None:
    print(f"  {line}", file=sys.stderr, flush=True)


def figures(out: Path) -> dict[str, Any]:
    """What a run has measured at its end."""
    lines = (out / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    table: dict[str, Any] = {}
    for line in lines:
        table |= json.loads(line)
    return table


def table(runs: dict[str, Path]) -> Iterator[str]:
    """Markdown: a row for each model, that of Kneser-Ney first."""
    yield "| model | words that it sees | perplexity | rank | log-rank | windows/s | seconds |"
    yield "|---|---|---:|---:|---:|---:|---:|"
    measured = {name: figures(out) for name, out in runs.items()}
    for values in measured.values():
        if "ngram_perplexity" in values:
            yield f"| Kneser-Ney trigrams | 2 before | {values['ngram_perplexity']:.1f} | | | | |"
    for name, values in measured.items():
        likely = f"{values['perplexity']:.1f}" if "perplexity" in values else ""
        rank, log_rank = f"{values['rank']:.1f}", f"{values['log_rank']:.3f}"
        speed = f"{values['windows_per_second']:,} | {values['seconds']:.0f}"
        yield f"| {name} | {MODELS[name][0]} | {likely} | {rank} | {log_rank} | {speed} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ids", type=Path)
    parser.add_argument("--clusters", type=Path)
    parser.add_argument("--only", nargs="+", default=list(MODELS), choices=MODELS, metavar="NAME")
    parser.add_argument("--size", type=int, default=20_000)
    parser.add_argument("--words", type=int, default=1_000_000)
    parser.add_argument("--epochs", type=float, default=3)
    parser.add_argument("--held-out", type=int, default=100_000)
    parser.add_argument("--out", type=Path, default=Path("runs/lms"))
    parser.add_argument("--recurrent", nargs="+", default=[], metavar="KEY=VALUE")
    parser.add_argument("--threads", type=int, default=1)
    chosen = parser.parse_args()
    torch.set_num_threads(chosen.threads)
    runs = {name: out for name in chosen.only if (out := run(name, chosen))}
    print("\n".join(table(runs)))


if __name__ == "__main__":
    main()
