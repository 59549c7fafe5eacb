"""Generated pages are fresh; every command has help and an example."""

import re
import sys
import tomllib
from dataclasses import asdict
from typing import Any

import make_docs
import pytest

from senna.inference.features.settings import Features, TagFeature
from senna.pretraining.config import Pretraining
from senna.pretraining.config import from_table as pretraining_from_table
from senna.training.config import Config, DataConfig, Source, from_table

COMMANDS = dict(make_docs.commands())


def test_pages_are_fresh(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["make_docs.py", "--check"])
    assert make_docs.main() == 0, capsys.readouterr().err


def test_check_notices_a_stale_page(monkeypatch, tmp_path, capsys):
    page = tmp_path / "cli.md"
    page.write_text("old\n", encoding="utf-8")
    monkeypatch.setattr(make_docs, "ROOT", tmp_path)
    monkeypatch.setattr(make_docs, "pages", lambda: {page: "new\n"})
    monkeypatch.setattr(sys, "argv", ["make_docs.py", "--check"])
    assert make_docs.main() == 1
    assert "cli.md is stale" in capsys.readouterr().err
    assert page.read_text(encoding="utf-8") == "old\n"
    monkeypatch.setattr(sys, "argv", ["make_docs.py"])
    assert make_docs.main() == 0
    assert page.read_text(encoding="utf-8") == "new\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_80_columns_on_any_terminal(name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    text = make_docs.help_of(name, COMMANDS[name])
    assert text.startswith(f"Usage: {name}")
    assert max(map(len, text.splitlines())) <= 80


def test_settings_are_a_configuration_of_bare_defaults_with_every_key():
    text = make_docs.settings_page()
    found = from_table(tomllib.loads(text.replace(".TASK]", ".pos]")), where="")
    tags = {"pos": TagFeature()}
    assert found == Config(data={"pos": DataConfig()}, features=Features(tags=tags))
    named = re.findall(r"(?m)^(?:# )?(\w+) = ", text)
    assert {*leaves(asdict(Config())), *asdict(Source()), *asdict(DataConfig())} <= {*named}
    assert 'schedule = "linear"  # constant, linear' in text


def test_pretraining_settings_are_its_bare_defaults():
    table = tomllib.loads(make_docs.pretraining_page())
    assert table.keys() == asdict(Pretraining()).keys()
    assert pretraining_from_table(table, where="") == Pretraining()


def leaves(table: dict[str, Any]) -> list[str]:
    names = []
    for key, value in table.items():
        names += leaves(value) if isinstance(value, dict) else [key]
    return names
