"""`senna tag` without Typer: it must understand what Typer does, or leave it to it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from senna.cli.app import Commands, app
from senna.cli.plain import CHOICES, FLAGS, VALUES, tag_values


@pytest.fixture(autouse=True)
def _no_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SENNA_CONFIG", "")


def parameters() -> dict[str, Any]:
    """The parameters of `senna tag` as Typer knows them, by option."""
    from typer.main import get_command

    command = get_command(app)
    assert isinstance(command, Commands)
    params = command.get_command(None, "tag").params
    return {option: param for param in params for option in (*param.opts, *param.secondary_opts)}


def test_its_options_are_typers() -> None:
    known = parameters()
    for option, name in FLAGS.items():
        assert known[option].name == name
        assert known[option].is_flag
    for option, said in CHOICES.items():
        assert known[option].name == said.name
        values = [*said.choices]
        assert [known[option].callback(None, None, value) for value in values] == values
        with pytest.raises(typer.BadParameter):
            known[option].callback(None, None, "other")
    for option, (name, _) in VALUES.items():
        assert known[option].name == name
        assert known[option].callback is None
        assert not known[option].multiple
    assert known["--jobs"].name == "jobs"


def test_a_flag_may_say_no() -> None:
    assert tag_values(["--no-memory"]) == {"memory": False}
    assert tag_values(["--memory"]) == {"memory": True}


def test_what_it_reads() -> None:
    arguments = "a.txt --task pos,ner -q --format jsonl - --jobs 2 -o out.txt --offsets".split()
    assert tag_values(arguments) == {
        "files": ["a.txt", "-"],
        "tasks": "pos,ner",
        "quiet": True,
        "format": "jsonl",
        "jobs": 2,
        "output": Path("out.txt"),
        "offsets": True,
    }
    assert tag_values([]) == {}


@pytest.mark.parametrize(
    "arguments",
    [
        "--help",
        "-h",
        "--task",
        "--task --scores",
        "--task=pos",
        "--format xml",
        "--jobs 0",
        "--jobs x",
        "--nbest 3",
        "--unknown x",
        "-- a.txt",
        "-oout.txt",
        "--gazetteer PER=a.txt",
    ],
)
def test_what_it_leaves_to_typer(arguments: str) -> None:
    assert tag_values(arguments.split()) is None


def test_a_users_defaults_are_left_to_typer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config.toml").write_text("[tag]\ntask = 'pos'\n", encoding="utf-8")
    monkeypatch.setenv("SENNA_CONFIG", str(tmp_path / "config.toml"))
    assert tag_values(["a.txt"]) is None


def test_plain_tagging_does_not_load_typer() -> None:
    code = (
        "import sys; sys.argv = ['senna', 'tag', '--task', 'pos'];"
        "from senna.__main__ import main; main();"
        "print(*(m for m in sys.modules if m.split('.')[0] in ('typer', 'click', 'rich')))"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, input="Anna ran.", capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0].startswith("Anna\t")
    assert done.stdout.splitlines()[-1] == ""
