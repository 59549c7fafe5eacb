"""A learning curve: one configuration trained on parts of its training set, each in the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from senna.config import Config, with_epochs
from senna.errors import SennaError
from senna.lab.runs.curves import write_sizes
from senna.training.examples.corpora import read_corpora
from senna.training.run import Run, Say
from senna.training.runs.records import Record
from senna.training.runs.repetition import Repeated, of_several, train_all, write_table


def check_sizes(sizes: Sequence[int]) -> tuple[int, ...]:
    """The sizes in order; SennaError for fewer than two, and for what is no size."""
    if len(set(sizes)) < 2 or min(sizes) < 1:
        what = "a learning curve needs two sizes or more"
        raise SennaError(what, where="--sizes", mend="For example --sizes 50,100,200.")
    return tuple(sorted(set(sizes)))


def learning_curve(
    config: Config, run: Run, sizes: Sequence[int], jobs: int, say: Say, free: bool
) -> Path:
    """Train on so many sentences each time, in `<out>/size-N`; returns the model of the largest.

    free: whether the number of epochs may depend on the size.

    Writes the scores to sizes.json, and to sizes.svg if matplotlib is installed. Runs that are
    finished are skipped, so the same call goes on after an interruption.
    """
    largest = _of_size(config, sizes[-1], free)
    read_corpora(config.tasks, largest.data, run.data_dir)  # SennaError if it has fewer sentences
    with of_several(config, run.out):
        runs = [
            Repeated(_of_size(config, size, free), replace(run, out=run.out / f"size-{size}"))
            for size in sizes
        ]
        records = train_all(runs, jobs, say)
        table = {str(size): r.scores for size, r in zip(sizes, records, strict=True)}
        write_table(run.out / "sizes.json", {"sizes": table})
        for line in _shown(sizes, records):
            say(line)
        curves = {task: [_dev(record, task) for record in records] for task in config.tasks}
        try:
            write_sizes(sizes, curves, run.out / "sizes.svg")
            say(f"curve: {run.out / 'sizes.svg'}")
        except SennaError as error:  # matplotlib is not installed
            say(f"no picture of the curve: {error}")
    return records[-1].path / "model"


def _of_size(config: Config, size: int, free: bool) -> Config:
    data = {task: replace(of_task, size=size) for task, of_task in config.data.items()}
    train = with_epochs(config.train, size) if free else config.train
    return replace(config, data=data, train=train)


def _dev(record: Record, task: str) -> float:
    """The dev score of a task that the model of a run has, as in sizes.json."""
    return record.of_model(task) or 0.0


def _shown(sizes: Sequence[int], records: Sequence[Record]) -> list[str]:
    """The scores as lines of a table, a size per line."""
    tasks = records[0].tasks
    lines = ["sentences  " + "  ".join(f"{task + ' dev':>10}" for task in tasks)]
    for size, record in zip(sizes, records, strict=True):
        cells = "  ".join(f"{_dev(record, task):10.2f}" for task in tasks)
        lines.append(f"{size:9,}  {cells}")
    return lines
