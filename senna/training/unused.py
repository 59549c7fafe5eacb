"""Settings that have no effect in a run, which are reported."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from senna.answers import output_of
from senna.conditions import lacking
from senna.config import Config, default_config
from senna.tasks import TASKS
from senna.toml import leaves
from senna.training.losses.criteria import criterion_of


def unused(config: Config) -> Iterator[str]:
    """A line for each setting that has no effect in a run.

    Settings of the package's own configuration of the tasks are not reported.
    """
    usual = dict(leaves(asdict(default_config(config.tasks))))
    for key, value, _, why in (*lacking("used", config), *_by_corpora_and_criteria(config)):
        if value != usual.get(key):
            yield f"warning: {key} = {json.dumps(value)} has no effect {why}"
    for task in config.tasks:
        for source in config.data[task].train:
            if source.unlabelled and not TASKS[task].is_tagging:
                yield f"warning: unlabelled of {source.corpus} has no effect for {task}"
            levels = config.features.levels
            if source.levels and not (levels.size and levels.source == "column"):
                yield f"warning: levels of {source.corpus} has no effect without features.levels"
            if source.split and Path(source.corpus).is_file():
                yield f"warning: split = {source.split!r} of {source.corpus} has no effect: a file"


def _by_corpora_and_criteria(config: Config) -> Iterator[tuple[str, Any, str, str]]:
    """Rules for unused settings that depend on tables of other modules."""
    tasks, train, network = config.tasks, config.train, config.network
    data = {task: config.data[task] for task in tasks}
    phrases = any(TASKS[task].is_tagging and output_of(task).is_iobes for task in tasks)
    phrases |= network.transitions == "full" and any(TASKS[t].head == "roles" for t in tasks)
    paths = criterion_of(train.criterion).paths
    if not (network.constrained or (paths and phrases)):
        why = f"for {','.join(tasks)}" if paths else f'with train.criterion = "{train.criterion}"'
        yield "network.constrained", False, "", why
    if train.criterion == "word" and not any(TASKS[t].head in ("tags", "roles") for t in tasks):
        yield "train.criterion", "word", "", f"for {','.join(tasks)}"
    if train.patience and not any(part.dev or part.dev_share for part in data.values()):
        yield "train.patience", train.patience, "", "without a dev set"
    for task, part in data.items():
        if part.dev and part.dev_share:
            yield f"data.{task}.dev_share", part.dev_share, "", "beside a dev set"
