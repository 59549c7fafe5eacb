"""One run several times, each with another seed: the worst, mean and best of its scores."""

from __future__ import annotations

import json
import os
import statistics
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from senna.config import Config, read_config
from senna.errors import SennaError
from senna.files import locked, make_folder, replacing
from senna.pool import in_order
from senna.toml import write_config
from senna.training import run as training_run
from senna.training.run import Run, Say
from senna.training.runs.records import Record, is_finished, read_record

TaskScores = dict[str, dict[str, Any]]  # by task and set


@dataclass(frozen=True)
class Repeated:
    """One of the runs: `<out>/seed-N`."""

    config: Config
    run: Run

    def train(self, say: Say) -> None:
        """Train it, or continue its training."""
        resume = (self.run.out / "checkpoint.pt").exists()
        training_run.train(self.config, self.run, say, resume=resume)


def repeat(config: Config, run: Run, n: int, jobs: int, say: Say) -> Path:
    """Train with seeds 1 to n, in `<out>/seed-N`, and write figures of their scores to runs.json.

    Returns the model with the best dev score. Seeds that are finished are skipped, and those that
    were interrupted go on, so the same call goes on after an interruption. With several `jobs` each
    run has one thread. Raises SennaError if the folder holds other runs, or is in use.
    """
    if config.train.seed != 1:
        raise SennaError(f"--runs trains with seeds 1 to {n}", where="train.seed")
    out = run.out
    with of_several(config, out):
        runs = [
            Repeated(
                replace(config, train=replace(config.train, seed=seed)),
                replace(run, out=out / f"seed-{seed}"),
            )
            for seed in range(1, n + 1)
        ]
        records = train_all(runs, jobs, say)
        figures = summary([record.scores for record in records])
        write_table(out / "runs.json", {"runs": n, "scores": figures})
    for line in shown(figures, n):
        say(line)
    return max(records, key=lambda record: record.best).path / "model"


@contextmanager
def of_several(config: Config, out: Path) -> Iterator[None]:
    """A locked folder of several runs; SennaError if it holds others, or is in use."""
    make_folder(out)
    with locked(out / "runs.lock", "Wait for its end, or choose another --name."):
        _keep_config(config, out)
        yield


def _keep_config(config: Config, out: Path) -> None:
    """Write down what the runs are; refuse a folder of others."""
    path, mend = out / "config.toml", "Choose another --name."
    if (out / "metrics.jsonl").exists():
        raise SennaError("already contains a run", where=str(out), mend=mend)
    if not path.exists():
        write_config(path, config)
    elif read_config(path) != config:
        raise SennaError("contains runs with other settings or data", where=str(out), mend=mend)


def train_all(runs: Sequence[Repeated], jobs: int, say: Say) -> list[Record]:
    """Train the runs that are not finished; the records of all."""
    try:
        _train_each([one for one in runs if not is_finished(one.run.out)], jobs, say)
    except KeyboardInterrupt as stop:
        done = sum(is_finished(one.run.out) for one in runs)
        stop.args = (
            f"stopped; {done} of {len(runs)} runs are complete, the same command continues",
        )
        raise
    return [read_record(one.run.out) for one in runs]


def _train_each(runs: Sequence[Repeated], jobs: int, say: Say) -> None:
    if jobs == 1 or len(runs) < 2:
        for one in runs:
            say(f"{one.run.out}:")
            one.train(say)
        return
    with closing(in_order(trainer, iter(runs), min(jobs, len(runs)))) as trained:
        for one, _ in trained:
            say(f"{one.run.out}: dev {read_record(one.run.out).best:.2f}")


def trainer() -> Callable[[Repeated], None]:
    """A function that trains a run in a process; its lines are not shown."""
    torch.set_num_threads(1)
    os.environ["TQDM_DISABLE"] = "1"
    return lambda one: one.train(lambda line: None)


# --------------------------------------------------------------------------- figures


def summary(scores: Sequence[TaskScores]) -> TaskScores:
    """Of each task and set: its values, their worst, mean and best, and their deviation."""
    figures: TaskScores = {}
    for task, sets in scores[0].items():
        figures[task] = {"measure": sets["measure"]}
        for name in sets:
            if name != "measure":
                values = [of_run[task][name] for of_run in scores]
                figures[task][name] = {
                    "worst": min(values),
                    "mean": round(statistics.mean(values), 3),
                    "best": max(values),
                    "deviation": round(statistics.stdev(values), 3),
                    "values": values,
                }
    return figures


def shown(figures: TaskScores, n: int) -> Iterator[str]:
    """The figures as lines of a table."""
    yield f"{'':20} {'worst':>7} {'mean':>7} {'best':>7} {'s.d.':>7}   {n} runs"
    for task, sets in figures.items():
        for name, row in sets.items():
            if name != "measure":
                numbers = (row[key] for key in ("worst", "mean", "best", "deviation"))
                cells = " ".join(f"{number:7.2f}" for number in numbers)
                yield f"{task:10} {sets['measure']:9} {cells}   {name}"


def write_table(path: Path, table: dict[str, Any]) -> None:
    with replacing(path) as place:
        place.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8", newline="\n")
