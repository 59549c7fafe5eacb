"""The configuration of a model: settings of other releases do not keep it from being read."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from senna.errors import SennaError
from senna.model.folder import read_model
from senna.training.config import from_table, read_config, without_retired
from senna.training.origin import config_of
from tests import toys


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return toys.exported(toys.setup(toys.SMALL), tmp_path / "model")


def add(path: Path, text: str) -> None:
    with (path / "about.toml").open("a", encoding="utf-8") as file:
        file.write(text)


def test_unknown_tables_and_keys_are_left_out(path: Path) -> None:
    expected = config_of(read_model(path))
    add(path, "\n[config.later]\nkey = 1\n[config.network.gated_more]\nolder = 2\n")
    text = (path / "about.toml").read_text(encoding="utf-8")
    text = text.replace("[config.features.word]\n", "[config.features.word]\nolder = true\n")
    (path / "about.toml").write_text(text, encoding="utf-8")
    assert "older = true" in text
    assert config_of(read_model(path)) == expected


def test_settings_that_are_constants_now(path: Path, tmp_path: Path) -> None:
    text = (path / "about.toml").read_text(encoding="utf-8")
    tree = "[config.network.tree]\n"
    assert tree in text
    (path / "about.toml").write_text(text.replace(tree, f"{tree}widest = 10\n"), encoding="utf-8")
    assert config_of(read_model(path)).tasks == ("ner",)
    (path / "about.toml").write_text(text.replace(tree, f"{tree}widest = 7\n"), encoding="utf-8")
    with pytest.raises(SennaError, match="network.tree.widest is no setting any more: it is 10"):
        config_of(read_model(path))
    file = tmp_path / "mine.toml"
    file.write_text('tasks = ["ner"]\n[train]\ndecay = 0.0\nepochs = 3\n', encoding="utf-8")
    assert read_config(file).train.epochs == 3
    file.write_text('tasks = ["ner"]\n[network.recurrent]\ndirections = 1\n', encoding="utf-8")
    with pytest.raises(SennaError, match="network.recurrent.directions is no setting any more"):
        read_config(file)


def test_a_table_is_not_changed() -> None:
    table = {"features": {"clusters": {"prefixes": (4, 6, 10, 20), "size": 3}}}
    assert without_retired(table, "x") == {"features": {"clusters": {"size": 3}}}
    assert "prefixes" in table["features"]["clusters"]
    config = from_table(without_retired(table, "x"), where="x")
    assert dataclasses.asdict(config)["features"]["clusters"]["size"] == 3
