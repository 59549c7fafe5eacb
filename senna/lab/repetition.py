"""One run several times: with other seeds, or on parts of its training set, each in the next."""

from __future__ import annotations

import json
import os
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from senna.atomic import locked, make_folder, put_text
from senna.errors import SennaError
from senna.lab.records import Record, is_finished, read_record, write_sizes
from senna.pipeline.jobs import in_order
from senna.training import run as training_run
from senna.training.config import Config, read_run, write_config
from senna.training.examples.corpora import read_corpora
from senna.training.run import Run, Say

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


def check(
    runs: int | None, sizes: Sequence[int], jobs: int, out: str | os.PathLike[str] | None
) -> None:
    """Refuse numbers of runs, sizes and processes that make no sense."""
    if runs is None and not sizes:
        raise SennaError("--jobs needs --runs or --sizes", where=f"--jobs {jobs}")
    if runs is not None and sizes:
        raise SennaError("--runs and --sizes cannot be combined", where="--sizes")
    if sizes and (len(set(sizes)) < 2 or min(sizes) < 1):
        what = "a learning curve needs two sizes or more"
        raise SennaError(what, where="--sizes", remedy="For example --sizes 50,100,200.")
    if runs is not None and runs < 2:
        what = "one run has no standard deviation"
        raise SennaError(what, where=f"--runs {runs}", remedy="Give 2 or more.")
    if jobs < 1:
        raise SennaError("expected at least 1", where=f"--jobs {jobs}")
    if out is None:
        remedy = "Add --name; then an interrupted command can be repeated."
        option = "--sizes" if sizes else "--runs"
        raise SennaError("a name is needed", where=option, remedy=remedy)


def train(
    config: Config, run: Run, runs: int | None, sizes: Sequence[int], jobs: int, say: Say
) -> Path:
    """Train with some seeds, or on sets of some sizes; returns the best or the last model."""
    if runs is not None:
        return repeat(config, run, runs, jobs, say)
    return learning_curve(config, run, sorted(set(sizes)), jobs, say)


def repeat(config: Config, run: Run, n: int, jobs: int, say: Say) -> Path:
    """Train with seeds 1 to n, in `<out>/seed-N`, and write figures of their scores to runs.json.

    Returns the model with the best dev score. Seeds that are finished are skipped, and those that
    were interrupted go on, so the same call goes on after an interruption. With several `jobs` each
    run has one thread. Raises SennaError if the folder holds other runs, or is in use.
    """
    if config.train.seed != 1:
        raise SennaError(f"--runs trains with seeds 1 to {n}", where="train.seed")
    seeds = range(1, n + 1)
    runs = [replace(config, train=replace(config.train, seed=seed)) for seed in seeds]
    with trained(config, run, [f"seed-{seed}" for seed in seeds], runs, jobs, say) as records:
        figures = summary([record.scores for record in records])
        table = {"runs": n, "scores": figures}
        put_text(run.out / "runs.json", json.dumps(table, indent=1) + "\n")
    for line in shown(figures, n):
        say(line)
    return max(records, key=lambda record: record.best).path / "model"


@contextmanager
def trained(
    config: Config, run: Run, names: Sequence[str], runs: Sequence[Config], jobs: int, say: Say
) -> Iterator[list[Record]]:
    """Train runs in folders of their names below one that is locked; the records of all.

    SennaError if the folder holds other runs, or is in use.
    """
    out, remedy = run.out, "Choose another --name."
    several = [
        Repeated(own, replace(run, out=out / name)) for name, own in zip(names, runs, strict=True)
    ]
    make_folder(out)
    with locked(out / "runs.lock", "Wait for its end, or choose another --name."):
        if (out / "metrics.jsonl").exists():
            raise SennaError("already contains a run", where=str(out), remedy=remedy)
        if not (out / "config.toml").exists():
            write_config(out / "config.toml", config)
        elif read_run(out) != config:
            what = "contains runs with other settings or data"
            raise SennaError(what, where=str(out), remedy=remedy)
        try:
            _train_each([one for one in several if not is_finished(one.run.out)], jobs, say)
        except KeyboardInterrupt as stop:
            done = sum(is_finished(one.run.out) for one in several)
            of_all = f"{done} of {len(runs)} runs are complete"
            stop.args = (f"stopped; {of_all}, the same command continues",)
            raise
        yield [read_record(one.run.out) for one in several]


def _train_each(runs: Sequence[Repeated], jobs: int, say: Say) -> None:
    if jobs == 1 or len(runs) < 2:
        for one in runs:
            say(f"{one.run.out}:")
            one.train(say)
        return
    with closing(in_order(trainer, iter(runs), min(jobs, len(runs)))) as results:
        for one, _ in results:
            say(f"{one.run.out}: dev {read_record(one.run.out).best:.2f}")


def trainer(say: Say = lambda line: None) -> Callable[[Repeated], None]:
    """A function that trains a run in one thread; several processes show no lines."""
    torch.set_num_threads(1)
    os.environ["TQDM_DISABLE"] = "1"
    return lambda one: one.train(say)


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


# --------------------------------------------------------------------------- sizes


def learning_curve(config: Config, run: Run, sizes: Sequence[int], jobs: int, say: Say) -> Path:
    """Train on so many sentences each time, in `<out>/size-N`; returns the model of the largest.

    Writes the scores to sizes.json, and to sizes.svg if matplotlib is installed. Runs that are
    finished are skipped, so the same call goes on after an interruption.
    """
    runs = [
        replace(config, data={task: replace(own, size=size) for task, own in config.data.items()})
        for size in sizes
    ]
    read_corpora(config.tasks, runs[-1].data, run.data_dir)  # SennaError if it has fewer sentences
    with trained(config, run, [f"size-{size}" for size in sizes], runs, jobs, say) as records:
        table = {str(size): r.scores for size, r in zip(sizes, records, strict=True)}
        put_text(run.out / "sizes.json", json.dumps({"sizes": table}, indent=1) + "\n")
        curves = {task: [r.of_model(task) or 0.0 for r in records] for task in config.tasks}
        for line in curve(sizes, curves):
            say(line)
        try:
            write_sizes(sizes, curves, run.out / "sizes.svg")
            say(f"curve: {run.out / 'sizes.svg'}")
        except SennaError as error:  # matplotlib is not installed
            say(f"no picture of the curve: {error}")
    return records[-1].path / "model"


def curve(sizes: Sequence[int], curves: Mapping[str, Sequence[float]]) -> Iterator[str]:
    """The dev scores of tasks by the number of training sentences, as lines of a table."""
    yield "sentences  " + "  ".join(f"{task + ' dev':>10}" for task in curves)
    for i, size in enumerate(sizes):
        yield f"{size:9,}  " + "  ".join(f"{scores[i]:10.2f}" for scores in curves.values())
