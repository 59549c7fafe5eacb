"""Train the same taggers from several word vectors, and print their scores beside each other.

usage: python scripts/experiments/compare_embeddings.py random interim=vectors ours=DIR ... \
           [--tasks conll-ner,conll-chunk,ner,pos-chunk] [--features paper,best] [--seeds 1,2,3] \
           [--out runs/embeddings]

Vectors are NAME=PATH; `random` starts from random numbers. Finished trainings are not repeated
(their scores stand in OUT/scores.jsonl), so the same command continues where it was interrupted.
`--table` prints what there is, as mean and spread over the seeds, and trains nothing.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import torch

from senna.config import Config, override, read_config
from senna.files import resource
from senna.model.folder import read_model
from senna.training.run import Run, train

# Shorter trainings than the configurations ask for: enough to tell vectors apart.
WINDOW = ("train.epochs=6", "train.encoder=", "network.kind=window")
LAYERS = ("network.window.widths=[5, 3]", "network.window.hidden=[300, 300]")
TASKS = {
    "conll-ner": ("configs/research/ner.toml", [*WINDOW]),
    "conll-chunk": ("configs/research/chunk.toml", [*WINDOW, *LAYERS, "train.dropout_input=0.4"]),
    "ner": ("configs/ner.toml", ["train.epochs=2"]),
    "pos-chunk": ("configs/multitask.toml", ["train.epochs=3"]),
}
FEATURES = {
    # Words and capitals, as in section 4.
    "paper": [
        *(
            f"features.{name}.size=0"
            for name in ("case", "prefix", "suffix", "tags.pos", "gazetteer")
        ),
        "features.characters.filters=0",
        "train.dropout_input=0.0",
        "train.dropout_hidden=0.0",
    ],
    "best": [],
}
OPEN = {
    "pos": {"train": ["pos/ewt", "pos/gum"], "dev": ["pos/ewt", "pos/gum"], "test": ["pos/ewt"]},
    "chunk": {name: ["chunk/ewt", "chunk/masc"] for name in ("train", "dev", "test")},
}


def configuration(task: str, features: str, vectors: str, seed: int) -> Config:
    """The configuration of one training."""
    path, settings = TASKS[task]
    config = read_config(resource(path))
    if task == "pos-chunk":
        config = override(config, ['tasks=["pos", "chunk"]', *open_data()])
    if vectors == "random":
        word = ['features.word.embeddings=""', "features.word.size=50"]
    else:
        word = [f"features.word.embeddings={vectors}", "features.word.size=0"]
    word += ["features.word.scale=0.12", "export.numbers=float16"]
    return override(config, [*settings, *FEATURES[features], *word, f"train.seed={seed}"])


def open_data() -> Iterator[str]:
    for task, sets in OPEN.items():
        for split, names in sets.items():
            yield f"data.{task}.{split}={json.dumps(names)}"
    yield "data.pos.merge_to=true"


def run(task: str, features: str, name: str, vectors: str, seed: int, out: Path) -> dict[str, Any]:
    """Train once and return a line of scores; the run's folder is removed again."""
    folder = out / f"{task}-{features}-{name}-{seed}"
    shutil.rmtree(folder, ignore_errors=True)  # of an interrupted run
    config = configuration(task, features, vectors, seed)
    model = train(config, Run(folder, command="scripts/experiments/compare_embeddings.py"), say=say)
    about = read_model(model).about
    if about["made"]["epochs"] < config.train.epochs:  # Ctrl-C
        sys.exit("interrupted; the same command continues")
    scores = about["scores"]
    shutil.rmtree(folder)
    return {"task": task, "features": features, "vectors": name, "seed": seed, "scores": scores}


def table(lines: list[dict[str, Any]]) -> Iterator[str]:
    """Markdown: one table for each task and kind of features, one row for each set of vectors."""
    for task, features in product(TASKS, FEATURES):
        chosen = [line for line in lines if (line["task"], line["features"]) == (task, features)]
        if not chosen:
            continue
        sets = list(columns(chosen[0]))
        yield f"\n{task}, {features} features\n"
        yield "| vectors | seeds | " + " | ".join(sets) + " |"
        yield "|---|---|" + "---|" * len(sets)
        for name in dict.fromkeys(line["vectors"] for line in chosen):
            lines_of_name = [columns(line) for line in chosen if line["vectors"] == name]
            cells = [shown([values[key] for values in lines_of_name]) for key in sets]
            yield f"| {name} | {len(lines_of_name)} | " + " | ".join(cells) + " |"


def columns(line: dict[str, Any]) -> dict[str, float]:
    """Score by set; with several tasks the task comes first."""
    return {
        (f"{task} {name}" if len(line["scores"]) > 1 else name): value
        for task, sets in line["scores"].items()
        for name, value in sets.items()
        if name != "measure"
    }


def shown(values: list[float]) -> str:
    """Mean, and half of the distance between the extremes."""
    spread = f" ± {(max(values) - min(values)) / 2:.2f}" if len(values) > 1 else ""
    return f"{statistics.mean(values):.2f}{spread}"


def say(line: str) -> None:
    print(line, file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("vectors", nargs="*", help="random, or NAME=PATH")
    parser.add_argument("--tasks", default=",".join(TASKS))
    parser.add_argument("--features", default=",".join(FEATURES))
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--out", type=Path, default=Path("runs/embeddings"))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--table", action="store_true", help="print what there is")
    chosen = parser.parse_args()
    torch.set_num_threads(chosen.threads)
    chosen.out.mkdir(parents=True, exist_ok=True)
    path = chosen.out / "scores.jsonl"
    if not chosen.table:
        named = [item.partition("=")[::2] for item in chosen.vectors]
        seeds = [int(seed) for seed in chosen.seeds.split(",")]
        kinds = chosen.tasks.split(","), chosen.features.split(",")
        for seed, task, features, (name, vectors) in product(seeds, *kinds, named):
            key = {"task": task, "features": features, "vectors": name, "seed": seed}
            if any(key.items() <= line.items() for line in read(path)):
                continue
            say(", ".join(map(str, key.values())))
            result = run(task, features, name, vectors or name, seed, chosen.out)
            with path.open("a", encoding="utf-8", newline="\n") as file:
                file.write(json.dumps(result) + "\n")
    print("\n".join(table(read(path))))


def read(path: Path) -> list[dict[str, Any]]:
    """The scores of finished trainings."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    main()
