"""The values that options get, made without typer's help; only one command is imported."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from inspect import isfunction
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import pytest
import typer
from typer.models import OptionInfo
from typer.testing import CliRunner, Result

from senna.cli.app import COMMANDS, LAB
from senna.cli.options import Command, choice
from tests.cli.conftest import Senna

ROOT = Path(__file__).parents[2]
LETTERS = ("alpha", "beta")

got: dict[str, Any] = {}


def every_kind(
    word: Annotated[str, typer.Argument()],
    paths: Annotated[list[Path] | None, typer.Argument()] = None,
    name: Annotated[str, typer.Option()] = "none",
    place: Annotated[Path | None, typer.Option()] = None,
    out: Annotated[Path, typer.Option()] = Path("map.svg"),
    jobs: Annotated[int, typer.Option(min=1)] = 1,
    size: Annotated[int | None, typer.Option(min=1)] = None,
    top: Annotated[int, typer.Option(min=1, max=5)] = 5,
    share: Annotated[float, typer.Option()] = 0,
    letter: Annotated[str, choice(LETTERS, "--letter", "-l")] = "alpha",
    more: Annotated[str | None, choice(LETTERS)] = None,
    settings: Annotated[list[str] | None, typer.Option("--set")] = None,
    quiet: Annotated[bool, typer.Option("--quiet")] = False,
) -> None:
    got.clear()
    got.update(locals())


def run(cls: type[Any] | None, *given: str) -> Result:
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(cls=cls)(every_kind)
    got.clear()
    return CliRunner().invoke(app, list(given))


@pytest.mark.parametrize("given", [("--top", "9"), ("--share", "nan"), ("--share", "inf")])
def test_ranges_are_checked_at_both_ends(given: tuple[str, str]) -> None:
    result = run(Command, "a", *given)
    assert result.exit_code == 2
    assert given[0] in result.output and not got


@pytest.mark.parametrize(
    "given",
    [
        ("a",),
        ("", "x", "y/z"),
        ("a", "--name", "", "--place", ".", "--out", "o.png", "--jobs", "3", "--size", "1"),
        ("a", "--share", "0.5", "-l", "beta", "--more", "alpha"),
        ("a", "--set", "x=1", "--set", "", "--quiet"),
        ("a", "b", "--place", ""),
    ],
)
def test_values_are_those_that_typer_makes(given: tuple[str, ...]) -> None:
    assert run(Command, *given).exit_code == 0
    ours = dict(got)
    assert run(None, *given).exit_code == 0
    assert ours == got
    assert {name: type(value) for name, value in ours.items()} == {
        name: type(value) for name, value in got.items()
    }


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((), "word"),
        (("a", "--jobs", "0"), "--jobs"),
        (("a", "--jobs", "many"), "--jobs"),
        (("a", "--size", "-1"), "--size"),
        (("a", "--letter", "gamma"), "'gamma' is not one of 'alpha', 'beta'."),
        (("a", "--bogus"), "--bogus"),
        (("a", "--name"), "--name"),
    ],
)
def test_what_is_wrong_is_told_as_typer_tells_it(given: tuple[str, ...], said: str) -> None:
    ours = run(Command, *given)
    assert (ours.exit_code, got) == (2, {}), repr(ours.exception)
    assert said in ours.stderr
    assert ours.stderr == run(None, *given).stderr


def program(before: str, after: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The program in a process of its own, some Python before it and after it."""
    code = f"import sys\n{before}\nfrom senna.cli.main import main\ntry: main()\nfinally: {after}"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        input="Anna flew .\n",
        capture_output=True,
        encoding="utf-8",
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=120,
    )


@pytest.mark.parametrize(
    "command",
    [
        "tag --task pos --input tokens --jobs 1 --model senna/models/pos-chunk",
        "neighbors -n 2 france --by euclidean",
        "eval --task pos --errors 3 -",
        "models show ner",
        "data list --data data",
        "--version",
    ],
)
def test_no_command_needs_pydantic(command: str) -> None:
    """Newer versions of typer convert values with it, and it takes as long to load as NumPy."""
    done = program("sys.modules['pydantic'] = None", "pass", *command.split())
    assert "pydantic" not in done.stderr
    assert done.returncode == 0, done.stderr


def test_a_command_does_not_import_the_others() -> None:
    told = "print(*sys.modules, file=sys.stderr)"
    done = program("", told, "tag", "--task", "pos", "--input", "tokens")
    assert done.returncode == 0
    own = {name for name in done.stderr.split() if name.startswith("senna.cli.")}
    assert {name.rpartition(".")[2] for name in own} & set(COMMANDS) == {"tag"}


@pytest.mark.parametrize(("name", "near"), [("tg", "tag"), ("model", "models"), ("evl", "eval")])
def test_a_near_miss_is_told_what_it_is_near_to(senna: Senna, name: str, near: str) -> None:
    done = senna(name)
    assert (done.code, done.out) == (2, b"")
    assert f"No such command '{name}'. Did you mean '{near}'" in done.err


def test_an_option_json_where_a_format_is_meant(senna: Senna) -> None:
    done = senna("tag", "--json")
    assert (done.code, "--format jsonl" in done.err, "--jobs" in done.err) == (2, True, False)


@pytest.mark.parametrize("command", COMMANDS)
def test_options_whose_metavar_is_their_name_state_it(command: str) -> None:
    """Typer 0.27 would call them --DEVICE, say."""
    module = import_module(f"senna.{'lab.' * (command in LAB)}cli.{command}")
    found = [f for f in vars(module).values() if isfunction(f)]
    own = [
        f for f in found if f.__module__ == module.__name__ and "typer" in str(f.__annotations__)
    ]
    looked_at = []
    for function in own:
        for name, hint in get_type_hints(function, include_extras=True).items():
            for about in getattr(hint, "__metadata__", ()):
                if isinstance(about, OptionInfo) and about.metavar == name.upper():
                    looked_at.append(name)
                    # In an annotation, Typer has the first declaration where a default may be.
                    stated = [about.default, *(about.param_decls or ())]
                    assert any(str(text).startswith("--") for text in stated), name
    expected = {
        "train": ["name", "device"],
        "pretrain": ["device"],
        "serve": ["host"],
        "lm": ["n"],
    }
    assert looked_at == expected.get(command, [])
