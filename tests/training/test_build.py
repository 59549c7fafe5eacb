"""Settings that a network or a task cannot use are refused before anything is read."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from senna.config import Config, DataConfig, Source, override
from senna.errors import SennaError
from senna.training.build import check_names

NO_DEV = {"ner": DataConfig((Source("a"),))}


@pytest.mark.parametrize(
    ("task", "settings", "message"),
    [
        ("ner", ["train.schedule=plateau", "train.plateau=2"], "no dev set"),
        ("ner", ["train.optimiser=adamw"], "is none of adam, sgd, momentum, nesterov, adagrad"),
    ],
)
def test_refused(task: str, settings: list[str], message: str) -> None:
    config = override(Config(tasks=(task,), data=NO_DEV), settings)
    with pytest.raises(SennaError, match=message):
        check_names(config)


@pytest.mark.parametrize("dev", [{"dev": (Source("b"),)}, {"dev_share": 0.1}])
def test_a_plateau_is_seen_on_a_dev_set(dev: dict[str, Any]) -> None:
    data = {"ner": dataclasses.replace(NO_DEV["ner"], **dev)}
    config = Config(tasks=("ner",), data=data)
    check_names(override(config, ["train.schedule=plateau", "train.plateau=2"]))
