"""Configurations: to TOML and back, overrides, and everything that must be refused."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.config import (
    Config,
    Source,
    from_table,
    override,
    read_config,
    to_table,
    to_toml,
    write_config,
)
from senna.errors import SennaError
from senna.files import resource
from tests import strategies

TABLES = st.recursive(
    st.booleans()
    | st.integers(-(2**62), 2**62)
    | st.floats(allow_nan=False)
    | strategies.any_text
    | st.lists(st.integers(), max_size=3),
    lambda inner: st.dictionaries(strategies.any_text, inner, max_size=3),
    max_leaves=8,
)


@given(strategies.configs)
def test_toml_round_trip(config: Config) -> None:
    table = tomllib.loads(to_toml(to_table(config)))
    assert from_table(table, where="test") == config


@given(st.dictionaries(strategies.any_text, TABLES, max_size=4))
def test_any_table_survives_toml(table: dict[str, object]) -> None:
    assert tomllib.loads(to_toml(table)) == table


def test_the_complete_configuration_is_written() -> None:
    table = tomllib.loads(to_toml(to_table(Config())))
    assert table["train"]["seed"] == 1
    assert table["features"]["characters"]["longest"] == 20
    assert table["network"]["window"] == [5]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"trian": {}}, "unknown key 'trian'; did you mean 'train'?"),
        ({"train": {"epoch": 3}}, "unknown key 'train.epoch'; did you mean 'epochs'?"),
        ({"train": {"zzz": 3}}, "unknown key 'train.zzz'; known: criterion, "),
        ({"features": {"word": {"siz": 3}}}, "'features.word.siz'; did you mean 'size'?"),
        ({"data": {"ner": {"trian": []}}}, "'data.ner.trian'; did you mean 'train'?"),
        ({"train": {"epochs": "3"}}, "train.epochs = '3' is not of type int"),
        ({"train": {"epochs": 3.0}}, "train.epochs = 3.0 is not of type int"),
        ({"train": {"epochs": True}}, "train.epochs = True is not of type int"),
        ({"train": {"clip": True}}, "train.clip = True is not of type float"),
        ({"train": {"criterion": 3}}, "train.criterion = 3 is not of type str"),
        ({"network": {"window": 5}}, "network.window = 5 is not of type list"),
        ({"network": {"window": ["5"]}}, "network.window[0] = '5' is not of type int"),
        ({"train": 3}, "train must be a table"),
        ({"data": {"ner": {"train": [3]}}}, "data.ner.train[0] must be a table"),
        ({"train": {"criterion": "crf"}}, "train.criterion = 'crf' is none of sentence, word"),
        ({"export": {"numbers": "int4"}}, "export.numbers = 'int4' is none of"),
        ({"tasks": ["nre"]}, "unknown task 'nre'"),
        ({"data": {"nre": {}}}, "unknown task 'nre'"),
        ({"network": {"window": [5, 5]}}, "one entry a layer"),
        ({"network": {"window": [], "hidden": []}}, "one entry a layer"),
        ({"network": {"window": [4]}}, "odd numbers"),
        ({"network": {"window": [-1]}}, "odd numbers"),
        ({"network": {"hidden": [0]}}, "out of range"),
        ({"network": {"shared": 2}}, "out of range"),
        ({"network": {"kind": "deep"}}, "'deep' is none of window, sentence, gated"),
        ({"network": {"kind": "gated", "width": 2}}, "odd numbers"),
        ({"network": {"kind": "gated", "dilations": [1, 0]}}, "out of range"),
        ({"export": {"rank": -1}}, "negative"),
        ({"export": {"moved": -0.1}}, "negative"),
        ({"export": {"own": -1}}, "negative"),
        ({"network": {"kind": "sentence", "window": [3, 3], "hidden": [5, 5]}}, "one entry in"),
        ({"network": {"distance": 0}}, "out of range"),
        ({"features": {"pt0": {"size": -1}}}, "negative"),
        ({"features": {"pt0": {"source": "gold"}}}, "none of model, column"),
        ({"train": {"epochs": 0}}, "must be positive"),
        ({"train": {"learning_rate": 0.0}}, "must be positive"),
        ({"train": {"dropout_input": 1.0}}, "below 1"),
        ({"train": {"average": -0.5}}, "at least 0"),
        ({"features": {"word": {"size": 0}}}, "must be positive"),
    ],
)
def test_refused(table: dict[str, object], message: str) -> None:
    with pytest.raises(SennaError) as caught:
        from_table(table, where="my.toml")
    assert message in str(caught.value)
    assert str(caught.value).startswith("my.toml: ")


def test_a_whole_number_serves_as_a_float() -> None:
    config = from_table({"train": {"clip": 3}}, where="test")
    assert isinstance(config.train.clip, float)
    assert config.train.clip == 3


def test_a_corpus_may_be_given_by_its_name_alone() -> None:
    config = from_table({"data": {"ner": {"train": ["ner/gum", {"corpus": "x"}]}}}, where="test")
    assert config.data["ner"].train == (Source("ner/gum"), Source("x"))


def test_override() -> None:
    config = override(
        Config(),
        [
            "train.epochs=5",
            "train.criterion=word",
            'features.word.embeddings="a b.txt"',
            "features.gazetteer.files=['x', 'y']",
            "network.constrained=false",
            "data.ner.train=['a']",
            "train.clip=1e-3",
        ],
    )
    assert config.train.epochs == 5
    assert config.train.criterion == "word"
    assert config.features.word.embeddings == "a b.txt"
    assert config.features.gazetteer.files == ("x", "y")
    assert config.network.constrained is False
    assert config.data["ner"].train == (Source("a"),)
    assert config.train.clip == 0.001
    assert config.network.hidden == Config().network.hidden


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("train.epochs", "not of the form key=value: 'train.epochs'"),
        ("train.epochs=five", "train.epochs = 'five' is not of type int"),
        ("train.epocs=5", "did you mean 'epochs'?"),
        ("train.epochs.more=5", "'epochs' is not a table"),
        ("=5", "unknown key ''"),
    ],
)
def test_override_refused(setting: str, message: str) -> None:
    with pytest.raises(SennaError) as caught:
        override(Config(), [setting])
    assert message in str(caught.value)
    assert "--set" in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(SennaError, match="no such configuration"):
        read_config(tmp_path / "none.toml")
    bad = tmp_path / "bad.toml"
    bad.write_text("tasks = [", encoding="utf-8")
    with pytest.raises(SennaError, match=r"bad\.toml: not readable as TOML"):
        read_config(bad)
    bad.write_bytes(b"ta\xff = 1")
    with pytest.raises(SennaError, match="not readable as TOML"):
        read_config(bad)
    with pytest.raises(SennaError, match="not readable as TOML"):
        read_config(tmp_path)


def test_a_path_that_is_no_utf_8_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    config = override(Config(), [("features.word.embeddings", "v\udcff")])
    write_config(path, config)
    assert b'"v\xff"' in path.read_bytes()
    assert read_config(path) == config


CONFIGS = [p for p in sorted(resource("configs").rglob("*.toml")) if p.parent.name != "pretrain"]


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.name)
def test_the_configurations_that_ship_are_valid(path: Path) -> None:
    config = read_config(path)
    assert config.tasks or path.name == "multitask.toml"  # --task says which
    assert all(config.data[task].train for task in config.tasks)


def test_resource_that_is_missing() -> None:
    with pytest.raises(SennaError, match=r"no/such: missing from the package.*Install"):
        resource("no/such")
