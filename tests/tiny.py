"""Small models that tests train for themselves on the demonstration corpus, in a second or two."""

import fcntl
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from senna.corpora.store import demo_data
from senna.files import resource
from senna.training.config import Config, override, read_config
from senna.training.run import Run, train

# What makes a default configuration small; also `--set` options of `senna train`.
SMALL = (
    "features.word.embeddings=",
    "features.word.size=16",
    "features.suffix.size=4",
    "features.characters.filters=8",
    "features.gazetteer.size=0",
    "features.tags.pos.size=0",
    "network.gated.units=32",
    "network.gated.dilations=[1, 2]",
    "train.learning_rate=0.01",
    "train.average=0.0",
    "train.epochs=2",
)

# What more makes the default of trees small.
TREES = (
    "network.gated.units=24",
    "network.gated.dilations=[1, 2]",
    "network.tree.units=24",
    "network.tree.labels=24",
    "train.epochs=1",
    "train.batch=4",
    "export.rank=0",
)


def small_config(task: str, *settings: str) -> Config:
    """The task's default configuration, small, on the demonstration corpus."""
    config = read_config(resource(f"configs/{task}.toml"))
    config = replace(config, data={task: demo_data(task, resource("data/demo"))})
    return override(config, [*SMALL, *settings])


def train_small(task: str, folder: Path, *settings: str) -> Path:
    """Train a small model in `folder`; returns the model's folder."""
    config = small_config(task, *settings)
    return train(config, Run(folder, command=f"test {task}"), lambda line: None)


def made_once(
    factory: pytest.TempPathFactory, name: str, make: Callable[[Path, Callable[[], Path]], None]
) -> Path:
    """A folder that is made by one of the processes of pytest-xdist, and read by all.

    make: it gets the folder, and a function for folders of runs.
    """
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    with (folder.parent / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock.fileno(), fcntl.LOCK_EX)  # until it is closed
        if not (folder / "made").exists():
            folder.mkdir(exist_ok=True)
            make(folder, lambda: factory.mktemp("run"))
            (folder / "made").touch()
    return folder
