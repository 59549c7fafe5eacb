"""Generated pages are fresh; every command has help and an example; the README's links hold."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "make_docs.py"

specification = importlib.util.spec_from_file_location("make_docs", SCRIPT)
assert specification is not None
assert specification.loader is not None
make_docs = importlib.util.module_from_spec(specification)
specification.loader.exec_module(make_docs)

COMMANDS = dict(make_docs.commands())
LEAVES = {name: leaf for name, leaf in COMMANDS.items() if not hasattr(leaf, "commands")}
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])


def test_pages_are_fresh() -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--check"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr


def test_check_notices_a_stale_page(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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


def test_the_commands_are_all_found() -> None:
    assert {"senna tag", "senna train", "senna eval"} <= set(LEAVES)
    assert {"senna models list", "senna data get"} <= set(LEAVES)


@pytest.mark.parametrize("name", LEAVES)
def test_every_command_has_help_and_an_example(name: str) -> None:
    command: Any = LEAVES[name]
    assert command.help, "no help"
    assert command.epilog, "no example"
    assert re.match(r"Example: .*\bsenna ", command.epilog), "no example to paste"


@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_80_columns_on_any_terminal(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    text = make_docs.help_of(name, COMMANDS[name])
    assert text.startswith(f"Usage: {name}")
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_training_page_names_every_configuration_key() -> None:
    from dataclasses import asdict

    from senna.config import Config, Source

    text = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
    text = re.sub(r"(?ms)^```.*?^```$", "", text)
    named = set(re.findall(r"`([^`]+)`", text))
    named |= {name.rpartition(".")[2] for name in named}
    assert set(leaves(asdict(Config()))) | set(asdict(Source())) <= named


def leaves(table: dict[str, Any]) -> list[str]:
    names = []
    for key, value in table.items():
        names += leaves(value) if isinstance(value, dict) else [key]
    return names
